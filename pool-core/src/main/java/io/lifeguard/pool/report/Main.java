package io.lifeguard.pool.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code dumps}: prints what the threads in dumps do. It needs no other library.
 *
 * <p>Ends with 0; with 1 when a file could not be read or held no dump; with 2 when the arguments make no sense.
 */
public final class Main {

    private static final String HELP = """
            usage: dumps [--name PATTERN | --pool NAME] [--top N] FILE|PID|-...

            Reads thread dumps (jstack, jcmd Thread.print, kill -3, jcmd Thread.dump_to_file; any number in each file)
            and prints how many threads do what, the locks with most waiters, and deadlocks.
            A number that is no file is a process, whose dump is taken with jcmd; - is the standard input.

              --name PATTERN  only threads whose names contain a match of this regular expression
              --pool NAME     only threads of the pool of this name
              --top N         how many places and locks to show, 20 unless told
              --help          this text
            """;

    /** No 0, which {@code jcmd} takes for all JVMs. */
    private static final Pattern PROCESS = Pattern.compile("[1-9][0-9]{0,17}");

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private final List<String> files = new ArrayList<>();
    private @Nullable Pattern name;
    private @Nullable String pool;
    private int top = 20;

    private Main(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the command and ends the JVM.
     *
     * @param arguments the command and its arguments
     */
    public static void main(String[] arguments) {
        System.exit(run(System.in, System.out, System.err, arguments));
    }

    static int run(InputStream in, PrintStream out, PrintStream err, String... arguments) {
        Main main = new Main(in, out, err);
        try {
            return main.run(new ArrayDeque<>(Arrays.asList(arguments)));
        } catch (IllegalArgumentException wrong) {
            err.println(DumpText.printable(String.valueOf(wrong.getMessage())));
            err.print(HELP);
            return 2;
        }
    }

    private int run(Deque<String> arguments) {
        if (arguments.contains("--help")) {
            out.print(HELP);
            return 0;
        }
        String command = arguments.poll();
        if (command == null) {
            err.print(HELP);
            return 2;
        } else if (!command.equals("dumps")) {
            throw new IllegalArgumentException("unknown command: " + command);
        }
        while (!arguments.isEmpty()) {
            option(arguments.remove(), arguments);
        }
        if (files.isEmpty()) {
            throw new IllegalArgumentException("no file");
        }
        if (name != null && pool != null) {
            throw new IllegalArgumentException("--name and --pool exclude each other");
        }
        return print();
    }

    private void option(String option, Deque<String> rest) {
        switch (option) {
            case "--name" -> name = pattern(value(option, rest));
            case "--pool" -> pool = value(option, rest);
            case "--top" -> top = number(value(option, rest));
            default -> {
                if (option.startsWith("--")) {
                    throw new IllegalArgumentException("unknown option: " + option);
                }
                files.add(option);
            }
        }
    }

    private int print() {
        ThreadDumps all = null;
        boolean failed = false;
        for (String file : files) {
            try {
                ThreadDumps read = read(file);
                all = all == null ? read : all.and(read);
                failed |= read.dumps().isEmpty();
            } catch (NoSuchFileException missing) {
                failed = cannot(file, "no such file");
            } catch (OutOfMemoryError tooLarge) {
                failed = cannot(file, "too large for this heap; give it more with java -Xmx");
            } catch (IOException | RuntimeException unreadable) {
                failed = cannot(file, unreadable.toString());
            }
        }
        if (all != null) {
            all.problems().forEach(problem -> err.println(DumpText.printable(problem)));
            ThreadDumps chosen = pool != null ? all.ofPool(pool) : name != null ? all.named(name) : all;
            out.print(chosen.toText(top));
            if (chosen.groups().isEmpty()) {
                hint(all);
            }
        }
        out.flush();
        return failed ? 1 : 0;
    }

    /** Says what could have been chosen, when nothing was. */
    private void hint(ThreadDumps all) {
        List<String> pools = all.pools();
        if (pools.isEmpty() || (pool == null && name == null)) {
            return;
        }
        out.println();
        out.println(DumpText.printable(
                pool != null
                        ? "no thread is named like those of a pool " + pool + " (" + pool + "-1, " + pool + "-thread-1)"
                        : "no thread's name contains a match of " + name));
        if (pool != null) {
            out.println(
                    "a pool that was given no name is called after class and line in the log; its threads are called pool-1-thread-1 and so on");
        }
        out.println("names that --pool would find, most threads first:");
        pools.stream().limit(top).forEach(known -> out.println("  " + DumpText.printable(known)));
        if (pools.size() > top) {
            out.println("  ...  and " + (pools.size() - top) + " more");
        }
    }

    private ThreadDumps read(String file) throws IOException {
        if (file.equals("-")) {
            return ThreadDumps.read("stdin", in);
        }
        return PROCESS.matcher(file).matches() && !Files.exists(Path.of(file))
                ? ProcessDumps.take(file)
                : ThreadDumps.read(Path.of(file));
    }

    private boolean cannot(String file, String why) {
        err.println(DumpText.printable("cannot read " + file + ": " + why));
        return true;
    }

    private static String value(String option, Deque<String> rest) {
        String value = rest.poll();
        if (value == null) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return value;
    }

    private static Pattern pattern(String expression) {
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException wrong) {
            throw new IllegalArgumentException("--name: " + wrong.getMessage(), wrong);
        }
    }

    private static int number(String digits) {
        try {
            int number = Integer.parseInt(digits);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException wrong) {
            // said below
        }
        throw new IllegalArgumentException("--top must be a number >= 1 (was " + digits + ")");
    }
}
