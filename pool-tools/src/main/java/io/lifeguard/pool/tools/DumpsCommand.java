package io.lifeguard.pool.tools;

import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.tools.dumps.ThreadDumps;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The command {@code dumps}: prints what the threads in thread dumps do. Not thread-safe. */
@Command(
        name = "dumps",
        header = "Prints what the threads in thread dumps do, where, and which locks they wait for.",
        description = {
            "",
            "Reads these forms: " + DumpsCommand.FORMS + ".",
            "A file may hold any number of dumps, with other text between them.",
            ""
        },
        exitCodeList = {
            "0:no deadlock",
            "1:a deadlock, or virtual threads that have not run because all carriers are taken",
            "2:a source could not be read, holds no dump, or ends too early; or the arguments are wrong"
        })
final class DumpsCommand extends ToolCommand {

    static final String FORMS = "jstack; jcmd PID Thread.print; kill -3; jcmd PID Thread.dump_to_file, plain or JSON;"
            + " jhsdb jstack; VisualVM; Spring Boot's actuator, text or JSON; ThreadInfo.toString and its JSON;"
            + " IntelliJ IDEA; JConsole; javacore of OpenJ9; Android; Hadoop's /stacks; the JVM's list of deadlocks";

    /** A process number has no leading 0. To {@code jcmd}, the number 0 means all JVMs. */
    private static final Pattern PROCESS = Pattern.compile("[1-9][0-9]{0,17}");

    private final InputStream in;
    private final ThreadDumps.Sources reader = new ThreadDumps.Sources();
    private final List<ThreadDumps> read = new ArrayList<>();
    private final Map<String, String> notLookedAt = new LinkedHashMap<>(); // why, by source
    private int doubtful; // how many of these are there because a deadlock may be missing

    @Parameters(
            paramLabel = "FILE|FOLDER|PID|-",
            arity = "1..*",
            description = "What to read. A number that is not a file is a process, whose dump jcmd takes."
                    + " - is the standard input. Of a folder, all files are read.")
    private List<String> sources = new ArrayList<>();

    @ArgGroup
    private Choice choice = new Choice();

    @Option(
            names = "--top",
            paramLabel = "N",
            converter = Numbers.Positive.class,
            description = "How many places and locks to print. Default: ${DEFAULT-VALUE}.")
    private int top = 20;

    @Option(names = "--json", description = "Prints all places, locks and deadlocks as JSON.")
    private boolean json;

    DumpsCommand(InputStream in, PrintStream out, PrintStream err) {
        super(out, err);
        this.in = in;
    }

    @Override
    public Integer call() {
        ThreadDumps all = readAll();
        if (all == null) {
            if (!json) {
                return ExitCode.COULD_NOT_LOOK;
            }
            all = ThreadDumps.parse("nothing", ""); // a program reads in the JSON what was not looked at
        }
        all.taken().forEach(taken -> complain("taken away from " + taken));
        all.problems().forEach(this::complain);
        ThreadDumps chosen = choice.from(all);
        if (json) {
            out.println(chosen.toJson(notLookedAt));
        } else {
            out.print(chosen.toText(top));
            if (chosen.groups().isEmpty()) {
                printNames(all);
            }
        }
        out.flush();
        boolean isUnread = notLookedAt.size() > doubtful;
        if (isUnread || (doubtful > 0 && all.starvations().isEmpty())) {
            return ExitCode.COULD_NOT_LOOK;
        }
        return all.deadlocks().isEmpty() && all.starvations().isEmpty() ? ExitCode.HEALTHY : ExitCode.FINDINGS;
    }

    private @Nullable ThreadDumps readAll() {
        for (String source : sources) {
            if (source.equals("-")) {
                read(source, () -> reader.read("stdin", in), false);
            } else if (PROCESS.matcher(source).matches() && !Files.exists(Path.of(source))) {
                read(source, () -> ThreadDumps.ofProcess(Long.parseLong(source)), false);
            } else if (Files.isDirectory(Path.of(source))) {
                readFolder(source);
            } else {
                Path name = Path.of(source).getFileName();
                readFile(source, name == null ? source : name.toString(), Path.of(source), false);
            }
        }
        return read.stream().reduce(ThreadDumps::and).orElse(null);
    }

    /** Reads all files below a folder. Some may be no dumps, but not all. */
    private void readFolder(String source) {
        int before = read.size();
        int without = 0;
        Path folder = Path.of(source);
        for (Path file : new FilesBelow(folder, this::cannotRead).inOrder()) {
            String name = folder.relativize(file).toString();
            without += readFile(source + "/" + name, name, file, true) ? 0 : 1;
        }
        if (read.size() == before) {
            notLookedAt.put(source, "no file in it holds a thread dump");
            complain(source + ": no file in it holds a thread dump in a form that is known. These are: " + FORMS);
        } else if (without > 0) {
            complain(source + ": " + Counted.of(without, "file holds", "files hold")
                    + " no thread dump in a form that is known. " + (without == 1 ? "It is" : "They are")
                    + " not looked at");
        }
    }

    private boolean readFile(String source, String name, Path file, boolean mayBeOther) {
        return read(
                source,
                () -> {
                    try (InputStream bytes = Files.newInputStream(file)) {
                        return reader.read(name, bytes);
                    }
                },
                mayBeOther);
    }

    /** Reads one source. Returns false where it holds no dump, and may hold none. */
    private boolean read(String source, Callable<ThreadDumps> dumps, boolean mayBeOther) {
        try {
            ThreadDumps found = dumps.call();
            if (found.dumps().isEmpty() && mayBeOther) {
                return false;
            }
            read.add(found);
            if (found.dumps().isEmpty()) {
                notLookedAt.put(source, "it holds no thread dump");
                complain(source + ": in no form that is known. These are: " + FORMS);
            } else if (!found.doubts().isEmpty()) { // the problems say where
                notLookedAt.put(source, String.join("; ", found.doubts()));
                doubtful++;
            }
        } catch (NoSuchFileException e) {
            cannotRead(source, "no such file");
        } catch (AccessDeniedException e) {
            cannotRead(source, "access denied");
        } catch (OutOfMemoryError e) {
            cannotRead(source, "too large for this heap; give it more with java -Xmx");
        } catch (Exception e) {
            cannotRead(source, e.toString());
        }
        return true;
    }

    private void cannotRead(String source, String why) {
        notLookedAt.put(source, why);
        complain("cannot read " + source + ": " + why);
    }

    /** Prints which names could have been chosen, because the user's choice matched no thread. */
    private void printNames(ThreadDumps all) {
        List<String> pools = all.poolNames();
        if (pools.isEmpty() || choice.isEmpty()) {
            return;
        }
        out.println();
        if (choice.pool != null) {
            String pool = LogText.clean(choice.pool);
            out.printf("no thread is named like those of a pool %s (%s-1, %s-thread-1)%n", pool, pool, pool);
            out.println(
                    "the log calls a pool without a name by class and line; its threads are called pool-1-thread-1");
        } else {
            out.println("no thread's name contains a match of " + LogText.clean(String.valueOf(choice.name)));
        }
        out.println("names that --pool would find, most threads first:");
        pools.stream().limit(top).forEach(pool -> out.println("  " + LogText.clean(pool)));
        if (pools.size() > top) {
            out.println("  ...  and " + (pools.size() - top) + " more");
        }
    }

    /** Which threads to show. The two options exclude each other. */
    private static final class Choice {

        @Option(
                names = "--name",
                paramLabel = "PATTERN",
                converter = RegularExpression.class,
                description = "Only threads whose names contain a match of this regular expression.")
        private @Nullable Pattern name;

        @Option(names = "--pool", paramLabel = "NAME", description = "Only threads of the pool of this name.")
        private @Nullable String pool;

        boolean isEmpty() {
            return name == null && pool == null;
        }

        ThreadDumps from(ThreadDumps all) {
            if (pool != null) {
                return all.ofPool(pool);
            }
            return name != null ? all.named(name) : all;
        }
    }

    private static final class RegularExpression implements ITypeConverter<Pattern> {

        @Override
        public Pattern convert(String expression) {
            try {
                return Pattern.compile(expression);
            } catch (PatternSyntaxException e) {
                throw new TypeConversionException(
                        "'" + expression + "' is not a regular expression: " + e.getDescription());
            }
        }
    }
}
