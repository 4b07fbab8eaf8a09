package io.lifeguard.pool.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** One piece of a {@link SegmentQueue}: slots that are used once each, and the link to the next segment. */
final class Segment {
    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(Segment.class, "next", Segment.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Holds the positions from {@code id * size} on. */
    final long id;

    final @Nullable Object[] items;
    final long[] stamps;

    // null, then the next one (set once, by CAS), then this segment itself: cut, see SegmentQueue.
    private volatile @Nullable Segment next;

    Segment(long id, int size) {
        this.id = id;
        items = new Object[size];
        stamps = new long[size];
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
