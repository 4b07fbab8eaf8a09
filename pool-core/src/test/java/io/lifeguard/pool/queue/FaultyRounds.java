package io.lifeguard.pool.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Rounds in which producers and consumers of a queue get Errors. After each round the queue must come to rest: what was
 * accepted was consumed once, and what was refused at most once. Then all consumers must still be reachable.
 *
 * <p>Loaded by the loader of {@link Faults}, and called through the JDK's interface. The argument is the seed, and the
 * result is the number of Errors that were thrown.
 */
public final class FaultyRounds implements LongFunction<Long> {

    private static final int ROUNDS = Integer.getInteger("lifeguard.test.fault.rounds", 700);
    private static final int PRODUCERS = 2;
    private static final int CONSUMERS = 2;
    private static final int TASKS = 3;
    private static final int FARTHEST_SITE = 70;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final AtomicLong errors = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> death = new AtomicReference<>(); // of the first thread that died
    private volatile boolean ended;

    /** Counts how often it was consumed, and whether it was accepted for sure. */
    private static final class Task implements Runnable {
        final AtomicInteger runs = new AtomicInteger();
        volatile boolean accepted;
        final @Nullable CyclicBarrier meeting;

        Task(@Nullable CyclicBarrier meeting) {
            this.meeting = meeting;
        }

        @Override
        public void run() {
            runs.incrementAndGet();
            if (meeting != null) {
                try {
                    meeting.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
                } catch (Exception e) {
                    throw new IllegalStateException("a consumer was not woken", e);
                }
            }
        }
    }

    @Override
    public Long apply(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        WorkQueue queue = random.nextBoolean() ? WorkQueue.bounded(2) : new SegmentQueue(3, 1);
        if (random.nextInt(4) == 0) {
            queue = WorkQueue.unbounded();
        }
        queue.refillBatch(random.nextInt(3));
        WorkQueue tested = queue;
        List<Thread> consumers = new ArrayList<>();
        for (int i = 0; i < CONSUMERS; i++) {
            SplittableRandom own = random.split();
            consumers.add(start(() -> consume(tested, own)));
        }
        for (int round = 0; round < ROUNDS; round++) {
            List<Task> tasks = new ArrayList<>();
            for (int i = 0; i < PRODUCERS * TASKS; i++) {
                tasks.add(new Task(null));
            }
            CountDownLatch produced = new CountDownLatch(PRODUCERS);
            for (int i = 0; i < PRODUCERS; i++) {
                List<Task> mine = tasks.subList(i * TASKS, (i + 1) * TASKS);
                SplittableRandom own = random.split();
                start(() -> {
                    mine.forEach(task -> produce(tested, task, own));
                    produced.countDown();
                });
            }
            await("producers of round " + round + ", seed " + seed, () -> produced.getCount() == 0);
            await(
                    "tasks of round " + round + ", seed " + seed,
                    () -> tasks.stream().allMatch(task -> !task.accepted || task.runs.get() > 0));
            for (Task task : tasks) {
                if (task.runs.get() > 1) {
                    throw new AssertionError("ran twice in round " + round + ", seed " + seed);
                }
            }
            if (round % 8 == 0) {
                reachAll(tested);
            }
        }
        ended = true;
        await("end of the consumers", () -> {
            tested.offer(new Task(null));
            return consumers.stream().noneMatch(Thread::isAlive);
        });
        return errors.get();
    }

    /** Each consumer has to take one of these tasks, because each task waits for the others. */
    private void reachAll(WorkQueue queue) {
        CyclicBarrier meeting = new CyclicBarrier(CONSUMERS);
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < CONSUMERS; i++) {
            Task task = new Task(meeting);
            tasks.add(task);
            await("room", () -> queue.offer(task));
        }
        await("all consumers", () -> tasks.stream().allMatch(task -> task.runs.get() == 1));
        await("their return", () -> meeting.getNumberWaiting() == 0);
    }

    private void produce(WorkQueue queue, Task task, SplittableRandom random) {
        int way = random.nextInt(5);
        Faults.arm(1 + random.nextInt(FARTHEST_SITE));
        try {
            switch (way) {
                case 0 -> task.accepted = queue.offer(task);
                case 1 -> task.accepted = queue.offer(task, 50, TimeUnit.MICROSECONDS);
                case 2 -> {
                    queue.put(task);
                    task.accepted = true;
                }
                case 3 -> {
                    queue.exceed(task);
                    task.accepted = true;
                }
                default -> task.accepted = queue.admit(task, Long.MAX_VALUE) == WorkQueue.Admission.ACCEPTED;
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            errors.incrementAndGet();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            Faults.disarm();
        }
    }

    private void consume(WorkQueue queue, SplittableRandom random) {
        while (!ended) {
            Runnable task = null;
            Faults.arm(1 + random.nextInt(FARTHEST_SITE));
            try {
                task = random.nextBoolean() ? queue.take() : queue.poll(100, TimeUnit.MICROSECONDS);
            } catch (OutOfMemoryError | StackOverflowError e) {
                errors.incrementAndGet();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                Faults.disarm();
            }
            if (task != null) {
                task.run();
            }
        }
    }

    private Thread start(Runnable body) {
        Thread thread = new Thread(body, "faulty");
        thread.setUncaughtExceptionHandler((dead, failure) -> death.compareAndSet(null, failure));
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (death.get() != null) {
                throw new AssertionError("a producer or consumer died before: " + what, death.get());
            }
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("hangs: " + what);
            }
            Thread.yield();
        }
    }
}
