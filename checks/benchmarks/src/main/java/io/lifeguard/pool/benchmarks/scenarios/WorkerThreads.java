package io.lifeguard.pool.benchmarks.scenarios;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The threads of a pool, as the operating system knows them. Immutable. */
final class WorkerThreads {
    private static final Path SELF = Path.of("/proc/thread-self");
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final long SETTLE_NANOS = 50_000_000;

    private final List<Path> schedstats;

    private WorkerThreads(List<Path> schedstats) {
        this.schedstats = schedstats;
    }

    /** Whether this operating system tells the CPU time of threads. */
    static boolean areVisible() {
        return Files.isReadable(TASKS) && Files.isReadable(Path.of("/proc/self/schedstat"));
    }

    /** Finds each worker exactly once, by giving every worker a task that waits for the others. */
    static WorkerThreads find(Executor pool, int workers) {
        Queue<Path> found = new ConcurrentLinkedQueue<>();
        CountDownLatch all = new CountDownLatch(workers);
        for (int i = 0; i < workers; i++) {
            pool.execute(() -> {
                found.add(ownSchedstat());
                all.countDown();
                await(all);
            });
        }
        await(all);
        return new WorkerThreads(List.copyOf(found));
    }

    /**
     * CPU time of all workers so far, in nanoseconds. Waits until they sleep, because the kernel updates the figure of
     * a running thread only at a switch or a timer tick.
     */
    long cpuNanosAtRest() {
        LockSupport.parkNanos(SETTLE_NANOS);
        long sum = 0;
        for (Path schedstat : schedstats) {
            try {
                String line = Files.readString(schedstat);
                sum += Long.parseLong(line.substring(0, line.indexOf(' ')));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read the CPU time of a worker", e);
            }
        }
        return sum;
    }

    private static Path ownSchedstat() {
        try {
            return TASKS.resolve(Files.readSymbolicLink(SELF).getFileName()).resolve("schedstat");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot find this thread in " + TASKS, e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("not all workers have come to work within 10 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the workers were looked for", e);
        }
    }
}
