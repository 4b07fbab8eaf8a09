package io.lifeguard.pool.corpus.workloads;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.corpus.work.Randomness;
import io.lifeguard.workbench.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.IntSupplier;

/**
 * Where a workload plays: what it starts goes on until the scene is over, and ends with the virtual machine, which is its own. Thread-safe.
 */
public final class Scene {

    /** CPUs of this machine. */
    static final int CORES = Runtime.getRuntime().availableProcessors();

    private final long start = System.nanoTime();
    private final long lengthNanos;
    private final List<Object> kept = new CopyOnWriteArrayList<>();
    private volatile long sickSince; // written by the workload, read when it is over; 0: not said

    /** Begins a scene. */
    public Scene(Duration length) {
        this.lengthNanos = length.toNanos();
    }

    /** Whether it is time to end. */
    public boolean isOver() {
        return leftNanos() <= 0;
    }

    /** Waits for the end. */
    public void awaitEnd() throws InterruptedException {
        for (long left = leftNanos(); left > 0; left = leftNanos()) {
            Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
        }
    }

    private long leftNanos() {
        return start + lengthNanos - System.nanoTime();
    }

    /**
     * {@link System#nanoTime()} from which on the workload is sick.
     *
     * @param unlessSaid if it has not said so
     */
    public long sickSince(long unlessSaid) {
        return sickSince == 0 ? unlessSaid : sickSince;
    }

    /** From now on the workload is sick; without this it is as soon as all is set up. */
    void isSickFromNow() {
        sickSince = System.nanoTime();
    }

    /** A pool as the library recommends it, with a queue of 64 places. */
    InstrumentedThreadPoolExecutor pool(String name, int size) {
        return keep(InstrumentedThreadPoolExecutor.named(name)
                .size(size)
                .queueCapacity(64)
                .build());
    }

    /** A pool whose queue has no bound. */
    InstrumentedThreadPoolExecutor unboundedPool(String name, int size) {
        return keep(InstrumentedThreadPoolExecutor.named(name)
                .size(size)
                .unboundedQueue()
                .build());
    }

    /** Keeps an object in use until the end, as a field of a service would. */
    <T> T keep(T object) {
        kept.add(object);
        return object;
    }

    /** Starts a thread. */
    void thread(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** A dispatcher that never lacks a task: it submits one after the other, as fast as the pool takes them. */
    void feed(Executor pool, Runnable task) {
        thread("dispatcher", () -> {
            while (!isOver()) {
                submit(pool, task);
            }
        });
    }

    /** Tasks that arrive independently of each other, at this rate in the mean. */
    void arrivals(double perSecond, Executor pool, Runnable task) {
        arrivals(perSecond, () -> submit(pool, task));
    }

    /** Events that happen independently of each other, at this rate in the mean. */
    void arrivals(double perSecond, Runnable arrival) {
        thread("arrivals", () -> {
            long due = System.nanoTime();
            while (!isOver()) {
                due += (long) Randomness.exponential(1e9 / perSecond);
                Waiting.nanos(due - System.nanoTime());
                arrival.run();
            }
        });
    }

    /** Bursts of tasks, one every so many milliseconds. */
    void bursts(double everyMillis, IntSupplier size, Executor pool, Runnable task) {
        thread("bursts", () -> {
            while (!isOver()) {
                for (int left = size.getAsInt(); left > 0 && !isOver(); left--) {
                    submit(pool, task);
                }
                Waiting.millis(everyMillis);
            }
        });
    }

    /** Clients that each wait for their task before they send the next; every so many milliseconds there are as many as asked for then. */
    void clients(double everyMillis, IntSupplier howMany, Executor pool, Runnable task) {
        Semaphore allowed = new Semaphore(0);
        thread("clients", () -> {
            while (!isOver()) {
                allowed.acquireUninterruptibly();
                submit(pool, () -> {
                    try {
                        task.run();
                    } finally {
                        allowed.release();
                    }
                });
            }
        });
        thread("daylight", () -> {
            int now = 0;
            while (!isOver()) {
                int next = howMany.getAsInt();
                for (; now < next; now++) {
                    allowed.release();
                }
                for (; now > next; now--) {
                    allowed.acquireUninterruptibly();
                }
                Waiting.millis(everyMillis);
            }
        });
    }

    private static void submit(Executor pool, Runnable task) {
        try {
            pool.execute(task);
        } catch (RejectedExecutionException e) {
            Waiting.millis(1);
        }
    }
}
