package io.lifeguard.examples;

import java.util.List;

/** One example that can be run from the command line. Implementations are stateless. */
public interface Command {

    /** The exit status of a run that did what it was asked to do. */
    int OK = 0;

    /** The exit status of a run that could not do its work, or found its own results wrong. */
    int FAILED = 1;

    /** The exit status of arguments that make no sense. */
    int USAGE = 2;

    /** The exit status of a run that was interrupted, the one shells give to Ctrl-C. */
    int INTERRUPTED = 130;

    /** Returns the word that selects this command. */
    String name();

    /** Returns one line that says what the command does. */
    String summary();

    /**
     * Runs the command on the calling thread and returns its exit status. An interrupt of that thread stops it soon,
     * with everything it started closed.
     *
     * @param arguments what the user typed behind the command's name
     * @param terminal where to print
     */
    int run(List<String> arguments, Terminal terminal);
}
