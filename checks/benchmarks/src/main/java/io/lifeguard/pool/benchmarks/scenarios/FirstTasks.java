package io.lifeguard.pool.benchmarks.scenarios;

import com.sun.management.OperatingSystemMXBean;
import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.RivalPool;
import io.lifeguard.pool.benchmarks.rivals.Rivals;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * How much CPU time the first tasks of a JVM cost, with all that it compiles and loads meanwhile. CPU time hardly
 * depends on what other processes do, so this can be measured on a busy machine:
 *
 * <pre>{@code
 * taskset -c 1 java -Xms1g -Xmx1g -cp checks/benchmarks/target/benchmarks.jar \
 *     io.lifeguard.pool.benchmarks.scenarios.FirstTasks lifeguard unbounded 700
 * }</pre>
 *
 * <p>The arguments are a rival, {@code bounded} or {@code unbounded}, and the steps of a task: about 700 take 1 µs. The
 * last argument may be the number of tasks.
 */
public final class FirstTasks {
    private static final int WORKERS = 2;
    private static final int CAPACITY = 1_024;
    private static final long FIRST = 65_536;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private FirstTasks() {}

    public static void main(String[] arguments) throws IOException {
        Rival rival = Rivals.named(arguments[0]).orElseThrow();
        int capacity = arguments[1].equals("bounded") ? CAPACITY : Rival.UNBOUNDED;
        int steps = Integer.parseInt(arguments[2]);
        long all = arguments.length > 3 ? Long.parseLong(arguments[3]) : 16 * FIRST;
        StringBuilder line = new StringBuilder(arguments[0]);
        try (RivalPool pool = rival.start(WORKERS, capacity)) {
            Supplier<Runnable> tasks = () -> new Task(steps);
            Producer producer = new Producer(pool.executor(), tasks, capacity);
            long before = SYSTEM.getProcessCpuTime();
            long done = 0;
            for (long tasksUntil = FIRST; done < all; tasksUntil *= 2) {
                done += producer.run(Long.MAX_VALUE, tasksUntil - done).tasks();
                double millis = (SYSTEM.getProcessCpuTime() - before) / NANOS_PER_MILLI;
                line.append("; %,d tasks: %.0f ms".formatted(done, millis));
            }
            byKindOfThread()
                    .forEach((kind, nanos) -> line.append("; %s %.0f".formatted(kind, nanos / NANOS_PER_MILLI)));
        }
        System.out.println(line);
        System.exit(0);
    }

    /** The CPU time of the threads that live, by the beginnings of their names. */
    private static Map<String, Long> byKindOfThread() throws IOException {
        Map<String, Long> kinds = new TreeMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                String name = Files.readString(thread.resolve("comm")).trim();
                String nanos = Files.readString(thread.resolve("schedstat")).split(" ", 2)[0];
                kinds.merge(kind(name), Long.parseLong(nanos), Long::sum);
            }
        }
        return kinds;
    }

    private static String kind(String name) {
        for (String known : new String[] {"C1", "C2", "lifeguard", "java"}) {
            if (name.startsWith(known)) {
                return known;
            }
        }
        return name.contains("-thread-") || name.startsWith("benchmark") ? "workers" : "others";
    }

    private static final class Task implements Runnable {
        private final int steps;

        Task(int steps) {
            this.steps = steps;
        }

        @Override
        public void run() {
            Spin.spin(steps);
        }
    }
}
