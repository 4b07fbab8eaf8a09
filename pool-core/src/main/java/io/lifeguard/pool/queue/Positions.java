package io.lifeguard.pool.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

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
     * headSeen and tailSeen are past values of the other end, kept beside one's own to spare the cache miss. A past
     * head is a lower bound, so room seen through it is real; only a full queue makes the producer look at the true
     * one. They are written with release and read with acquire, since more follows from them than a number: a thread
     * that knows that the head passed p must also see slot p as its consumer saw it (filled, or since then cleared),
     * and a thread that knows that the tail passed p must see the slot as its producer found it (cleared). Otherwise a
     * ring's slot could be mistaken for free, or for filled, one round too early.
     *
     * The words lie two cache lines apart.
     */
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int HEAD = 16;
    private static final int TAIL_SEEN = 17;
    private static final int TAIL = 32;
    private static final int HEAD_SEEN = 33;
    private static final int LENGTH = 48;
    private static final long FROZEN = 1;

    private final long[] words = new long[LENGTH];

    static long position(long headWord) {
        return headWord >>> 1;
    }

    static boolean frozen(long headWord) {
        return (headWord & FROZEN) != 0;
    }

    long headWord() {
        return (long) WORD.getVolatile(words, HEAD);
    }

    long head() {
        return position(headWord());
    }

    long tail() {
        return (long) WORD.getVolatile(words, TAIL);
    }

    /** Claims the position of this head word, unless the head has moved or is frozen. */
    boolean claimHead(long headWord) {
        return WORD.compareAndSet(words, HEAD, headWord & ~FROZEN, (headWord & ~FROZEN) + 2);
    }

    boolean claimTail(long tail) {
        return WORD.compareAndSet(words, TAIL, tail, tail + 1);
    }

    /** True when the queue held {@code capacity} tasks at some instant of the call; {@code tail} was read before it. */
    boolean isFull(long tail, long capacity) {
        if (tail - (long) WORD.getAcquire(words, HEAD_SEEN) < capacity) {
            return false;
        }
        long head = head();
        WORD.setRelease(words, HEAD_SEEN, head);
        return tail - head >= capacity;
    }

    /**
     * True when nothing was claimed beyond {@code head} at some instant of the call; {@code head} was read before it.
     */
    boolean isEmpty(long head) {
        if (head < (long) WORD.getAcquire(words, TAIL_SEEN)) {
            return false;
        }
        long tail = tail();
        WORD.setRelease(words, TAIL_SEEN, tail);
        return head >= tail;
    }

    boolean isEmpty() {
        return head() >= tail();
    }

    /** The number of tasks at one instant. */
    long size() {
        for (long head = head(); ; ) {
            long tail = tail();
            long again = head();
            if (head == again) {
                return tail - head;
            }
            head = again;
        }
    }

    /** Stops all consumers and returns the head's position. One thread at a time, see {@link QueueEdits}. */
    long freeze() {
        for (; ; ) {
            long word = headWord();
            if (WORD.compareAndSet(words, HEAD, word, word | FROZEN)) {
                return position(word);
            }
        }
    }

    /** Lets consumers go on from this position, which is not smaller than the one that {@link #freeze} returned. */
    void thaw(long head) {
        WORD.setVolatile(words, HEAD, head << 1);
    }
}
