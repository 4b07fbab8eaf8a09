package io.lifeguard.pool.soak;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.queue.WorkQueue;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One pool from birth to verified death. Submitters come and go while the controlling thread shuts it down; what became
 * of the tasks is for the controlling thread, when the last submitter has left.
 */
final class Generation {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long STRANDED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final String name;
    private final Shape shape;
    private final boolean reliable;
    private final SoakThreads threads;
    private final ThreadPoolExecutor pool;
    private final ThreadPoolExecutor second; // feeds the pool, and is fed by it; idle in other shapes
    private final AtomicInteger relayed = new AtomicInteger(); // tasks in the second pool
    private final Consumer<String> complaints;
    private final Set<Runnable> handedBack = Collections.newSetFromMap(new IdentityHashMap<>());
    private final CountDownLatch gate = new CountDownLatch(1);
    private int nudges;

    Generation(int number, Shape shape, boolean reliable, SplittableRandom random, Consumer<String> complaints) {
        this.name = "generation " + number + " (" + shape + (reliable ? ")" : ", unreliable threads)");
        this.shape = shape;
        this.reliable = reliable;
        this.complaints = complaints;
        this.threads = new SoakThreads("soak-" + number, reliable, random.nextLong(), this::complain);
        this.pool = shape.make(random.split(), threads);
        this.second = InstrumentedThreadPoolExecutor.named("second-" + number)
                .size(2)
                .queueCapacity(2)
                .build();
    }

    Shape shape() {
        return shape;
    }

    ThreadPoolExecutor pool() {
        return pool;
    }

    SoakThreads threads() {
        return threads;
    }

    /** How often a worker had to be started for queued tasks after the thread factory had failed to. */
    int nudges() {
        return nudges;
    }

    void complain(String what) {
        complaints.accept(name + ": " + what + "; " + pool);
    }

    /** Keeps the calling thread, which runs a task, until {@link #letGo} or an interrupt. */
    void hold() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void letGo() {
        gate.countDown();
    }

    /** Lets the second pool submit the task. {@return false if it was refused, because this thread was interrupted} */
    boolean relay(SoakTask task) {
        relayed.incrementAndGet();
        try {
            second.execute(() -> {
                task.submit();
                relayed.decrementAndGet();
            });
            return true;
        } catch (RejectedExecutionException refusal) {
            relayed.decrementAndGet();
            return false;
        }
    }

    /** Takes what {@code shutdownNow} returned to the books. */
    void shutDownNow() {
        for (Runnable task : pool.shutdownNow()) {
            if (task instanceof SoakTask ours) {
                ours.note(SoakTask.RETURNED);
            } else if (!handedBack.add(task)) {
                complain("shutdownNow returned a future twice");
            }
        }
    }

    /** A snapshot at any time; null if the pool is not one of ours. */
    PoolSnapshot poll() {
        if (!(pool instanceof InstrumentedPool ours)) {
            return null;
        }
        PoolSnapshot snapshot = ours.snapshot();
        if (snapshot.completed() > snapshot.submitted()) {
            complain("more completed than submitted: " + snapshot);
        }
        if (snapshot.failed() > snapshot.completed()) {
            complain("more failed than completed: " + snapshot);
        }
        return snapshot;
    }

    /** Waits until the pool, still open, has nothing to do, and compares its numbers with the books of its tasks. */
    void verifyAtRest(Function<Generation, List<SoakTask>> tasks) {
        long start = System.nanoTime();
        String wrong = "";
        for (long waited = 0; waited < PATIENCE_NANOS; waited = System.nanoTime() - start) {
            if (relayed.get() == 0 && pool.getQueue().isEmpty() && pool.getActiveCount() == 0) {
                Tally tally = new Tally();
                for (SoakTask task : tasks.apply(this)) {
                    tally.add(task);
                }
                wrong = compare(tally);
                if (wrong.isEmpty()) {
                    return;
                }
            } else if (waited > STRANDED_NANOS) {
                nudge();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        complain("does not come to rest: " + wrong);
    }

    /**
     * Waits until the pool, shut down, has terminated and its threads are dead, and returns what became of its tasks.
     */
    Tally verifyEnd(Function<Generation, List<SoakTask>> tasks) throws InterruptedException {
        awaitEnd();
        Tally tally = new Tally();
        for (SoakTask task : tasks.apply(this)) {
            if (task.future() instanceof Runnable future && handedBack.remove(future)) {
                task.note(SoakTask.RETURNED);
            }
            String wrong = tally.add(task);
            if (!wrong.isEmpty()) {
                complain(wrong);
            }
        }
        if (!tally.adopt(handedBack.size())) {
            complain("shutdownNow returned unknown futures: " + handedBack);
        }
        String wrong = compare(tally);
        if (!wrong.isEmpty()) {
            complain(wrong);
        }
        return tally;
    }

    private void awaitEnd() throws InterruptedException {
        long start = System.nanoTime();
        while (!pool.awaitTermination(5, TimeUnit.MILLISECONDS)) {
            long waited = System.nanoTime() - start;
            if (waited > PATIENCE_NANOS) {
                complain("did not terminate");
                return;
            }
            if (waited > STRANDED_NANOS) {
                nudge();
            }
        }
        second.shutdown();
        if (!second.awaitTermination(PATIENCE_NANOS, TimeUnit.NANOSECONDS) || relayed.get() != 0) {
            complain("the second pool does not come to its end: " + second + ", " + relayed + " tasks");
        }
        Thread alive = threads.awaitEnd(start + PATIENCE_NANOS);
        if (alive != null) {
            complain("leaked thread " + alive);
        }
    }

    /**
     * When a factory fails to replace the last worker, queued tasks wait until a thread submits or asks for workers: as
     * in the JDK.
     */
    private void nudge() {
        if (!reliable && pool.getPoolSize() == 0 && !pool.getQueue().isEmpty()) {
            threads.heal();
            nudges++;
            pool.setCorePoolSize(Math.max(1, pool.getCorePoolSize()));
            pool.prestartCoreThread();
        }
    }

    /** Compares the pool's own numbers with the books of its tasks; empty when they agree. */
    private String compare(Tally tally) {
        long completed = pool.getCompletedTaskCount();
        if (completed < tally.ran || completed > tally.ran + tally.cancelled) {
            return "the executor completed " + completed + " tasks of " + tally;
        }
        if (!(pool instanceof InstrumentedPool ours)) {
            return "";
        }
        PoolSnapshot snapshot = ours.snapshot();
        String wrong = new Audit(snapshot, tally, shape.mayDropSilently())
                .run(completed, pool.getQueue() instanceof WorkQueue);
        return wrong.isEmpty()
                ? ""
                : wrong + "\n  books: " + tally + "\n  pool:  " + snapshot + " " + snapshot.saturation();
    }
}
