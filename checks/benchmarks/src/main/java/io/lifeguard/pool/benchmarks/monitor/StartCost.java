package io.lifeguard.pool.benchmarks.monitor;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Table;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * What a young JVM pays for Lifeguard, in CPU time, classes and compiled methods. Needs Linux:
 *
 * <pre>{@code
 * java -cp checks/benchmarks/target/benchmarks.jar io.lifeguard.pool.benchmarks.monitor.StartCost [--quick]
 * }</pre>
 *
 * <p>Starts JVMs in turn: with the JDK's pool, with Lifeguard's and the monitor off, and with the monitor; each with a
 * calm pool, a pool whose workers queue at a lock, and a pool full of tasks of 1 µs. Prints the medians. Ends with
 * status 1 when a bound is exceeded. Classes and methods do not depend on the machine. The bounds of CPU time are
 * multiples of what the JVM with the calm plain pool uses, so a slow machine passes as a fast one does. They leave
 * room: the system counts in steps of 10 ms, and the plain JVM uses seven of them.
 *
 * <p>The JVMs have a class path of their own, with the library's two jars and those of SLF4J. The search for services
 * opens each jar of a class path, which the plain program does not. So one more row has all jars of the benchmarks.
 *
 * <p>With {@code --quick} there are three rounds instead of seven, and the JVMs that mostly wait run side by side: that
 * tells what is grossly heavier, and its figures are not for publication.
 */
public final class StartCost {

    private static final String MANY_JARS = "off, 50 jars";

    private static final int MOST_CLASSES = 1_200;
    private static final int MOST_METHODS = 450; // compiled by the first compiler
    private static final int MOST_OF_SICK = 1_300; // classes until the lock is said, before the monitor is loaded
    private static final String MONITOR = PoolMonitor.class.getName() + ' ';

    private static final Pattern COMPILED =
            Pattern.compile("^\\s*\\d+\\s+([% sbn!]{0,6})\\s+([1-4])\\s+(\\S+)::\\S+.*");

    private final String ownClassPath;

    private StartCost(String ownClassPath) {
        this.ownClassPath = ownClassPath;
    }

    /**
     * One kind of JVM.
     *
     * @param most of the additional CPU time in the first five seconds, in multiples of what the calm plain JVM uses; 0
     *     for a plain one
     */
    private record Case(String pool, String mode, double most) {
        boolean isPlain() {
            return mode.equals("plain");
        }

        List<String> options() {
            return mode.startsWith("off") ? List.of("-Dlifeguard.monitor=off") : List.of();
        }
    }

    private static final List<Case> CASES = List.of(
            new Case("calm", "plain", 0),
            new Case("calm", "off", 2.8),
            new Case("calm", MANY_JARS, 3.5),
            new Case("calm", "on", 3.2),
            new Case("sick", "plain", 0),
            new Case("sick", "on", 7),
            new Case("full", "plain", 0),
            new Case("full", "on", 10));

    /** Milliseconds of CPU: of the process, of the two compilers, and of this library's threads. */
    private record Used(long all, long first, long second, long ours) {
        long others() {
            return Math.max(0, all - first - second - ours);
        }
    }

    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        boolean isQuick = List.of(arguments).contains("--quick");
        Path program = copied();
        String own = ownClassPath(program);
        boolean isWithin;
        try {
            isWithin = new StartCost(own).run(isQuick ? 3 : 7, isQuick ? List.of("5") : List.of("5", "20"), isQuick);
        } finally {
            ChildJvm.delete(program);
        }
        System.exit(isWithin ? 0 : 1);
    }

    private boolean run(int rounds, List<String> seconds, boolean isSideBySide) throws IOException {
        Map<String, List<Used>> used = new HashMap<>();
        int found = 0;
        for (int round = 0; round < rounds; round++) {
            for (List<Case> next : isSideBySide ? byPool() : inTurn()) {
                List<ChildJvm> jvms = new ArrayList<>();
                try {
                    for (Case one : next) {
                        jvms.add(start(one, List.of(), seconds));
                    }
                    for (int i = 0; i < jvms.size(); i++) {
                        found += read(next.get(i), output(next.get(i), jvms.get(i)), used);
                    }
                } finally {
                    jvms.forEach(ChildJvm::close);
                }
            }
        }
        boolean isWithin = true;
        for (String second : seconds) {
            isWithin &= print(second, used);
        }
        System.out.printf(
                "%nThe lock was found in %d of %d JVMs within %s s.%n", found, rounds, seconds.get(seconds.size() - 1));
        return counted() & isWithin & found == rounds;
    }

    private static List<List<Case>> inTurn() {
        return CASES.stream().map(List::of).toList();
    }

    /** Full pools take all CPUs, so they run alone. */
    private static List<List<Case>> byPool() {
        return List.of(CASES.subList(0, 4), CASES.subList(4, 6), CASES.subList(6, 7), CASES.subList(7, 8));
    }

    /** Returns how often the lock was found: once or not at all. */
    private static int read(Case one, List<String> lines, Map<String, List<Used>> used) {
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("used")) {
                used.computeIfAbsent(key(one, words[1]), k -> new ArrayList<>())
                        .add(new Used(
                                Long.parseLong(words[2]),
                                Long.parseLong(words[3]),
                                Long.parseLong(words[4]),
                                Long.parseLong(words[5])));
            }
        }
        return lines.contains("found true") ? 1 : 0;
    }

    private static String key(Case one, String second) {
        return one.pool() + " " + one.mode() + " " + second;
    }

    private ChildJvm start(Case one, List<String> more, List<String> seconds) throws IOException {
        List<String> options = new ArrayList<>(one.options());
        options.addAll(more);
        List<String> arguments = new ArrayList<>(List.of(one.pool(), one.isPlain() ? "plain" : "ours"));
        arguments.addAll(seconds);
        String classPath = one.mode().equals(MANY_JARS) ? System.getProperty("java.class.path") : ownClassPath;
        return ChildJvm.start(List.of(ChildJvm.java()), options, classPath, StartCostChild.class, arguments);
    }

    private static String ownClassPath(Path program) throws ClassNotFoundException {
        List<String> files = new ArrayList<>(List.of(program.toString()));
        for (Class<?> of : List.of(
                InstrumentedThreadPoolExecutor.class,
                PoolMonitor.class,
                Logger.class,
                Class.forName("org.slf4j.nop.NOPServiceProvider"))) {
            files.add(of.getProtectionDomain().getCodeSource().getLocation().getPath());
        }
        return String.join(File.pathSeparator, files);
    }

    /** The program's classes in a directory: the benchmarks' jar would bring all jars of its manifest with it. */
    private static Path copied() throws IOException {
        Path directory = Files.createTempDirectory("start-cost");
        List<Class<?>> classes = new ArrayList<>(List.of(StartCostChild.class));
        classes.addAll(List.of(StartCostChild.class.getDeclaredClasses()));
        for (Class<?> each : classes) {
            String file = each.getName().replace('.', '/') + ".class";
            try (InputStream in = Objects.requireNonNull(each.getClassLoader().getResourceAsStream(file))) {
                Path copy = directory.resolve(file);
                Files.createDirectories(copy.getParent());
                Files.write(copy, in.readAllBytes());
            }
        }
        return directory;
    }

    private static List<String> output(Case one, ChildJvm jvm) throws IOException {
        int status = jvm.await(Duration.ofMinutes(2));
        if (status != 0) {
            throw new IOException(one + " has ended with status " + status + ": " + jvm.output());
        }
        return jvm.output();
    }

    // ---- CPU time ----

    private static boolean print(String second, Map<String, List<Used>> used) {
        Table table = new Table(
                "ms of CPU in " + second + " s",
                "all",
                "more than plain",
                "first compiler",
                "second compiler",
                "Lifeguard's threads",
                "others",
                "bound");
        long calm = median(used, CASES.get(0), second).all();
        boolean isWithin = true;
        for (Case one : CASES) {
            Used median = median(used, one, second);
            long more = paid(one, median) - paid(one, median(used, new Case(one.pool(), "plain", 0), second));
            long most = Math.round(one.most() * calm);
            boolean isBound = second.equals("5") && !one.isPlain();
            isWithin &= !isBound || more <= most;
            table.row(
                    one.pool() + ", " + one.mode(),
                    Long.toString(median.all()),
                    one.isPlain() ? "" : Long.toString(more),
                    Long.toString(median.first()),
                    Long.toString(median.second()),
                    Long.toString(median.ours()),
                    Long.toString(median.others()),
                    isBound ? (more <= most ? "≤ " : "EXCEEDED: ") + most : "");
        }
        System.out.println(table.markdown());
        return isWithin;
    }

    /**
     * A full pool's own threads take all CPU time that there is, and do more with it where the pool is faster. So only
     * what compilers and Lifeguard's threads take counts there.
     */
    private static long paid(Case one, Used used) {
        return one.pool().equals("full") ? used.all() - used.others() : used.all();
    }

    private static Used median(Map<String, List<Used>> used, Case one, String second) {
        List<Used> sorted = Objects.requireNonNull(used.get(key(one, second))).stream()
                .sorted(Comparator.comparingLong(Used::all))
                .toList();
        return sorted.get(sorted.size() / 2);
    }

    // ---- classes and methods ----

    private boolean counted() throws IOException {
        Table table = new Table(
                "after 10 s",
                "classes",
                "before the monitor",
                "of them generated",
                "methods of the first compiler",
                "of the second");
        List<Case> cases = List.of(CASES.get(0), CASES.get(1), CASES.get(3), CASES.get(5));
        List<Counted> counts = count(cases);
        for (int i = 0; i < cases.size(); i++) {
            counts.get(i).addTo(table, cases.get(i));
        }
        Counted last = counts.get(2);
        Counted sick = counts.get(3);
        System.out.println(table.markdown());
        System.out.println("Methods of the first compiler, with the monitor, by package: " + last.byPackage());
        boolean isWithin =
                last.classes <= MOST_CLASSES && last.first <= MOST_METHODS && sick.beforeMonitor <= MOST_OF_SICK;
        System.out.printf(
                "%s: at most %d classes and %d methods, and %d classes of a sick pool.%n",
                isWithin ? "Within the bounds" : "EXCEEDED", MOST_CLASSES, MOST_METHODS, MOST_OF_SICK);
        return isWithin;
    }

    /** All at once: what is counted depends on time less than CPU time does. */
    private List<Counted> count(List<Case> cases) throws IOException {
        Path logs = Files.createTempDirectory("start-cost");
        List<ChildJvm> jvms = new ArrayList<>();
        List<Counted> counts = new ArrayList<>();
        try {
            for (int i = 0; i < cases.size(); i++) {
                String file = logs.resolve(i + ".log").toString();
                String logging = "-Xlog:class+load,jit+compilation=debug:file=" + file + ":tags:filecount=0";
                jvms.add(start(cases.get(i), List.of(logging), List.of("10")));
            }
            for (int i = 0; i < cases.size(); i++) {
                output(cases.get(i), jvms.get(i));
                Counted counted = new Counted();
                try (Stream<String> lines = Files.lines(logs.resolve(i + ".log"))) {
                    lines.forEach(counted::read);
                }
                counts.add(counted);
            }
        } finally {
            jvms.forEach(ChildJvm::close);
            for (int i = 0; i < cases.size(); i++) {
                Files.deleteIfExists(logs.resolve(i + ".log"));
            }
            Files.delete(logs);
        }
        return counts;
    }

    private static final class Counted {
        private int classes;
        private int beforeMonitor;
        private boolean hasMonitor;
        private int generated;
        private int first;
        private int second;
        private final Map<String, Integer> packages = new TreeMap<>();

        void read(String line) {
            String text = line.substring(line.indexOf(']') + 1);
            if (line.startsWith("[class,load")) {
                classes++;
                hasMonitor |= text.contains(MONITOR);
                beforeMonitor += hasMonitor ? 0 : 1;
                generated += text.contains("0x") ? 1 : 0;
                return;
            }
            Matcher compiled = COMPILED.matcher(text);
            if (text.contains("made not entrant")) {
                return;
            }
            if (compiled.matches() && compiled.group(2).equals("4")) {
                second++;
            } else if (compiled.matches()) {
                first++;
                String type = compiled.group(3);
                packages.merge(type.substring(0, Math.max(0, type.lastIndexOf('.'))), 1, Integer::sum);
            }
        }

        void addTo(Table table, Case one) {
            table.row(
                    one.pool() + ", " + one.mode(),
                    Integer.toString(classes),
                    Integer.toString(beforeMonitor),
                    Integer.toString(generated),
                    Integer.toString(first),
                    Integer.toString(second));
        }

        String byPackage() {
            return packages.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                    .limit(12)
                    .map(entry -> entry.getKey() + " " + entry.getValue())
                    .reduce((a, b) -> a + ", " + b)
                    .orElse("none");
        }
    }
}
