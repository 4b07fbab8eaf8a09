package io.lifeguard.pool.benchmarks.monitor;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Measures which share of one core the monitor's thread burns, and the JVM's own thread that walks stacks for it. There
 * are 20 pools of 50 threads that work a little, and windows of a second. It measures once while no rule suspects
 * anything, and once while a rule suspects everything. Prints a line for each, and fails when a budget is exceeded.
 *
 * <p>Arguments: pools, threads per pool and seconds per scenario, 20, 50 and 60 by default.
 */
public final class MonitorCost {

    private static final double QUIET_BUDGET = 0.005;
    private static final double INVESTIGATION_BUDGET = 0.02;
    private static final int WARM_UP_SECONDS = 20;
    private static final long TASK_NANOS = 20_000;
    private static final long PAUSE_MILLIS = 5;

    private final int poolCount;
    private final int threads;
    private final int seconds;

    private MonitorCost(int poolCount, int threads, int seconds) {
        this.poolCount = poolCount;
        this.threads = threads;
        this.seconds = seconds;
    }

    /** Measures, and exits with status 1 when a budget is exceeded. */
    public static void main(String[] arguments) throws InterruptedException {
        System.setProperty(PoolMonitor.PROPERTY, "off"); // only the monitor of this measurement
        MonitorCost cost =
                new MonitorCost(argument(arguments, 0, 20), argument(arguments, 1, 50), argument(arguments, 2, 60));
        boolean quiet = cost.measure("nothing suspected", EnumSet.noneOf(Evidence.class), QUIET_BUDGET);
        boolean investigating = cost.measure("all suspected", EnumSet.allOf(Evidence.class), INVESTIGATION_BUDGET);
        System.exit(quiet && investigating ? 0 : 1);
    }

    private static int argument(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    private boolean measure(String scenario, Set<Evidence> needs, double budget) throws InterruptedException {
        List<InstrumentedThreadPoolExecutor> pools = new ArrayList<>();
        for (int i = 0; i < poolCount; i++) {
            pools.add(InstrumentedThreadPoolExecutor.named("pool-" + i)
                    .size(threads)
                    .build());
        }
        pools.forEach(InstrumentedThreadPoolExecutor::prestartAllCoreThreads);
        PoolMonitor.Builder builder = PoolMonitor.builder();
        if (!needs.isEmpty()) { // a pool does not rest beside a rule of a user
            builder.rule(new Curious(needs));
        }
        try (PoolMonitor monitor = builder.build()) {
            work(pools, WARM_UP_SECONDS);
            long id = monitorThread();
            long cpu = threadBean().getThreadCpuTime(id);
            long walking = vmThreadNanos();
            long begin = System.nanoTime();
            work(pools, seconds);
            double length = System.nanoTime() - begin;
            double own = (threadBean().getThreadCpuTime(id) - cpu) / length;
            double vm = (vmThreadNanos() - walking) / length;
            double share = own + vm;
            long known = pools.stream()
                    .flatMap(pool -> monitor.windows(pool.name()).stream())
                    .filter(window -> window.workerTimes().isPresent())
                    .count();
            long stacks = pools.stream()
                    .flatMap(pool -> monitor.windows(pool.name()).stream())
                    .filter(window -> window.breakdown().stacks() > 0)
                    .count();
            System.out.printf(
                    Locale.ROOT,
                    "%-18s %d pools of %d threads: %.2f %% of one core, %.2f %% of them in the VM's thread"
                            + " (budget %.1f %%), times in"
                            + " %d windows, stacks in %d%n",
                    scenario,
                    poolCount,
                    threads,
                    share * 100,
                    vm * 100,
                    budget * 100,
                    known,
                    stacks);
            return share <= budget;
        } finally {
            for (InstrumentedThreadPoolExecutor pool : pools) {
                pool.shutdown();
                pool.awaitTermination(10, TimeUnit.SECONDS);
            }
        }
    }

    /** Submits some tasks to every pool, all the time. */
    private static void work(List<InstrumentedThreadPoolExecutor> pools, int seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (int i = 0; System.nanoTime() - end < 0; i++) {
            pools.get(i % pools.size()).execute(MonitorCost::spin);
            if (i % pools.size() == 0) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }
    }

    private static void spin() {
        long end = System.nanoTime() + TASK_NANOS;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    /** CPU time of the JVM's thread that walks stacks and does little else; 0 where there is no {@code /proc}. */
    private static long vmThreadNanos() {
        Path tasks = Path.of("/proc/self/task");
        try (Stream<Path> all = Files.list(tasks)) {
            for (Path task : all.toList()) {
                if (Files.readString(task.resolve("comm")).strip().equals("VM Thread")) {
                    String schedstat = Files.readString(task.resolve("schedstat"));
                    return Long.parseLong(schedstat.substring(0, schedstat.indexOf(' ')));
                }
            }
        } catch (IOException | RuntimeException notLinux) {
            return 0;
        }
        return 0;
    }

    private static long monitorThread() {
        for (long id : threadBean().getAllThreadIds()) {
            var info = threadBean().getThreadInfo(id);
            if (info != null && info.getThreadName().equals("lifeguard-monitor")) {
                return id;
            }
        }
        throw new IllegalStateException("no monitor");
    }

    private static ThreadMXBean threadBean() {
        return ManagementFactory.getThreadMXBean();
    }

    /** A rule that finds nothing and asks for all evidence. */
    private record Curious(Set<Evidence> needs) implements Rule {
        @Override
        public Verdict examine(PoolWindow window) {
            return Verdict.clear();
        }

        @Override
        public Set<Evidence> needs(PoolWindow window) {
            return needs;
        }
    }
}
