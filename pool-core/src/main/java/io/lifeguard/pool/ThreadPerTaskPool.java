package io.lifeguard.pool;

import io.lifeguard.pool.SharedInstruments.OwnThreadRun;
import io.lifeguard.pool.os.VirtualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An executor that starts a thread for each task, as the JDK's thread-per-task executors do, and whose tasks measure
 * themselves. Thread-safe.
 *
 * <p>It knows its threads, so that the monitor can ask what they wait for. The JDK's executor knows them, too, and
 * tells nobody.
 */
/*
 * A thread is in threads from before its start until its task has ended. The executor has terminated when it is shut
 * down and threads is empty. Whoever removes a thread reads isShutdown afterwards, so of two that remove the last
 * threads at least one sees none. A submitter adds its thread and then reads isShutdown: it starts the thread only
 * before the shutdown, and otherwise removes it again.
 */
final class ThreadPerTaskPool extends AbstractExecutorService implements InstrumentedPool {

    /** The JDK has such executors since. */
    private static final int FIRST = 21;

    /** To ask one for its age takes 10 to 50 ns. */
    private static final int MOST_ASKED = 10_000;

    private final ThreadFactory factory;
    private final SharedInstruments instruments;

    // Written by submitters and by threads that end. Who looks at it meanwhile may miss some, or see some that have
    // ended.
    private final Set<OwnThreadRun> threads = ConcurrentHashMap.newKeySet();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private final AtomicBoolean isTerminating = new AtomicBoolean(); // set by the first thread that finds no thread
    private volatile boolean isShutdown; // from false to true, by any thread that shuts it down; reads are volatile

    private ThreadPerTaskPool(ThreadFactory factory, @Nullable String name) {
        this.factory = factory;
        DiscoveredObservers.load();
        this.instruments = new SharedInstruments(this, name);
        PoolRegistry.announceCreated(this, instruments.name);
    }

    static ThreadPerTaskPool of(ThreadFactory factory, @Nullable String name) {
        Objects.requireNonNull(factory, "threadFactory must not be null");
        check("newThreadPerTaskExecutor");
        return new ThreadPerTaskPool(factory, name);
    }

    static ThreadPerTaskPool ofVirtualThreads(@Nullable String name) {
        check("newVirtualThreadPerTaskExecutor");
        return new ThreadPerTaskPool(VirtualThreads.unnamed(), name);
    }

    private static void check(String method) {
        if (Runtime.version().feature() < FIRST) {
            throw new UnsupportedOperationException(method + " needs Java " + FIRST + " or newer (this is Java "
                    + Runtime.version().feature() + ")");
        }
    }

    @Override
    public String name() {
        return instruments.name;
    }

    /** Only the JVM limits the number of threads, and there is no queue. */
    @Override
    public PoolSnapshot snapshot() {
        return instruments.snapshot(new PoolSnapshot.Limits(0, Integer.MAX_VALUE, 0), this::threadCount, () -> 0);
    }

    @Override
    public int threadCount() {
        return instruments.running();
    }

    @Override
    public long threadsStarted() {
        return instruments.submitted();
    }

    /** Those that come first are a fair sample: their order depends on identity hash codes. */
    @Override
    public List<Thread> threads(int atMost) {
        List<Thread> some = new ArrayList<>();
        Iterator<OwnThreadRun> each = threads.iterator();
        while (some.size() < atMost && each.hasNext()) {
            some.add(each.next().thread());
        }
        return some;
    }

    @Override
    public Duration longestRun() {
        long now = System.nanoTime();
        long longest = 0;
        int asked = 0;
        for (OwnThreadRun task : threads) {
            long start = task.started();
            longest = start == 0 ? longest : Math.max(longest, now - start);
            if (++asked == MOST_ASKED) {
                break;
            }
        }
        return Duration.ofNanos(longest);
    }

    @Override
    public void execute(Runnable task) {
        OwnThreadRun measured = instruments.measuredWithOwnThread(task);
        if (isShutdown) {
            throw instruments.refused(name() + " has been shut down");
        }
        Thread thread = factory.newThread(measured);
        if (thread == null) {
            throw instruments.refused("the thread factory of " + name() + " returned null");
        }
        measured.runsOn(thread);
        if (!start(thread, measured)) {
            throw instruments.refused(name() + " has been shut down");
        }
        instruments.accepted();
    }

    private boolean start(Thread thread, OwnThreadRun task) {
        boolean isAdded = false;
        boolean isStarted = false;
        try {
            threads.add(task);
            isAdded = true;
            if (!isShutdown) {
                thread.start();
                isStarted = true;
            }
        } finally {
            if (isAdded && !isStarted) {
                remove(task);
            }
        }
        return isStarted;
    }

    /** A task of this pool has ended, or was not started. */
    void remove(OwnThreadRun task) {
        threads.remove(task);
        if (isShutdown) {
            tryTerminate();
        }
    }

    /** Frees the name before it lets others go on: they may make the next pool of that name. */
    private void tryTerminate() {
        if (!isTerminating.get() && threads.isEmpty() && isTerminating.compareAndSet(false, true)) {
            try {
                instruments.terminated();
            } finally {
                terminated.countDown();
            }
        }
    }

    @Override
    public boolean hasMade(Future<?> future) {
        return future instanceof MeasuredFutureTask<?> task && task.isOf(instruments.failures);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> callable) {
        return new MeasuredFutureTask<>(instruments.failures, callable);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable runnable, T value) {
        return new MeasuredFutureTask<>(instruments.failures, runnable, value);
    }

    @Override
    public void shutdown() {
        isShutdown = true;
        tryTerminate();
        instruments.shutDown();
    }

    /** Interrupts all threads. There is no queue, so nothing is returned. */
    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
        threads.forEach(task -> task.thread().interrupt());
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return isShutdown;
    }

    @Override
    public boolean isTerminated() {
        if (isShutdown) {
            tryTerminate();
        }
        return terminated.getCount() == 0;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return isTerminated() || terminated.await(timeout, unit);
    }
}
