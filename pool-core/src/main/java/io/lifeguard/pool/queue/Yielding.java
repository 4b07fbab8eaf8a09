package io.lifeguard.pool.queue;

/** Gives up the processor for a moment, as long as only this pool's own threads want it. Thread-safe. */
/*
 * On a quiet machine Thread.yield() returns within a microsecond, or lets the pool's own producer fill the queue. A
 * thread that looks for work a little longer spares its producer a system call. Where other threads want the processor,
 * a yield gives them the rest of the time slice, one after the other (EEVDF, the scheduler of Linux from 6.6 on): some
 * milliseconds for each of them. A thread that parks instead comes back sooner, because it has slept.
 *
 * So each yield is timed. After one that took long, no thread of this virtual machine yields for a while: the first
 * time for 10 ms, then twice as long each time, up to a second. Once yields have been short for twice as long as the
 * last pause, the neighbours have left, and the next pause begins at 10 ms again. A lost update of these fields costs
 * one yield.
 */
class Yielding {
    /**
     * A producer fills 1,024 slots in 50 to 100 µs. A time slice of a neighbour is 750 µs or more: that is the base
     * slice of EEVDF on one processor, and it grows with their number.
     */
    static final long LONG_NANOS = 300_000;

    static final long SHORTEST_PAUSE_NANOS = 10_000_000;
    static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    static final Yielding SHARED = new Yielding();

    // Written by any thread that has yielded; a stale read costs a yield, or spares it.
    private volatile long pausedUntil = now();
    private volatile long pause; // 0 before the first

    // Methods that a test overrides. Lambdas would make the first worker of the JVM wait for their classes.

    long now() {
        return System.nanoTime();
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding is for speed; nothing relies on it
    void giveWay() {
        Thread.yield();
    }

    /** Yields, unless a yield took long a short time ago. Returns whether it has yielded, and got the CPU back soon. */
    boolean once() {
        long begin = now();
        if (begin - pausedUntil < 0) {
            return false;
        }
        giveWay();
        long end = now();
        if (end - begin <= LONG_NANOS) {
            return true;
        }
        boolean neighboursAreNew = begin - pausedUntil >= 2 * pause;
        long next = neighboursAreNew ? SHORTEST_PAUSE_NANOS : Math.min(LONGEST_PAUSE_NANOS, 2 * pause);
        pause = next;
        pausedUntil = end + next;
        return false;
    }
}
