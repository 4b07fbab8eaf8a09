package io.lifeguard.pool.corpus.workloads;

import io.lifeguard.pool.corpus.work.Randomness;
import io.lifeguard.workbench.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

/**
 * The surroundings of a workload. Everything that the workload starts goes on until the scene is over, and ends with
 * the workload's own JVM. Thread-safe.
 */
public final class Scene {

    /** CPUs of this machine. */
    static final int CORES = Runtime.getRuntime().availableProcessors();

    private final long start = System.nanoTime();
    private final long lengthNanos;
    private final long reliefNanos; // how long before the end the load falls
    private final PoolMaker maker;
    private final List<Object> kept = new CopyOnWriteArrayList<>();
    private volatile long sickSince; // written by the workload, read after its end; 0 until then

    /** Starts a scene whose load stays as it is. */
    public Scene(Duration length) {
        this(length, Duration.ZERO);
    }

    /**
     * Starts a scene with a cure.
     *
     * @param length how long the load stays as the workload wants it
     * @param relief how long the load then stays at a tenth
     */
    public Scene(Duration length, Duration relief) {
        this(length, relief, PoolMaker.INSTRUMENTED);
    }

    /**
     * Starts a scene with a cure.
     *
     * @param length how long the load stays as the workload wants it
     * @param relief how long the load then stays at a tenth
     * @param maker makes the pools
     */
    public Scene(Duration length, Duration relief, PoolMaker maker) {
        this.maker = maker;
        this.lengthNanos = length.plus(relief).toNanos();
        this.reliefNanos = relief.toNanos();
    }

    /** Whether the scene is over. */
    public boolean isOver() {
        return leftNanos() <= 0;
    }

    /** Whether the load has fallen to a tenth. */
    boolean isRelieved() {
        return leftNanos() <= reliefNanos;
    }

    /** Waits for the end of the scene. */
    public void awaitEnd() throws InterruptedException {
        for (long left = leftNanos(); left > 0; left = leftNanos()) {
            Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
        }
    }

    /** The {@link System#nanoTime()} at which the load falls, or at which the scene ends if the load never falls. */
    public long reliefNanoTime() {
        return start + lengthNanos - reliefNanos;
    }

    private long leftNanos() {
        return start + lengthNanos - System.nanoTime();
    }

    /**
     * The {@link System#nanoTime()} at which the workload became sick.
     *
     * @param unlessSaid the answer if the workload has not said so
     */
    public long sickSince(long unlessSaid) {
        return sickSince == 0 ? unlessSaid : sickSince;
    }

    /** Says that the workload is sick from now on. Without this call it is sick as soon as it is set up. */
    void isSickFromNow() {
        sickSince = System.nanoTime();
    }

    /** A pool with a queue of 64 places, whose submitters wait for room. */
    ThreadPoolExecutor pool(String name, int size) {
        return pool(name, size, 64, maker.waiting());
    }

    /** A pool with a bounded queue. */
    ThreadPoolExecutor pool(String name, int size, int capacity, RejectedExecutionHandler whenSaturated) {
        return keep(maker.bounded(name, size, capacity, whenSaturated));
    }

    /** A pool with an unbounded queue. */
    ThreadPoolExecutor unboundedPool(String name, int size) {
        return keep(maker.unbounded(name, size));
    }

    /** What makes the pools that are not kept, or are of other kinds. */
    PoolMaker maker() {
        return maker;
    }

    /** Keeps an object reachable until the end, as a field of a service would. */
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

    /**
     * Starts a dispatcher that always has a task. It submits as fast as the pool accepts. With relief it submits one
     * task at a time, and pauses nine times as long as the task took.
     */
    void feed(Executor pool, Runnable task) {
        thread("dispatcher", () -> {
            while (!isRelieved()) {
                submit(pool, task);
            }
            while (!isOver()) {
                CountDownLatch done = new CountDownLatch(1);
                long begin = System.nanoTime();
                submit(pool, () -> {
                    task.run();
                    done.countDown();
                });
                try {
                    done.await();
                } catch (InterruptedException e) {
                    return; // an interrupt means that the scene is to end
                }
                Waiting.nanos(9 * (System.nanoTime() - begin));
            }
        });
    }

    /**
     * Submits tasks that arrive independently of each other, at this mean rate. With relief the backlog is dropped, as
     * with a restart.
     */
    void arrivals(double perSecond, Executor pool, Runnable task) {
        AtomicBoolean isCleared = new AtomicBoolean();
        arrivals(perSecond, () -> {
            if (isRelieved() && pool instanceof ThreadPoolExecutor ours && isCleared.compareAndSet(false, true)) {
                ours.getQueue().clear();
            }
            submit(pool, task);
        });
    }

    /** Lets events happen independently of each other, at this mean rate. */
    void arrivals(double perSecond, Runnable arrival) {
        thread("arrivals", () -> {
            long due = System.nanoTime();
            while (!isOver()) {
                due += (long) Randomness.exponential(1e9 / perSecond * (isRelieved() ? 10 : 1));
                Waiting.nanos(due - System.nanoTime());
                arrival.run();
            }
        });
    }

    /** Submits a burst of tasks every so many milliseconds. */
    void bursts(double everyMillis, IntSupplier size, Executor pool, Runnable task) {
        thread("bursts", () -> {
            while (!isOver()) {
                for (int left = size.getAsInt() / (isRelieved() ? 10 : 1); left > 0 && !isOver(); left--) {
                    submit(pool, task);
                }
                Waiting.millis(everyMillis);
            }
        });
    }

    /**
     * Starts clients that each wait for their task before they submit the next. Their number is set anew every so many
     * milliseconds.
     */
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
                int next = isRelieved() ? 1 : howMany.getAsInt();
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
