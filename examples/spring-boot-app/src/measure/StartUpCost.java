import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What Lifeguard costs an application at its start: the same application is started with Lifeguard's jars on its class
 * path and without them, in turns. The median of the differences between neighbours is quoted, with the interval that
 * holds it with 95 % certainty.
 *
 * <pre>
 * java src/measure/StartUpCost.java target/spring-boot-app.jar [ROUNDS [ARGUMENTS OF THE JVM...]]
 * </pre>
 *
 * Time is the JVM's, from its start until Spring Boot says that the application has started. CPU is the process's until
 * then, and so is the number of loaded classes, which hardly varies. Heap and metaspace are what is used after a full
 * collection (serial collector), resident is what the system counts then.
 */
public final class StartUpCost {

    private static final Pattern STARTED = Pattern.compile("Started \\w+ in \\S+ seconds \\(process running for (\\S+)\\)");
    private static final Pattern USED = Pattern.compile("(generation|Metaspace).* used (\\d+)K");
    private static final int TICKS = 100; // USER_HZ

    private StartUpCost() {}

    public static void main(String[] arguments) throws Exception {
        Path jar = Path.of(arguments[0]).toAbsolutePath();
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
        List<String> jvm = Arrays.asList(arguments).subList(Math.min(2, arguments.length), arguments.length);
        Path directory = Files.createTempDirectory("start-up-cost");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
        run(directory, java("jar"), "xf", jar.toString(), "BOOT-INF");
        List<String> with = classPath(directory.resolve("BOOT-INF"), "");
        List<String> without = classPath(directory.resolve("BOOT-INF"), "pool-");
        List<Start> ours = new ArrayList<>();
        List<Start> theirs = new ArrayList<>();
        start(directory, with, jvm); // brings all files into memory
        start(directory, without, jvm);
        for (int round = 0; round < rounds; round++) {
            boolean oursFirst = round % 2 == 0;
            (oursFirst ? ours : theirs).add(start(directory, oursFirst ? with : without, jvm));
            (oursFirst ? theirs : ours).add(start(directory, oursFirst ? without : with, jvm));
        }
        System.out.printf(
                "Java %s, %d starts each, in turns; median (quartiles), and the median difference (95 %% interval)%n%n"
                        + "| | without | with Lifeguard | difference |%n|---|---:|---:|---:|%n",
                System.getProperty("java.version"), rounds);
        print("start, ms", theirs, ours, 0);
        print("CPU until started, ms", theirs, ours, 1);
        print("classes loaded until started", theirs, ours, 2);
        print("heap after a collection, MB", theirs, ours, 3);
        print("metaspace, MB", theirs, ours, 4);
        print("resident, MB", theirs, ours, 5);
    }

    private static Start start(Path directory, List<String> classPath, List<String> jvm) throws Exception {
        Path classes = directory.resolve("classes.log");
        List<String> command = new ArrayList<>(List.of(
                java("java"),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-Xlog:class+load:file=" + classes + ":uptime:filecount=0",
                "-Djava.io.tmpdir=" + directory));
        command.addAll(jvm);
        command.addAll(List.of(
                "-cp",
                String.join(":", classPath),
                "io.lifeguard.examples.orders.OrdersApplication",
                "--server.port=0",
                "--spring.main.banner-mode=off"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var lines = process.inputReader()) {
            StringBuilder log = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                log.append(line).append('\n');
                Matcher started = STARTED.matcher(line);
                if (started.find()) {
                    return Start.of(process.pid(), Double.parseDouble(started.group(1)), classes);
                }
            }
            throw new IllegalStateException("it did not start:\n" + log);
        } finally {
            process.destroy(); // so that it takes its files with it
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
        }
    }

    private static List<String> classPath(Path app, String notWith) throws IOException {
        try (Stream<Path> files = Files.list(app.resolve("lib"))) {
            List<String> entries = new ArrayList<>(List.of(app.resolve("classes").toString()));
            files.filter(file -> notWith.isEmpty() || !file.getFileName().toString().startsWith(notWith))
                    .sorted()
                    .forEach(file -> entries.add(file.toString()));
            return entries;
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            System.err.println("left behind: " + directory);
        }
    }

    private static String run(Path directory, String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes());
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ":\n" + output);
        }
        return output;
    }

    private static String java(String tool) {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    private static void print(String what, List<Start> theirs, List<Start> ours, int figure) {
        double[] without = sorted(theirs, figure);
        double[] with = sorted(ours, figure);
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %s |%n",
                what,
                text(without),
                text(with),
                difference(theirs, ours, figure));
    }

    /** The median of the paired differences. Its interval is that of the sign test: n/2 ± 0.98 √n values. */
    private static String difference(List<Start> theirs, List<Start> ours, int figure) {
        double[] sorted = new double[ours.size()];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = ours.get(i).figures[figure] - theirs.get(i).figures[figure];
        }
        Arrays.sort(sorted);
        double aside = 0.98 * Math.sqrt(sorted.length);
        int low = (int) Math.max(0, Math.floor(sorted.length / 2.0 - aside));
        int high = sorted.length - 1 - low;
        return String.format(Locale.ROOT, "%+.1f (%+.1f to %+.1f)", at(sorted, 0.5), sorted[low], sorted[high]);
    }

    private static double[] sorted(List<Start> starts, int figure) {
        return starts.stream().mapToDouble(start -> start.figures[figure]).sorted().toArray();
    }

    private static String text(double[] sorted) {
        return String.format(Locale.ROOT, "%.1f (%.1f–%.1f)", at(sorted, 0.5), at(sorted, 0.25), at(sorted, 0.75));
    }

    private static double at(double[] sorted, double share) {
        double position = share * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    /** One start: milliseconds, milliseconds of CPU, classes, and megabytes of heap, metaspace and resident memory. */
    private record Start(double... figures) {

        static Start of(long pid, double seconds, Path classes) throws Exception {
            double cpu = cpuMillis(pid);
            double loaded = loaded(classes, seconds);
            Path here = Path.of(".");
            run(here, java("jcmd"), Long.toString(pid), "GC.run");
            run(here, java("jcmd"), Long.toString(pid), "GC.run");
            String info = run(here, java("jcmd"), Long.toString(pid), "GC.heap_info");
            double heap = 0;
            double metaspace = 0;
            for (Matcher used = USED.matcher(info); used.find(); ) {
                double megabytes = Double.parseDouble(used.group(2)) / 1024;
                if (used.group(1).equals("Metaspace")) {
                    metaspace += megabytes;
                } else {
                    heap += megabytes;
                }
            }
            return new Start(seconds * 1e3, cpu, loaded, heap, metaspace, residentMegabytes(pid));
        }

        /** Each line begins with the JVM's age: {@code [1.234s] java.lang.Object source: ...}. */
        private static double loaded(Path classes, double seconds) throws IOException {
            try (Stream<String> lines = Files.lines(classes)) {
                return lines.filter(line -> line.startsWith("[") && line.contains(" source: "))
                        .mapToDouble(line -> Double.parseDouble(line.substring(1, line.indexOf('s'))))
                        .filter(age -> age <= seconds)
                        .count();
            }
        }

        private static double cpuMillis(long pid) throws IOException {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 1e3 / TICKS;
        }

        private static double residentMegabytes(long pid) throws IOException {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
                if (line.startsWith("VmRSS:")) {
                    return Double.parseDouble(line.replaceAll("\\D", "")) / 1024;
                }
            }
            return Double.NaN;
        }
    }
}
