package io.lifeguard.pool;

import java.time.Duration;
import java.util.Optional;

/**
 * Receives the events of one pool: tasks that ended, rejections, caller-runs, waits of submitters, termination. Pass it
 * to the pool's builder.
 *
 * <p>A daemon thread delivers the events in order, so a listener delays neither tasks nor the pool. A listener that
 * throws is logged once and otherwise ignored. A slow listener loses events, and the pool
 * {@linkplain PoolSnapshot.Counts#eventsDropped() counts} the lost ones.
 */
public interface PoolListener {

    /**
     * {@return whether the pool shall call {@link #taskEnded}} Called once, when the pool is built. Task events cost an
     * allocation per task; all other events are rare.
     */
    default boolean wantsTasks() {
        return false;
    }

    /**
     * A worker has run a task to its end.
     *
     * @param pool the pool
     * @param run the measurements of the task
     */
    default void taskEnded(InstrumentedPool pool, TaskRun run) {}

    /**
     * A task was turned away.
     *
     * @param pool the pool
     * @param reason why it was turned away
     * @param submitter name of the thread that submitted
     */
    default void rejected(InstrumentedPool pool, RejectionReason reason, String submitter) {}

    /**
     * A submitter ran the task itself because the pool was saturated.
     *
     * @param pool the pool
     * @param submitter name of the thread that submitted and ran the task
     * @param duration wall time of the run
     * @param idleWorkers mean number of workers that were idle meanwhile
     */
    default void callerRan(InstrumentedPool pool, String submitter, Duration duration, double idleWorkers) {}

    /**
     * A submitter had to wait for room.
     *
     * @param pool the pool
     * @param submitter name of the thread that waited
     * @param duration how long it waited
     * @param accepted whether its task was then accepted
     */
    default void submitterWaited(InstrumentedPool pool, String submitter, Duration duration, boolean accepted) {}

    /**
     * The pool has terminated.
     *
     * @param pool the pool
     * @param last its last snapshot
     */
    default void terminated(InstrumentedPool pool, PoolSnapshot last) {}

    /**
     * The measurements of one task that a worker ran.
     *
     * @param kind the task's kind, see {@link PoolSnapshot#kinds()}
     * @param queueWait from acceptance to the start of the run; empty where it is unknown
     * @param serviceTime wall time of the run
     * @param failed whether it ended with an exception
     */
    record TaskRun(String kind, Optional<Duration> queueWait, Duration serviceTime, boolean failed) {}
}
