package io.lifeguard.pool;

import io.lifeguard.pool.queue.WorkQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the tasks that one executor was given and kept, whichever way they went in or out again. Thread-safe. */
/*
 * How tasks are counted without touching a shared counter per task. A queue of ours counts what it accepts (its tail index), and a
 * task handed directly to a new worker is rare enough to be counted by an adder. With any other queue, `accepted` is incremented
 * after the executor took the task. Workers count what they begin and complete. A snapshot reads the workers first and the
 * submitters last, so it can show a task submitted that is not yet completed, but never the reverse; where a counter is written
 * after the fact (another queue), what was begun is a lower bound of what was submitted.
 */
final class Submissions {

    private static final StackWalker CALLER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** How often this thread entered the gate, and was refused by our policy. An array, so that no thread keeps a class of ours. */
    private static final ThreadLocal<int[]> SUBMITTER = ThreadLocal.withInitial(() -> new int[2]);

    private static final int GATE_ENTRIES = 0;
    private static final int REFUSALS = 1;

    /** The task that this thread took out of a queue after shutdown; execute() does so right before it rejects the task. */
    private static final ThreadLocal<@Nullable WeakReference<Runnable>> TAKEN_BACK = new ThreadLocal<>();

    private final ThreadPoolExecutor executor;
    private final @Nullable WorkQueue ownQueue;
    private final @Nullable WaitProbe probe;

    private final LongAdder accepted = new LongAdder(); // by a queue that is not ours
    private final LongAdder handedOver = new LongAdder(); // to a new worker, past our queue
    private final LongAdder withdrawn = new LongAdder(); // accepted by our queue, and taken out again to be rejected

    /**
     * @param executor whose tasks these are
     * @param ownQueue its queue, if that is one of ours
     * @param probe what measures the wait in a queue that is not ours, if anything does
     */
    Submissions(ThreadPoolExecutor executor, @Nullable WorkQueue ownQueue, @Nullable WaitProbe probe) {
        this.executor = executor;
        this.ownQueue = ownQueue;
        this.probe = probe;
    }

    /** How many tasks were accepted and not taken back; read after what workers have begun. */
    long count() {
        return ownQueue == null ? accepted.sum() : ownQueue.accepted() + handedOver.sum() - withdrawn.sum();
    }

    /** To be called before a task is given to a queue that is not ours. */
    void submitting(Runnable task) {
        if (task instanceof StampedFutureTask<?> future) {
            future.stamp(System.nanoTime());
        } else if (probe != null && task != null) {
            probe.submitted(task);
        }
    }

    /** To be called when the task was not put into that queue after all. */
    void notSubmitted(Runnable task) {
        if (probe != null) {
            probe.withdraw(task);
        }
    }

    int gateEntries() {
        return SUBMITTER.get()[GATE_ENTRIES];
    }

    /** To be called after the executor took a task, unless the gate was entered meanwhile. */
    void submitted(@Nullable Runnable task, int gateEntriesBefore) {
        int entries = gateEntries();
        if (entries == gateEntriesBefore) {
            accepted.increment();
            if (entries > 0 && task != null) {
                HandlerWatch.settle(task);
            }
        }
    }

    /**
     * The executor threw, and not at the gate: the thread factory failed. If it was asked because there was no worker for a task
     * that had been queued, the task stays there, as in the JDK. (Not counted if a worker takes it at this very moment.)
     */
    void submissionThrew(@Nullable Runnable task, int gateEntriesBefore) {
        if (task != null
                && gateEntries() == gateEntriesBefore
                && executor.getQueue().contains(task)) {
            accepted.increment();
        }
    }

    /** A queue that is not ours took a task, or took a periodic one again. */
    void accepted() {
        accepted.increment();
    }

    /** How often our own policy has refused a task of this thread, and counted that. */
    int refusals() {
        return SUBMITTER.get()[REFUSALS];
    }

    void refused() {
        SUBMITTER.get()[REFUSALS]++;
    }

    void gateEntered(Runnable task) {
        SUBMITTER.get()[GATE_ENTRIES]++;
        notSubmitted(task);
        if (ownQueue != null && executor.isShutdown()) {
            WeakReference<Runnable> taken = TAKEN_BACK.get();
            if (taken != null) {
                TAKEN_BACK.remove();
                if (taken.refersTo(task)) {
                    withdrawn.increment();
                }
            }
        }
    }

    /** A task was removed from the queue by the executor itself or by a user. */
    void removed(Runnable task) {
        if (executor.isShutdown() && isCalledByExecute()) {
            TAKEN_BACK.set(new WeakReference<>(task));
        }
        if (probe != null) {
            probe.take(task);
        }
    }

    /** Whether {@code remove} is the executor's own second thought, and no wish of a user's. */
    private static boolean isCalledByExecute() {
        return CALLER.walk(frames -> frames.filter(frame -> frame.getDeclaringClass() != Submissions.class
                        && !frame.getMethodName().equals("remove"))
                .findFirst()
                .filter(frame -> frame.getDeclaringClass() == ThreadPoolExecutor.class)
                .isPresent());
    }

    /** A saturation policy has put the task into the queue. A queue of ours counts by itself. */
    void enqueuedByHandler(Runnable task) {
        if (ownQueue == null) {
            accepted.increment();
        }
        HandlerWatch.settle(task);
    }

    /** A saturation policy has taken the task out of the queue, and dropped it. */
    void discarded(Runnable task) {
        if (probe != null) {
            probe.take(task);
        }
    }

    /** A saturation policy has taken the task out again, to reject it or to submit it anew. */
    void withdrawn() {
        TAKEN_BACK.remove();
        if (ownQueue == null) {
            accepted.decrement();
        } else {
            withdrawn.increment();
        }
    }

    void handedOver(int tasks) {
        handedOver.add(tasks);
    }
}
