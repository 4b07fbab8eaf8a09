package io.lifeguard.pool;

import io.lifeguard.pool.measure.EventTap;
import io.lifeguard.pool.queue.Faults;
import io.lifeguard.pool.recording.EventType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * Rounds in which workers and submitters of a pool get Errors, while the monitor runs and every task is recorded. After
 * each round the pool must come to rest: what was accepted has run once, and what was refused at most once. Then as
 * many workers as the pool may have must still be reachable, and no count may say that something goes on.
 *
 * <p>Loaded by the loader of {@link Faults}, and called through the JDK's interface. The argument is the seed, and the
 * result is the number of Errors that were thrown.
 */
public final class PoolFaultyRounds implements LongFunction<Long> {

    private static final int WORKERS = 2;
    private static final int SUBMITTERS = 2;
    private static final int TASKS = 6;
    private static final int FARTHEST_SITE = 160;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final AtomicLong errors = new AtomicLong();
    private final AtomicInteger threads = new AtomicInteger();
    private final long wanted;

    /** For the loader. */
    public PoolFaultyRounds() {
        this.wanted = Long.getLong("lifeguard.test.pool.faults", 9_000);
    }

    /** Counts how often it ran, and whether it was accepted for sure. The worker may get an Error after it. */
    private final class Task implements Runnable {
        final AtomicInteger runs = new AtomicInteger();
        final int faultAfter; // 0: none
        final int spins;
        final boolean fails;
        volatile boolean accepted;

        Task(SplittableRandom random) {
            faultAfter = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(FARTHEST_SITE);
            spins = random.nextInt(4) == 0 ? 20_000 : 0;
            fails = random.nextInt(16) == 0;
        }

        @Override
        public void run() {
            disarm();
            runs.incrementAndGet();
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
            if (faultAfter > 0) {
                Faults.arm(faultAfter);
            }
            if (fails) {
                throw new IllegalStateException("on purpose: this worker ends");
            }
        }
    }

    private void disarm() {
        if (Faults.disarm()) {
            errors.incrementAndGet();
        }
    }

    @Override
    public Long apply(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        try (Recording recording = new Recording()) {
            recording.enable(EventType.TASK.eventName()).withThreshold(Duration.ZERO);
            recording.start();
            InstrumentedThreadPoolExecutor pool = pool(random);
            try {
                pool.execute(() -> {});
                await("start of the recording, seed " + seed, EventTap::isTimed);
                for (int round = 0; errors.get() < wanted; round++) {
                    round(pool, random, "round " + round + ", seed " + seed);
                }
            } finally {
                pool.shutdownNow();
            }
            await("end of the pool, seed " + seed, pool::isTerminated);
            await("end of the workers, seed " + seed, () -> pool.workers().isEmpty());
        }
        return errors.get();
    }

    private InstrumentedThreadPoolExecutor pool(SplittableRandom random) {
        boolean ownQueue = random.nextInt(3) > 0;
        InstrumentedThreadPoolExecutor pool = ownQueue
                ? InstrumentedThreadPoolExecutor.named("faulty")
                        .size(WORKERS)
                        .queueCapacity(2)
                        .build()
                : new InstrumentedThreadPoolExecutor(
                        WORKERS,
                        WORKERS,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(2),
                        BlockingWaitPolicy.forever());
        SplittableRandom own = random.split();
        pool.setThreadFactory(body -> newThread(body, own));
        return pool;
    }

    /** Called by any thread that starts a worker: under a lock, as the random numbers are. */
    private synchronized Thread newThread(Runnable body, SplittableRandom random) {
        int fault = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(FARTHEST_SITE);
        Thread thread = new Thread(
                () -> {
                    Faults.arm(fault);
                    try {
                        body.run();
                    } finally {
                        disarm();
                    }
                },
                "faulty-" + threads.incrementAndGet());
        thread.setUncaughtExceptionHandler((dead, expected) -> {});
        thread.setDaemon(true);
        return thread;
    }

    private void round(InstrumentedThreadPoolExecutor pool, SplittableRandom random, String round) {
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < SUBMITTERS * TASKS; i++) {
            tasks.add(new Task(random));
        }
        CountDownLatch submitted = new CountDownLatch(SUBMITTERS);
        for (int i = 0; i < SUBMITTERS; i++) {
            List<Task> mine = tasks.subList(i * TASKS, (i + 1) * TASKS);
            SplittableRandom own = random.split();
            Thread thread = new Thread(
                    () -> {
                        mine.forEach(task -> submit(pool, task, own));
                        submitted.countDown();
                    },
                    "submitter");
            thread.setDaemon(true);
            thread.start();
        }
        await("submitters of " + round, () -> submitted.getCount() == 0, () -> state(pool));
        submitQuietly(pool); // the last worker may have ended by an Error, and the factory have failed
        await(
                "tasks of " + round,
                () -> tasks.stream().allMatch(task -> !task.accepted || task.runs.get() > 0),
                () -> state(pool));
        for (Task task : tasks) {
            if (task.runs.get() > 1) {
                throw new AssertionError("ran twice in " + round);
            }
        }
        reachAll(pool, round);
        await("rest after " + round, () -> isAtRest(pool), () -> state(pool));
    }

    private boolean isAtRest(InstrumentedThreadPoolExecutor pool) {
        PoolSnapshot snapshot = pool.snapshot();
        return snapshot.active() == 0
                && snapshot.queued() == 0
                && snapshot.saturation().blockedNow() == 0
                && snapshot.submitted() >= snapshot.completed()
                && snapshot.submitted() - snapshot.completed() <= errors.get()
                && pool.instruments.liveWorkers() <= pool.getPoolSize()
                && pool.workers().stream().noneMatch(WorkerState::busy)
                && pool.instruments.recorder.workers().size() == pool.workers().size();
    }

    private void submit(InstrumentedThreadPoolExecutor pool, Task task, SplittableRandom random) {
        Faults.arm(random.nextInt(2) * (1 + random.nextInt(FARTHEST_SITE))); // half of them must be accepted
        try {
            pool.execute(task);
            task.accepted = true;
        } catch (OutOfMemoryError | StackOverflowError | RejectedExecutionException e) {
            // not accepted
        } finally {
            disarm();
        }
    }

    private static void submitQuietly(InstrumentedThreadPoolExecutor pool) {
        pool.execute(() -> {});
    }

    /** Each worker has to take one of these tasks, because each task waits for the others. */
    private void reachAll(InstrumentedThreadPoolExecutor pool, String round) {
        CyclicBarrier meeting = new CyclicBarrier(WORKERS);
        AtomicInteger met = new AtomicInteger();
        for (int i = 0; i < WORKERS; i++) {
            pool.execute(() -> {
                disarm();
                try {
                    meeting.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
                    met.incrementAndGet();
                } catch (Exception e) {
                    throw new IllegalStateException("a worker was not reached", e);
                }
            });
        }
        await(
                "all workers after " + round,
                () -> {
                    pool.prestartAllCoreThreads(); // the factory may have failed to replace a worker, as in any pool
                    return met.get() == WORKERS;
                },
                () -> met.get() + " met; " + state(pool));
    }

    private static String state(InstrumentedThreadPoolExecutor pool) {
        return pool + "; " + pool.snapshot() + "; blocked "
                + pool.snapshot().saturation().blockedNow() + "; "
                + pool.workers() + "; " + pool.instruments.liveWorkers()
                + " counted as alive, " + pool.instruments.recorder.workers().size() + " recorders; " + stacks();
    }

    /** The stacks of the pool's own threads and of the monitor. */
    private static String stacks() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey().getName().matches("(faulty|lifeguard|submitter).*"))
                .map(each -> each.getKey() + " "
                        + Arrays.stream(each.getValue()).limit(12).toList())
                .collect(Collectors.joining("\n"));
    }

    private static void await(String what, BooleanSupplier condition) {
        await(what, condition, () -> "");
    }

    @SuppressWarnings("ThreadPriorityCheck") // yields while it waits
    private static void await(String what, BooleanSupplier condition, Supplier<String> state) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("hangs: " + what + " " + state.get());
            }
            Thread.yield();
        }
    }

    /** For messages. */
    @Override
    public @Nullable String toString() {
        return "rounds with " + errors + " errors";
    }
}
