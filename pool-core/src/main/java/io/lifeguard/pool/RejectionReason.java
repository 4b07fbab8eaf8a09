package io.lifeguard.pool;

/** Why a pool refused a task. */
public enum RejectionReason {
    /** The pool was saturated and its policy is to throw. */
    ABORTED,
    /** The pool was saturated, or shut down, and its policy dropped the task silently. */
    DISCARDED,
    /** A queued task was dropped to make room for a newer one. */
    DISCARDED_OLDEST,
    /** The submitter waited as long as its policy allows and found no room. */
    TIMED_OUT,
    /** The submitter was interrupted while it waited for room. */
    INTERRUPTED,
    /** The pool was shut down. */
    SHUT_DOWN,
    /** The submitter is a thread that must not block. */
    MUST_NOT_BLOCK,
    /** A user's own handler threw, or the predicate passed to {@link BlockingWaitPolicy#refusing} did. */
    HANDLER_THREW,
    /** A user's own handler returned. Whether it ran, kept or dropped the task is unknown. */
    LEFT_TO_HANDLER
}
