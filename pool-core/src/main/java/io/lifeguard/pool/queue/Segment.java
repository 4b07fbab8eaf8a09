package io.lifeguard.pool.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A stretch of a {@link SegmentQueue}: {@link #SIZE} slots, each used once, and the link to the next stretch. */
final class Segment {
    static final int SHIFT = 10;
    static final int SIZE = 1 << SHIFT;
    private static final int MASK = SIZE - 1;
    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(Segment.class, "next", Segment.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Holds the positions from {@code id * SIZE} on. */
    final long id;

    final @Nullable Object[] items = new Object[SIZE];
    final long[] stamps = new long[SIZE];

    // null, then the next one (set once, by CAS), then this segment itself: cut, see SegmentQueue.
    private volatile @Nullable Segment next;

    Segment(long id) {
        this.id = id;
    }

    static long idOf(long position) {
        return position >> SHIFT;
    }

    static int indexOf(long position) {
        return (int) position & MASK;
    }

    @Nullable
    Segment next() {
        return next;
    }

    /** Links this one, unless one is linked already. */
    boolean link(Segment segment) {
        return NEXT.compareAndSet(this, null, segment);
    }

    /** Points to itself from now on; returns what was next. */
    @Nullable
    Segment cut() {
        return (Segment) NEXT.getAndSet(this, this);
    }
}
