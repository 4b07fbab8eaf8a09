package io.lifeguard.pool.benchmarks.rivals;

import java.lang.invoke.VarHandle;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.MpmcUnboundedXaddArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lets a {@link java.util.concurrent.ThreadPoolExecutor} work on a queue of JCTools. Thread-safe.
 *
 * <p>JCTools has no blocking queue for many consumers, so this class adds the waiting. A worker that finds the queue
 * empty parks. A submitter unparks at most one worker per task. A submitter that finds the queue full sleeps 50 µs and
 * tries again, as with {@link PollWhenFull}. The bounded queue's capacity is rounded up to a power of two by JCTools.
 *
 * <p>Only what a pool of a fixed number of workers needs is supported.
 */
final class JcToolsQueue extends AbstractQueue<Runnable> implements BlockingQueue<Runnable> {
    static final String DESCRIPTION = "the submitter sleeps 50 µs and tries again";

    private static final long PAUSE_NANOS = 50_000;
    private static final int CHUNK = 1_024;

    private final Queue<Runnable> tasks;
    private final Queue<Thread> parked = new ConcurrentLinkedQueue<>();

    JcToolsQueue(int capacity) {
        tasks = capacity == Rival.UNBOUNDED ? new MpmcUnboundedXaddArrayQueue<>(CHUNK) : new MpmcArrayQueue<>(capacity);
    }

    @Override
    public boolean offer(Runnable task) {
        if (!tasks.offer(task)) {
            return false;
        }
        // JCTools publishes the task by an ordered store. Without the fence, this thread could miss a worker that parks
        // while that worker misses the task.
        VarHandle.fullFence();
        unparkOne();
        return true;
    }

    @Override
    public boolean offer(Runnable task, long timeout, TimeUnit unit) {
        throw new UnsupportedOperationException("no pool of a fixed size needs it");
    }

    @Override
    public void put(Runnable task) throws InterruptedException {
        while (!offer(task)) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
            throwIfInterrupted();
        }
    }

    @Override
    public @Nullable Runnable poll() {
        return tasks.poll();
    }

    @Override
    public Runnable poll(long timeout, TimeUnit unit) {
        throw new UnsupportedOperationException("no pool of a fixed size needs it");
    }

    @Override
    public Runnable take() throws InterruptedException {
        while (true) {
            Runnable task = tasks.poll();
            if (task == null) {
                task = pollOrPark();
            }
            if (task != null) {
                return task;
            }
            throwIfInterrupted();
        }
    }

    /**
     * Looks at the queue again after the worker was announced, and parks if the queue is still empty. So either the
     * submitter sees the worker, or the worker sees the task.
     */
    private @Nullable Runnable pollOrPark() {
        Thread worker = Thread.currentThread();
        parked.add(worker);
        Runnable task = tasks.poll();
        if (task == null) {
            LockSupport.park(this);
        }
        boolean chosenBySubmitter = !parked.remove(worker);
        if (task != null && chosenBySubmitter) {
            // The submitter's task may be another one, which needs another worker.
            unparkOne();
        }
        return task;
    }

    private void unparkOne() {
        Thread worker = parked.poll();
        if (worker != null) {
            LockSupport.unpark(worker);
        }
    }

    private static void throwIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    @Override
    public @Nullable Runnable peek() {
        return tasks.peek();
    }

    @Override
    public int size() {
        return tasks.size();
    }

    @Override
    public int remainingCapacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int drainTo(Collection<? super Runnable> target) {
        return drainTo(target, Integer.MAX_VALUE);
    }

    @Override
    public int drainTo(Collection<? super Runnable> target, int most) {
        int drained = 0;
        Runnable task;
        while (drained < most && (task = tasks.poll()) != null) {
            target.add(task);
            drained++;
        }
        return drained;
    }

    /** Always answers {@code false}: JCTools cannot remove from the middle. */
    @Override
    public boolean remove(Object task) {
        return false;
    }

    @Override
    public Iterator<Runnable> iterator() {
        throw new UnsupportedOperationException("JCTools cannot iterate over an unbounded queue");
    }
}
