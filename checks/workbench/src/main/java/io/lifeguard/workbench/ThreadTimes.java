package io.lifeguard.workbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which share of one core the threads of this JVM use, the compilers' and collectors' too. Needs Linux. */
public final class ThreadTimes {

    private static final Path TASKS = Path.of("/proc/self/task");

    /** Threads that use less are left out of a text. */
    private static final double LEAST_PERCENT = 0.005;

    private final Map<String, Double> percent;

    private ThreadTimes(Map<String, Double> percent) {
        this.percent = percent;
    }

    /** Measures for so many seconds. Threads whose names differ in numbers only are counted together. */
    public static ThreadTimes of(int seconds) throws IOException, InterruptedException {
        Map<String, Long> before = cpuByThread();
        long begin = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double length = System.nanoTime() - begin;
        Map<String, Double> percent = new TreeMap<>();
        cpuByThread()
                .forEach((name, nanos) -> percent.put(name, 100 * (nanos - before.getOrDefault(name, 0L)) / length));
        return new ThreadTimes(percent);
    }

    /** {@return the share of all threads together, in percent of one core} */
    public double all() {
        return percent.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** {@return each name with its share in percent, as "0.310 lifeguard-monit"} The system cuts names. */
    @Override
    public String toString() {
        return percent.entrySet().stream()
                .filter(thread -> thread.getValue() >= LEAST_PERCENT)
                .map(thread -> "%.3f %s".formatted(thread.getValue(), thread.getKey()))
                .collect(Collectors.joining("  "));
    }

    private static Map<String, Long> cpuByThread() throws IOException {
        Map<String, Long> times = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(TASKS)) {
            for (Path task : tasks.toList()) {
                try {
                    String name = Files.readString(task.resolve("comm")).strip().replaceAll("\\d+", "");
                    String nanosAndMore = Files.readString(task.resolve("schedstat"));
                    times.merge(name, Long.parseLong(nanosAndMore.substring(0, nanosAndMore.indexOf(' '))), Long::sum);
                } catch (NoSuchFileException e) {
                    // it has ended: what it used since is not known
                }
            }
        }
        return times;
    }
}
