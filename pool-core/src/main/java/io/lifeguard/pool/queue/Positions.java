package io.lifeguard.pool.queue;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The two ends of a queue: {@code tail} counts the tasks ever enqueued, {@code head} those ever removed. Thread-safe.
 */
final class Positions {
    /*
     * Both ends only grow, by CAS; position p lives in slot p, wherever the queue keeps it. The head's lowest bit is
     * the FROZEN flag: while it is set no consumer can claim the head (the CAS expects it clear), so the thread that
     * set it, see QueueEdits, may rearrange what lies between the ends. Producers are never stopped.
     *
     *   tail()      written by the producer that claims a position. Claimed is not yet published: the slot is filled
     *               right after the CAS, and consumers wait for that.
     *   headWord()  written by the consumer that claims the head, and by the freezing thread.
     *
     * Why a stale read is never a wrong answer. A producer reads the tail and then the head: at the second read at
     * least t positions were claimed and exactly h freed, so t - h >= capacity means that the queue was full at that
     * instant; t - h < capacity still holds when the CAS of the tail succeeds, because the head can only have grown. A
     * consumer reads the head and then the tail: h >= t means that it was empty when the tail was read.
     *
     * otherSeen is a past value of the other end, kept beside one's own to spare the cache miss. A past head is a lower
     * bound, so room seen through it is real; only a full queue makes the producer look at the true one. It is
     * volatile, since more follows from it than a number: a thread
     * that knows that the head passed p must also see slot p as its consumer saw it (filled, or since then cleared),
     * and a thread that knows that the tail passed p must see the slot as its producer found it (cleared). Otherwise a
     * ring's slot could be mistaken for free, or for filled, one round too early.
     *
     * The ends lie two cache lines apart: see End.
     */
    private static final long FROZEN = 1;

    private final End head = new End();
    private final End tail = new End();

    static long position(long headWord) {
        return headWord >>> 1;
    }

    static boolean frozen(long headWord) {
        return (headWord & FROZEN) != 0;
    }

    long headWord() {
        return head.word;
    }

    long head() {
        return position(head.word);
    }

    long tail() {
        return tail.word;
    }

    /** Claims the position of this head word, unless the head has moved or is frozen. */
    boolean claimHead(long headWord) {
        return End.WORD.compareAndSet(head, headWord & ~FROZEN, (headWord & ~FROZEN) + 2);
    }

    boolean claimTail(long position) {
        return End.WORD.compareAndSet(tail, position, position + 1);
    }

    /** True when the queue held {@code capacity} tasks at some instant of the call; {@code tail} was read before it. */
    boolean isFull(long position, long capacity) {
        return position - tail.otherSeen >= capacity && isFullNow(position, capacity);
    }

    private boolean isFullNow(long position, long capacity) {
        long seen = head();
        tail.otherSeen = seen;
        return position - seen >= capacity;
    }

    /**
     * True when nothing was claimed beyond {@code position} at some instant of the call; the head was read before it.
     */
    boolean isEmpty(long position) {
        return position >= head.otherSeen && isEmptyNow(position);
    }

    private boolean isEmptyNow(long position) {
        long seen = tail();
        head.otherSeen = seen;
        return position >= seen;
    }

    boolean isEmpty() {
        return head() >= tail();
    }

    /** The number of tasks at one instant. */
    long size() {
        for (long first = head(); ; ) {
            long last = tail();
            long again = head();
            if (first == again) {
                return last - first;
            }
            first = again;
        }
    }

    /** Stops all consumers and returns the head's position. One thread at a time, see {@link QueueEdits}. */
    long freeze() {
        for (; ; ) {
            long word = head.word;
            if (End.WORD.compareAndSet(head, word, word | FROZEN)) {
                return position(word);
            }
        }
    }

    /** Lets consumers go on from this position, which is not smaller than the one that {@link #freeze} returned. */
    void thaw(long position) {
        head.word = position << 1;
    }

    /** Keeps what is before an end out of its cache lines. The JVM lays out fields of a superclass first. */
    @SuppressWarnings("unused")
    private abstract static class Padding {
        private long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14;
    }

    /** One end, and what its threads have seen of the other end. */
    private static final class End extends Padding {

        /** Its calls are compiled to the instruction itself. Those of a VarHandle pass three more methods. */
        static final AtomicLongFieldUpdater<End> WORD = AtomicLongFieldUpdater.newUpdater(End.class, "word");

        volatile long word; // set by CAS, by the thread that claims a position; and by the one that freezes the head
        volatile long otherSeen; // written by any thread that uses this end; a stale read is a bound, see above
    }
}
