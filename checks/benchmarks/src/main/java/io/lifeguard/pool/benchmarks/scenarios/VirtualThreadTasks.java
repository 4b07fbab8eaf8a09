package io.lifeguard.pool.benchmarks.scenarios;

import com.sun.management.OperatingSystemMXBean;
import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedVirtualThreadExecutor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * What an empty task costs on executors of virtual threads: the JDK's, Lifeguard's without a limit, and Lifeguard's
 * with a limit of 100. Needs Java 21:
 *
 * <pre>{@code
 * java -cp checks/benchmarks/target/benchmarks.jar io.lifeguard.pool.benchmarks.scenarios.VirtualThreadTasks
 * }</pre>
 *
 * <p>All three take turns in one JVM, in another order in each round, so that what other processes take from one they
 * take from all. Prints medians over the rounds: wall time and CPU time of the process, and bytes that all its threads
 * allocated, each divided by the number of tasks. Also prints how long one CPU waits for a line of the cache that
 * another CPU has written: what a task costs depends on it, because submitter and carriers are on different CPUs. The
 * argument may be the number of rounds.
 */
public final class VirtualThreadTasks {

    /** The CPU time of a process is known in steps of 10 ms, which are 10 ns per task. */
    private static final int TASKS = 1_000_000;

    /** So many are submitted before the submitter waits for all of them. */
    private static final int BATCH = 2_000;

    private static final int ROUNDS = 15;

    private static final int HAND_OVERS = 1_000_000;

    /** Until the compilers are done with the ways of all three. */
    private static final int WARM_UP_ROUNDS = 2;

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private VirtualThreadTasks() {}

    /** An executor, and what its tasks cost in each round. */
    private record Candidate(
            String name, ExecutorService executor, List<Double> wall, List<Double> cpu, List<Double> bytes) {

        static Candidate of(String name, ExecutorService executor) {
            return new Candidate(name, executor, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    public static void main(String[] arguments) throws Throwable {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : ROUNDS;
        MethodHandle perTask = MethodHandles.publicLookup()
                .findStatic(
                        Executors.class,
                        "newVirtualThreadPerTaskExecutor",
                        MethodType.methodType(ExecutorService.class));
        List<Candidate> all = new ArrayList<>(List.of(
                Candidate.of("JDK, a thread per task", (ExecutorService) perTask.invoke()),
                Candidate.of(
                        "Lifeguard, a thread per task",
                        InstrumentedExecutors.newVirtualThreadPerTaskExecutor("per-task")),
                Candidate.of(
                        "Lifeguard, limit 100",
                        InstrumentedVirtualThreadExecutor.named("limited")
                                .limit(100)
                                .build())));
        List<Candidate> inOrder = List.copyOf(all);
        double handOverBefore = handOverNanos();
        for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
            Collections.rotate(all, 1);
            for (Candidate each : all) {
                run(each, round >= 0);
            }
        }
        double handOverAfter = handOverNanos();
        System.out.printf(
                "Java %s, %d rounds of %,d tasks; a line of the cache goes from CPU to CPU in %.0f to %.0f ns%n",
                Runtime.version().feature(),
                rounds,
                TASKS,
                Math.min(handOverBefore, handOverAfter),
                Math.max(handOverBefore, handOverAfter));
        Candidate plain = inOrder.get(0);
        for (Candidate each : inOrder) {
            System.out.printf(
                    "%-30s %4.0f ns, %4.0f ns of CPU, %4.0f bytes; beside the JDK's %+4.0f, %+4.0f, %+4.0f%n",
                    each.name(),
                    median(each.wall()),
                    median(each.cpu()),
                    median(each.bytes()),
                    difference(each.wall(), plain.wall()),
                    difference(each.cpu(), plain.cpu()),
                    difference(each.bytes(), plain.bytes()));
            each.executor().shutdown();
        }
    }

    /** Two threads tell each other in turns that it is the other's turn. */
    private static double handOverNanos() throws InterruptedException {
        AtomicInteger turn = new AtomicInteger();
        Thread other = new Thread(() -> takeTurns(turn, 1), "hand-over");
        other.start();
        long begin = System.nanoTime();
        takeTurns(turn, 0);
        double nanos = (double) (System.nanoTime() - begin) / HAND_OVERS;
        other.join();
        return nanos;
    }

    private static void takeTurns(AtomicInteger turn, int first) {
        for (int mine = first; mine < HAND_OVERS; mine += 2) {
            while (turn.get() != mine) {
                Thread.onSpinWait();
            }
            turn.set(mine + 1);
        }
    }

    private static void run(Candidate candidate, boolean counts) throws Throwable {
        long allocated = allocated();
        long cpu = SYSTEM.getProcessCpuTime();
        long begin = System.nanoTime();
        for (int done = 0; done < TASKS; done += BATCH) {
            Countdown countdown = new Countdown(BATCH, Thread.currentThread());
            for (int i = 0; i < BATCH; i++) {
                candidate.executor().execute(countdown);
            }
            countdown.await();
        }
        double wall = System.nanoTime() - begin;
        if (counts) {
            candidate.wall().add(wall / TASKS);
            candidate.cpu().add((double) (SYSTEM.getProcessCpuTime() - cpu) / TASKS);
            candidate.bytes().add((double) (allocated() - allocated) / TASKS);
        }
    }

    /** Bytes that all threads have allocated, ended ones and carriers included; from Java 21 on. */
    private static long allocated() throws Throwable {
        return (long) Allocated.TOTAL.invokeExact();
    }

    private static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** The median of the differences within a round. */
    private static double difference(List<Double> values, List<Double> plain) {
        double[] differences = new double[values.size()];
        Arrays.setAll(differences, round -> values.get(round) - plain.get(round));
        Arrays.sort(differences);
        return differences[differences.length / 2];
    }

    /** One object for all tasks of a batch, so that a task allocates nothing itself. */
    private static final class Countdown implements Runnable {
        private final AtomicInteger left;
        private final Thread waiter;

        Countdown(int tasks, Thread waiter) {
            this.left = new AtomicInteger(tasks);
            this.waiter = waiter;
        }

        @Override
        public void run() {
            if (left.decrementAndGet() == 0) {
                LockSupport.unpark(waiter);
            }
        }

        void await() {
            while (left.get() > 0) {
                LockSupport.park(this);
            }
        }
    }

    private static final class Allocated {
        static final MethodHandle TOTAL;

        static {
            try {
                TOTAL = MethodHandles.publicLookup()
                        .findVirtual(
                                com.sun.management.ThreadMXBean.class,
                                "getTotalThreadAllocatedBytes",
                                MethodType.methodType(long.class))
                        .bindTo(ManagementFactory.getThreadMXBean());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("needs Java 21 or newer", e);
            }
        }

        private Allocated() {}
    }
}
