package io.lifeguard.pool.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A queue in a chain of segments, bounded or unbounded. Allocates one segment per 1,024 tasks. Thread-safe. */
final class SegmentQueue extends WorkQueue {
    /*
     * Position p lives in the segment whose id is p / size. The segments form one chain in the order of their ids; each
     * slot is used once, so that its item goes null, task, null, and no round can be mistaken for another.
     *
     * The chain is that of Michael and Scott's queue, whose hints any thread moves on. WorkQueueStressTest, and the
     * jcstress tests with small segments, attack it.
     *
     *   headSegment, tailSegment   hints: the id is never beyond that of the head's, the tail's own segment. Both only
     *                              move forward, by CAS.
     *   Segment.next               linked once, under the growth lock, by a producer that needs it.
     *
     * Find first, claim afterwards. A hint may move on at any time and a chain has no way back, so a thread that
     * claimed a position and then looked for its segment could have lost it. Producers and consumers therefore read the
     * hint, then their end (in this order: the hint is then not beyond it), walk to the segment, and claim last. A
     * claim that succeeds finds the slot in hand. It also means that a producer allocates before it claims: running out
     * of memory leaves no hole in the queue.
     *
     * Segments left behind are cut off (next = itself). Not for reachability (nothing points back), but because a dead
     * segment in the old generation would keep all its younger successors alive until a full collection. The consumer
     * that moves headSegment from a to b makes sure that tailSegment is not behind b, and then cuts a up to b. A thread
     * that still walks there meets a segment that is its own successor, has claimed nothing yet, and starts again from
     * the hint. Consumers that have claimed a slot of a cut segment hold that segment, and need no link.
     */
    private static final VarHandle HEAD_SEGMENT;
    private static final VarHandle TAIL_SEGMENT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD_SEGMENT = lookup.findVarHandle(SegmentQueue.class, "headSegment", Segment.class);
            TAIL_SEGMENT = lookup.findVarHandle(SegmentQueue.class, "tailSegment", Segment.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** So that producers that reach the end of the chain together allocate one segment, and not one each. */
    private final Growth growth = new Growth();

    private static final class Growth extends ShortLock {}

    private final int shift;
    private final int mask;

    // Set by CAS, forward only: by producers and consumers that meet the end of a segment. A stale read is a longer
    // walk.
    private volatile Segment headSegment;
    private volatile Segment tailSegment;

    /** A method, because a constructor's call would load this class for a pool that has another queue. */
    static WorkQueue of(long capacity, int segmentSize) {
        return new SegmentQueue(capacity, segmentSize);
    }

    /** Its segments have so many slots, a power of two. */
    SegmentQueue(long capacity, int segmentSize) {
        super(capacity);
        shift = Integer.numberOfTrailingZeros(segmentSize);
        mask = segmentSize - 1;
        headSegment = new Segment(0, segmentSize);
        tailSegment = headSegment;
    }

    Segment headSegment() {
        return headSegment;
    }

    @Override
    boolean append(Runnable task, long stamp, long limit) {
        for (; ; ) {
            Segment hint = tailSegment;
            long tail = positions.tail();
            if (positions.isFull(tail, limit)) {
                return false;
            }
            long id = tail >> shift;
            Segment segment = hint.id == id ? hint : reachOrGrow(hint, id);
            if (segment != null && positions.claimTail(tail)) {
                int index = (int) tail & mask;
                segment.stamps[index] = stamp;
                try {
                    VarHandle.releaseFence();
                } catch (Throwable ignored) { // the position is claimed: consumers wait for its task
                    fence = index;
                    seen = fence;
                }
                segment.items[index] = task; // once: a consumer may take it at once, and then it must stay null
                if (segment != hint) {
                    try {
                        TAIL_SEGMENT.compareAndSet(this, hint, segment);
                    } catch (Throwable ignored) { // the hint stays behind until the next producer moves it
                        return true;
                    }
                }
                return true;
            }
        }
    }

    @Override
    @Nullable
    Runnable dequeue(@Nullable QueueWorker worker, IdleWorkers.@Nullable Seeker seeker) {
        for (int pauses = 0; ; ) {
            Segment hint = headSegment;
            long word = positions.headWord();
            long head = Positions.position(word);
            if (positions.isEmpty(head)) {
                return null;
            }
            if (Positions.frozen(word)) {
                edits.awaitThaw();
                continue;
            }
            long id = head >> shift;
            Segment segment = hint.id == id ? hint : reach(hint, id);
            int index = (int) head & mask;
            Runnable task = segment == null ? null : (Runnable) segment.items[index];
            VarHandle.acquireFence();
            if (segment == null || task == null) {
                pauses = Pause.once(pauses);
                continue;
            }
            long stamp = segment.stamps[index]; // before the claim: both lines are then fetched at the same time
            if (positions.claimHead(word)) {
                segment.items[index] = null;
                try {
                    if (segment != hint) {
                        leaveBehind(hint, segment); // an Error here may leave the hint behind, and segments linked
                    }
                    leave(task, stamp, head + 1, worker, seeker);
                } catch (Throwable ignored) { // the task is nowhere but here
                    leaveAfterError(task, stamp, head + 1, worker, seeker);
                }
                return task;
            }
        }
    }

    /** The segment of this id, or null when the way to it was cut or is not linked yet. */
    private static @Nullable Segment reach(Segment from, long id) {
        Segment segment = from;
        while (segment.id < id) {
            Segment next = segment.next();
            if (next == null || next == segment) {
                return null;
            }
            segment = next;
        }
        return segment;
    }

    /** The segment of this id, allocated when it is the first of its kind; null when the way to it was cut. */
    private @Nullable Segment reachOrGrow(Segment from, long id) {
        Segment segment = from;
        while (segment.id < id) {
            Segment next = segment.next();
            if (next == null) {
                next = grow(segment);
            }
            if (next == segment) {
                return null;
            }
            segment = next;
        }
        return segment;
    }

    private Segment grow(Segment last) {
        growth.lock();
        try {
            Segment next = last.next();
            if (next == null) {
                next = new Segment(last.id + 1, mask + 1);
                last.link(next);
            }
            return next;
        } finally {
            growth.locked = ShortLock.FREE;
        }
    }

    private void leaveBehind(Segment from, Segment to) {
        if (!HEAD_SEGMENT.compareAndSet(this, from, to)) {
            return;
        }
        for (Segment tail = tailSegment; tail.id < to.id; tail = tailSegment) {
            TAIL_SEGMENT.compareAndSet(this, tail, to);
        }
        for (Segment segment = from; segment != null && segment != to; ) {
            segment = segment.cut();
        }
    }

    @Override
    Cursor cursor(long position) {
        long id = position >> shift;
        Segment segment = headSegment;
        while (segment.id < id) {
            Segment next = segment.next();
            if (next == null) {
                // The tail, at the start of a segment that no task has needed yet: there is no item to ask for.
                return new SegmentCursor(segment, segment.items.length);
            }
            segment = next == segment ? headSegment : next;
        }
        return new SegmentCursor(segment, (int) position & mask);
    }

    private static final class SegmentCursor extends Cursor {
        private Segment segment;

        SegmentCursor(Segment segment, int index) {
            super(segment.items, segment.stamps, index);
            this.segment = segment;
        }

        @Override
        void next() {
            index++;
            Segment following = index < items.length ? null : segment.next();
            // None is linked when this was the last claimed position: no caller will ask for the item.
            if (following != null) {
                segment = following;
                items = following.items;
                stamps = following.stamps;
                index = 0;
            }
        }
    }
}
