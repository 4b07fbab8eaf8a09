package io.lifeguard.pool.tools;

import io.lifeguard.pool.text.LogText;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** What all commands have in common: where they write to, and their help. Not thread-safe. */
@Command(mixinStandardHelpOptions = true, versionProvider = JarVersion.class, exitCodeListHeading = "%nExit codes:%n")
abstract class ToolCommand implements Callable<Integer> {

    final PrintStream out;
    final PrintStream err;

    ToolCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Writes a line to standard error. Names come from other programs, so control characters are escaped. */
    final void complain(String line) {
        err.println(LogText.clean(line));
    }
}
