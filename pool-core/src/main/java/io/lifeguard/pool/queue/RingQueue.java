package io.lifeguard.pool.queue;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A bounded queue in two arrays that are used as a ring. Allocates nothing per task. Thread-safe. */
final class RingQueue extends WorkQueue {
    /*
     * Position p lives at index p & mask of both arrays. The arrays are at least as long as the capacity, so two live
     * positions never share an index, but a position and the one a full round earlier do.
     *
     *   items[i]   null: free. Written by the producer that claimed the position, after the stamp and a release fence;
     *              cleared by the consumer that claimed it, after it read both.
     *   stamps[i]  plain: ordered by the item beside it.
     *
     * Items are read and written by plain statements, which are cheap even before they are compiled, and cannot fail.
     * The claim between two of them orders them: a compareAndSet lets nothing pass. Only a stamp and its item have no
     * claim between them, so a fence orders them for the producer, and another one for the consumer.
     *
     * This is Vyukov's bounded queue without a sequence number per slot, which RoundAndRound, OfferOrPoll,
     * OneSlotTwoProducers and OneTaskTwoConsumers attack. Without that number, no thread may ever meet the item of
     * another round. The rule that ensures it: a producer claims position t only after it saw slot t empty, while
     * t - head < capacity. The head has then passed t - length, so that position was published before, and empty means
     * that its consumer is done with it (not that its producer is still to come). As only the thread that claims t
     * writes the slot from then on, it is still empty when the CAS of the tail succeeds; and a consumer that sees the
     * tail beyond t sees that emptiness or what came after. So a producer never waits between its claim and its
     * publication.
     *
     * A consumer reads the head, the item, the stamp, and then claims the head: if that succeeds, the head did not move
     * in between, and item and stamp were this position's. Null there means a producer between its claim and its
     * publication: the consumer waits, because tasks behind that one may be complete, and "empty" would be wrong.
     *
     * An Error that strikes between a claim and what follows it must not leave a hole. Only the call of the fence can
     * fail there. See fence in WorkQueue.
     */
    private final @Nullable Object[] items;
    private final long[] stamps;
    private final int mask;

    /** A method, because a constructor's call would load this class for a pool that has another queue. */
    static WorkQueue of(int capacity) {
        return new RingQueue(capacity);
    }

    private RingQueue(int capacity) {
        super(capacity);
        int length = capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
        items = new Object[length];
        stamps = new long[length];
        mask = length - 1;
    }

    @Override
    boolean append(Runnable task, long stamp, long limit) {
        for (int pauses = 0; ; ) {
            long tail = positions.tail();
            if (positions.isFull(tail, limit)) {
                return false;
            }
            int index = (int) tail & mask;
            if (items[index] != null) {
                // Another producer was faster, or a consumer of the round before is about to clear its slot.
                pauses = Pause.once(pauses);
            } else if (positions.claimTail(tail)) {
                stamps[index] = stamp;
                try {
                    VarHandle.releaseFence();
                } catch (Throwable ignored) { // the position is claimed: consumers wait for its task
                    fence = index;
                    seen = fence;
                }
                items[index] = task;
                return true;
            }
        }
    }

    @Override
    @Nullable
    Runnable dequeue(@Nullable QueueWorker worker, IdleWorkers.@Nullable Seeker seeker) {
        for (int pauses = 0; ; ) {
            long word = positions.headWord();
            long head = Positions.position(word);
            if (positions.isEmpty(head)) {
                return null;
            }
            if (Positions.frozen(word)) {
                edits.awaitThaw();
                continue;
            }
            int index = (int) head & mask;
            Runnable task = (Runnable) items[index];
            VarHandle.acquireFence();
            long stamp = stamps[index]; // before the claim: both lines are then fetched at the same time
            if (task == null) {
                pauses = Pause.once(pauses);
            } else if (positions.claimHead(word)) {
                items[index] = null;
                try {
                    leave(task, stamp, head + 1, worker, seeker);
                } catch (Throwable ignored) { // the task is nowhere but here
                    leaveAfterError(task, stamp, head + 1, worker, seeker);
                }
                return task;
            }
        }
    }

    @Override
    Cursor cursor(long position) {
        return RingCursor.at(items, stamps, (int) position & mask);
    }

    private static final class RingCursor extends Cursor {

        /** A method, because a constructor's call would load this class with the queue. */
        static Cursor at(@Nullable Object[] items, long[] stamps, int index) {
            return new RingCursor(items, stamps, index);
        }

        private RingCursor(@Nullable Object[] items, long[] stamps, int index) {
            super(items, stamps, index);
        }

        @Override
        void next() {
            index = (index + 1) & (items.length - 1);
        }
    }
}
