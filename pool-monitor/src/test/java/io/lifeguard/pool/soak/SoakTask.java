package io.lifeguard.pool.soak;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;

/**
 * A task that keeps the book of its own fate: how often it ran, was refused, cancelled, removed, handed back. Any
 * thread may note an event; the book is read when all is over.
 */
final class SoakTask implements Runnable {

    /** How the task comes into the pool. */
    enum Route {
        EXECUTE,
        SUBMIT
    }

    /** What the task does when it runs. */
    enum Deed {
        NOTHING,
        SPIN,
        SLEEP,
        THROW,
        /** Submits another task to the same pool, which may do the same. */
        NEST,
        /** Submits to a second pool, whose task submits another task to this pool. */
        RELAY,
        /** Waits until it is let go, or interrupted. */
        HOLD
    }

    // One field of four bits for each event, so that an event that happens twice is seen.
    static final int RAN = 1;
    static final int RAN_INLINE = 1 << 4;
    static final int REJECTED = 1 << 8;
    static final int FACTORY_FAILED = 1 << 12;
    static final int CANCELLED = 1 << 16;
    static final int REMOVED = 1 << 20;
    static final int RETURNED = 1 << 24;
    private static final int FIELD = 0xF;

    private static final VarHandle BOOK;

    static {
        try {
            BOOK = MethodHandles.lookup().findVarHandle(SoakTask.class, "book", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final ThreadLocal<SoakTask> RUNNING = new ThreadLocal<>();

    final Generation generation;
    final Route route;
    final Deed deed;

    private volatile int book;

    /**
     * Written by the submitter when {@code submit} has returned; null before, and for tasks given to {@code execute}.
     */
    private volatile Future<?> future;

    /** Written by the submitter before it hands the task over. */
    private Thread submitter;

    /**
     * Written and read by the submitter only: whether it is inside {@code execute} or {@code submit} with this task.
     */
    private boolean handingOver;

    private final int further;

    /**
     * The task of a {@link Deed#NEST} or {@link Deed#RELAY}, if it ran; written by the thread that runs this one, read
     * when all is over.
     */
    private SoakTask child;

    SoakTask(Generation generation, Route route, Deed deed) {
        this(generation, route, deed, 0);
    }

    /**
     * A task that may submit others.
     *
     * @param further how many tasks follow the next one, each submitted by the one before
     */
    SoakTask(Generation generation, Route route, Deed deed, int further) {
        this.generation = generation;
        this.route = route;
        this.deed = deed;
        this.further = further;
    }

    /** Hands the task to its pool and notes what the submitter is told. */
    void submit() {
        ThreadPoolExecutor pool = generation.pool();
        submitter = Thread.currentThread();
        handingOver = true;
        try {
            if (route == Route.EXECUTE) {
                pool.execute(this);
            } else {
                future = pool.submit(this);
            }
        } catch (RejectedExecutionException refusal) {
            note(REJECTED);
            checkInterrupt(refusal);
        } catch (Pretended.Failure | Pretended.OutOfMemory factoryFailed) {
            note(FACTORY_FAILED);
        } catch (Pretended.TaskFailure ownFailure) {
            if (count(RAN_INLINE) == 0) {
                generation.complain("a failure of a task that did not run here reached its submitter: " + this);
            }
        } finally {
            handingOver = false;
        }
    }

    private void checkInterrupt(RejectedExecutionException refusal) {
        if (refusal.getCause() instanceof InterruptedException && !Thread.interrupted()) {
            generation.complain("refused for an interrupt, and the flag is gone: " + refusal.getMessage());
        }
    }

    /**
     * A run inside another one is inline too: where the queue cannot exceed its capacity, a policy postpones deeper
     * runs to the end of the first one.
     */
    @Override
    public void run() {
        boolean handedBack = Thread.currentThread() == submitter && handingOver;
        SoakTask outer = RUNNING.get();
        note(handedBack || outer != null ? RAN_INLINE : RAN);
        RUNNING.set(this);
        try {
            act();
        } finally {
            RUNNING.set(outer);
        }
    }

    private void act() {
        switch (deed) {
            case NOTHING -> {}
            case SPIN -> spin();
            case SLEEP -> LockSupport.parkNanos(100_000);
            case THROW -> throw new Pretended.TaskFailure();
            case NEST -> {
                child = new SoakTask(generation, Route.EXECUTE, further > 0 ? Deed.NEST : Deed.NOTHING, further - 1);
                child.submit();
            }
            case RELAY -> {
                SoakTask next = new SoakTask(generation, Route.EXECUTE, Deed.NOTHING);
                child = generation.relay(next) ? next : null;
            }
            case HOLD -> generation.hold();
        }
    }

    private static void spin() {
        for (int i = 0; i < 50; i++) {
            Thread.onSpinWait();
        }
    }

    /** Cancels the future, if there is one. */
    void cancel(boolean interruptIfRunning) {
        Future<?> handle = future;
        if (handle != null && handle.cancel(interruptIfRunning)) {
            note(CANCELLED);
        }
    }

    /** Takes the task out of the queue, if it is there. */
    void remove() {
        Runnable inQueue = route == Route.EXECUTE ? this : (Runnable) future;
        if (inQueue != null && generation.pool().remove(inQueue)) {
            note(REMOVED);
        }
    }

    void note(int event) {
        BOOK.getAndAdd(this, event);
    }

    int count(int event) {
        return (book / event) & FIELD;
    }

    Future<?> future() {
        return future;
    }

    SoakTask child() {
        return child;
    }

    @Override
    public String toString() {
        return route + "/" + deed + "[ran " + count(RAN) + ", inline " + count(RAN_INLINE) + ", rejected "
                + count(REJECTED) + ", factory failed " + count(FACTORY_FAILED) + ", cancelled " + count(CANCELLED)
                + ", removed " + count(REMOVED) + ", returned " + count(RETURNED) + "]";
    }
}
