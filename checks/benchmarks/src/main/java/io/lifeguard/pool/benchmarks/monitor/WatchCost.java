package io.lifeguard.pool.benchmarks.monitor;

import com.sun.management.OperatingSystemMXBean;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Table;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures what it costs to have Lifeguard where there is nothing to see: pools that idle or work a little, the first
 * pool of a JVM, and pools that are made and dropped. Each figure comes from a JVM of its own, and those of one row
 * from JVMs that run at the same time. Prints Markdown tables.
 *
 * <p>Arguments, each of which leaves out the others: {@code idle}, {@code light}, {@code first}, {@code drop}.
 */
public final class WatchCost {

    private static final int FIRST_SECONDS = 26;
    private static final int SLICES = 10;
    private static final int SLICE_SECONDS = 2;
    private static final int STARTS = 11;
    private static final int MADE = 300; // pools of one kind before it is the other kind's turn
    private static final int TURNS = 31;

    // written by the measuring thread and never read: without it the compiler would not make the dropped plain pools
    @SuppressWarnings("unused")
    private static volatile @Nullable ThreadPoolExecutor latest;

    private enum Kind {
        PLAIN,
        MONITOR_OFF,
        LIFEGUARD
    }

    private WatchCost() {}

    /** Measures all, or what the arguments name. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("child")) {
            ChildJvm.workAndHalt(() -> child(arguments));
            return;
        }
        List<String> wanted = arguments.length == 0 ? List.of("idle", "light", "first", "drop") : List.of(arguments);
        if (wanted.contains("idle")) {
            loads(List.of(new Load(1, 50, 0), new Load(20, 50, 0), new Load(200, 10, 0)));
        }
        if (wanted.contains("light")) {
            loads(List.of(new Load(1, 50, 50)));
            loads(List.of(new Load(20, 50, 50)));
            loads(List.of(new Load(200, 10, 5)));
        }
        if (wanted.contains("first")) {
            firstPool();
        }
        if (wanted.contains("drop")) {
            made();
        }
    }

    // ---- the measuring JVM ----

    private record Load(int pools, int workers, int tasksPerSecond) {
        @Override
        public String toString() {
            return pools + " × " + workers + (tasksPerSecond == 0 ? ", idle" : ", " + tasksPerSecond + " tasks/s each");
        }
    }

    private static void loads(List<Load> loads) throws IOException {
        Table table = new Table(
                "pools × workers",
                "",
                "first " + FIRST_SECONDS + " s, ms",
                "% of a core",
                "later, % of a core",
                "metaspace, MB");
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (Load load : loads) {
                for (Kind kind : Kind.values()) {
                    children.add(start(
                            kind,
                            "load",
                            String.valueOf(load.pools),
                            String.valueOf(load.workers),
                            String.valueOf(load.tasksPerSecond)));
                }
            }
            int next = 0;
            for (Load load : loads) {
                for (Kind kind : Kind.values()) {
                    double[] figures = figures(children.get(next++));
                    table.row(
                            load.toString(),
                            name(kind),
                            round(figures[0], 0),
                            round(figures[0] / FIRST_SECONDS / 10, 2),
                            quartiles(Arrays.copyOfRange(figures, 2, figures.length), 2),
                            round(figures[1], 1));
                }
            }
        } finally {
            children.forEach(ChildJvm::close);
        }
        System.out.println(table.markdown());
    }

    private static void firstPool() throws IOException {
        Map<Kind, List<double[]>> all = new EnumMap<>(Kind.class);
        for (int i = 0; i < STARTS; i++) {
            for (Kind kind : Kind.values()) {
                try (ChildJvm child = start(kind, "first")) {
                    all.computeIfAbsent(kind, key -> new ArrayList<>()).add(figures(child));
                }
            }
        }
        Table table = new Table(
                "first pool and first task", "time, ms", "CPU of its thread, ms", "classes", "CPU 1 s later, ms");
        all.forEach((kind, starts) -> table.row(
                name(kind),
                quartiles(column(starts, 0), 1),
                quartiles(column(starts, 1), 1),
                quartiles(column(starts, 2), 0),
                quartiles(column(starts, 3), 0)));
        System.out.println(table.markdown());
    }

    private static void made() throws IOException {
        Table table = new Table("", "dropped, µs", "used once and ended, µs");
        for (Kind kind : new Kind[] {Kind.MONITOR_OFF, Kind.LIFEGUARD}) {
            double[] dropped = made(kind, "drop");
            double[] used = made(kind, "use");
            if (kind == Kind.MONITOR_OFF) {
                table.row(name(Kind.PLAIN), part(dropped, 0), part(used, 0));
            }
            table.row(name(kind), part(dropped, 1), part(used, 1));
        }
        System.out.println(table.markdown());
    }

    /** Dropped pools have a JVM of their own: until they are collected, the monitor watches thousands of them. */
    private static double[] made(Kind kind, String work) throws IOException {
        try (ChildJvm child = start(kind, work)) {
            return figures(child);
        }
    }

    private static String part(double[] figures, int part) {
        return quartiles(Arrays.copyOfRange(figures, part * TURNS, (part + 1) * TURNS), 1);
    }

    private static ChildJvm start(Kind kind, String... work) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("child", kind.name()));
        arguments.addAll(List.of(work));
        String monitor = "-D" + PoolMonitor.PROPERTY + "=" + (kind == Kind.MONITOR_OFF ? "off" : "on");
        return ChildJvm.start(
                List.of(ChildJvm.java()), List.of("-Xmx512m", "-Xss256k", monitor), WatchCost.class, arguments);
    }

    private static double[] figures(ChildJvm child) throws IOException {
        int status = child.await(Duration.ofMinutes(3));
        List<String> output = child.output();
        if (status != 0) {
            throw new IOException("a measuring JVM failed: " + output);
        }
        return Arrays.stream(output.get(output.size() - 1).split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static double[] column(List<double[]> rows, int column) {
        return rows.stream().mapToDouble(row -> row[column]).toArray();
    }

    private static String quartiles(double[] values, int digits) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length - 1;
        return round(sorted[Math.round(n / 2f)], digits) + " (" + round(sorted[Math.round(n / 4f)], digits) + "–"
                + round(sorted[Math.round(3 * n / 4f)], digits) + ")";
    }

    private static String round(double value, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }

    private static String name(Kind kind) {
        return switch (kind) {
            case PLAIN -> "plain";
            case MONITOR_OFF -> "Lifeguard without its monitor";
            case LIFEGUARD -> "Lifeguard";
        };
    }

    // ---- the measured JVMs ----

    private static void child(String[] arguments) throws Exception {
        boolean isPlain = Kind.valueOf(arguments[1]) == Kind.PLAIN;
        switch (arguments[2]) {
            case "load" ->
                load(
                        isPlain,
                        Integer.parseInt(arguments[3]),
                        Integer.parseInt(arguments[4]),
                        Integer.parseInt(arguments[5]));
            case "first" -> first(isPlain);
            case "drop" -> make(false);
            case "use" -> make(true);
            default -> throw new IllegalArgumentException(arguments[2]);
        }
    }

    private static ThreadPoolExecutor pool(boolean isPlain, int workers) {
        return pool(isPlain, "pool", workers);
    }

    private static ThreadPoolExecutor pool(boolean isPlain, String name, int workers) {
        return isPlain
                ? new ThreadPoolExecutor(workers, workers, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>())
                : InstrumentedThreadPoolExecutor.named(name).size(workers).build();
    }

    private static void load(boolean isPlain, int pools, int workers, int tasksPerSecond) throws InterruptedException {
        OperatingSystemMXBean system = system();
        long before = system.getProcessCpuTime();
        long begin = System.nanoTime();
        List<ThreadPoolExecutor> all = new ArrayList<>();
        for (int i = 0; i < pools; i++) {
            String name = "" + (char) ('a' + i / 26) + (char) ('a' + i % 26); // pools of one name would count as leaked
            ThreadPoolExecutor pool = pool(isPlain, name, workers);
            pool.prestartAllCoreThreads();
            all.add(pool);
        }
        StringBuilder figures = new StringBuilder();
        work(all, tasksPerSecond, begin + TimeUnit.SECONDS.toNanos(FIRST_SECONDS));
        double first = (system.getProcessCpuTime() - before) / 1e6;
        for (int i = 0; i < SLICES; i++) {
            long cpu = system.getProcessCpuTime();
            long start = System.nanoTime();
            work(all, tasksPerSecond, start + TimeUnit.SECONDS.toNanos(SLICE_SECONDS));
            double share = 100.0 * (system.getProcessCpuTime() - cpu) / (System.nanoTime() - start);
            figures.append(' ').append(share);
        }
        System.out.println(first + " " + metaspace() + figures);
    }

    /** Gives each pool so many empty tasks a second, in bursts of all pools 20 ms apart, or each second at least. */
    private static void work(List<ThreadPoolExecutor> pools, int perSecond, long end) throws InterruptedException {
        if (perSecond == 0) {
            TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
            return;
        }
        long period = TimeUnit.SECONDS.toNanos(1) / perSecond;
        for (long due = System.nanoTime(); due - end < 0; due += period) {
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            for (ThreadPoolExecutor pool : pools) {
                pool.execute(() -> {});
            }
        }
    }

    private static void first(boolean isPlain) throws Exception {
        OperatingSystemMXBean system = system();
        Runnable task = () -> {};
        long cpu = system.getProcessCpuTime();
        var threads = ManagementFactory.getThreadMXBean();
        var classes = ManagementFactory.getClassLoadingMXBean();
        long loaded = classes.getTotalLoadedClassCount();
        long own = threads.getCurrentThreadCpuTime();
        long begin = System.nanoTime();
        pool(isPlain, 4).submit(task).get();
        double millis = (System.nanoTime() - begin) / 1e6;
        double ownMillis = (threads.getCurrentThreadCpuTime() - own) / 1e6;
        loaded = classes.getTotalLoadedClassCount() - loaded;
        TimeUnit.SECONDS.sleep(1);
        double later = (system.getProcessCpuTime() - cpu) / 1e6;
        System.out.println(millis + " " + ownMillis + " " + loaded + " " + later);
    }

    /** Makes plain pools and Lifeguard's in turns, which are dropped without a task, or run one and end. */
    private static void make(boolean isUsed) throws Exception {
        double[][] micros = new double[2][TURNS];
        for (int turn = -TURNS; turn < TURNS; turn++) { // the first half compiles
            for (int part = 0; part < micros.length; part++) {
                micros[part][Math.max(0, turn)] = micros(part == 0, isUsed);
            }
        }
        StringBuilder line = new StringBuilder();
        for (double[] part : micros) {
            for (double each : part) {
                line.append(line.isEmpty() ? "" : " ").append(each);
            }
        }
        System.out.println(line);
    }

    private static double micros(boolean isPlain, boolean isUsed) throws Exception {
        int count = isUsed ? MADE / 10 : MADE;
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            ThreadPoolExecutor pool = pool(isPlain, 4);
            latest = pool;
            if (isUsed) {
                pool.submit(() -> {}).get();
                pool.shutdown();
                pool.awaitTermination(1, TimeUnit.MINUTES);
            }
        }
        return (System.nanoTime() - begin) / 1e3 / count;
    }

    private static double metaspace() {
        for (MemoryPoolMXBean memory : ManagementFactory.getMemoryPoolMXBeans()) {
            if (memory.getName().equals("Metaspace")) {
                return memory.getUsage().getUsed() / 1e6;
            }
        }
        return 0;
    }

    private static OperatingSystemMXBean system() {
        return (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    }
}
