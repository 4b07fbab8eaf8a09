package io.lifeguard.pool.queue;

/**
 * The place of one submitter among those that wait for room. The submitter keeps its place when it stops waiting for a
 * moment, to look at its pool. Any thread may ask {@link #isBlocked}; the rest belongs to the queue.
 */
public class Place {

    final boolean looksAgain;
    long turn; // guarded by the lock of WaitingProducers; 0 until the submitter enters the line

    // written by the submitter and, under the lock, by the thread that serves it; a stale read is a moment old
    volatile boolean served;

    // written under the lock by a thread that promotes it, once
    volatile boolean promoted;

    /** @param looksAgain whether {@link WorkQueue#reviewWorkers} ends the wait of this submitter */
    public Place(boolean looksAgain) {
        this.looksAgain = looksAgain;
    }

    /** Whether the task has not been accepted yet. Becomes false before the submitter awakes. */
    public final boolean isBlocked() {
        return !served;
    }
}
