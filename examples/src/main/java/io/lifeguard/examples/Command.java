package io.lifeguard.examples;

import java.util.List;

/** An example that can be run from the command line. Implementations are stateless. */
public interface Command {

    /** The exit status of a successful run. */
    int OK = 0;

    /** The exit status of a run that could not do its work, or whose results were wrong. */
    int FAILED = 1;

    /** The exit status for invalid arguments. */
    int USAGE = 2;

    /** The exit status of an interrupted run; shells use the same number for Ctrl-C. */
    int INTERRUPTED = 130;

    /** Returns the name of the command. */
    String name();

    /** Returns one line that says what the command does. */
    String summary();

    /**
     * Runs the command on the calling thread and returns its exit status. An interrupt of the thread stops the command
     * within seconds; it then closes everything that it opened.
     *
     * @param arguments the words after the name of the command
     * @param terminal the terminal to print to
     */
    int run(List<String> arguments, Terminal terminal);
}
