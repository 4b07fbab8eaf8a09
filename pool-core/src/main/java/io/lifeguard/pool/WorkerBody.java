package io.lifeguard.pool;

import org.jspecify.annotations.Nullable;

/**
 * What a new worker's thread will run: the body that the JDK's executor made, with a {@link PoolWorker} around it that comes into
 * being on that thread. A thread that is never started, or that the factory never made, so leaves no worker behind.
 */
final class WorkerBody implements Runnable {

    private final Instruments instruments;
    private final Runnable body;
    private final long hiredNanos = System.nanoTime();

    // until its thread starts: it keeps this body for life, and must not keep a user's class
    private @Nullable Object firstKind;
    private @Nullable Thread thread; // set and read by the hiring thread

    /**
     * A body.
     *
     * @param firstKind kind of the task that the worker is hired for; null if it is hired for none
     */
    WorkerBody(Instruments instruments, Runnable body, @Nullable Object firstKind) {
        this.instruments = instruments;
        this.body = body;
        this.firstKind = firstKind;
    }

    @Override
    public void run() {
        PoolWorker worker;
        try {
            worker = new PoolWorker(instruments, firstKind, hiredNanos); // no variable for the kind: this frame stays
            instruments.crew().join(worker);
        } catch (OutOfMemoryError noRecorder) {
            body.run(); // unmeasured: the executor counts on this thread, and it may hold a task
            return;
        }
        firstKind = null;
        worker.run(body);
    }

    void madeInto(Thread made) {
        thread = made;
    }

    /** Whether its thread was not started, because the executor failed to. */
    boolean neverStarted() {
        return thread == null || thread.getState() == Thread.State.NEW;
    }
}
