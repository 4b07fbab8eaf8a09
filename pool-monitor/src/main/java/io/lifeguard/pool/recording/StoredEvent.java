package io.lifeguard.pool.recording;

import java.util.Optional;

/**
 * One event as the black box stores it: a size, the number of its type, its begin, its length, and its fields. They are
 * read once each, in their order.
 *
 * @param startNanos when it began, in nanoseconds since 1970
 * @param durationNanos how long it lasted; 0 for a moment
 */
record StoredEvent(ByteReader in, long startNanos, long durationNanos) implements EventRow {

    /**
     * Reads the next event.
     *
     * @param baseNanos where the ticks of begins are counted from
     * @param fromNanos events that ended before this moment are skipped
     */
    static Optional<Observation> read(ByteReader in, long baseNanos, long fromNanos) {
        int position = in.position();
        int size = Math.toIntExact(in.compressed());
        EventType type = ChunkFormat.type(in.compressed());
        long start = baseNanos + in.compressed();
        long duration = in.compressed();
        if (start + duration < fromNanos) {
            in.moveTo(position + size);
            return Optional.empty();
        }
        return type.read(new StoredEvent(in, start, duration));
    }

    @Override
    public String text(String field) {
        return in.text();
    }

    @Override
    public boolean flag(String field) {
        return in.flag();
    }

    @Override
    public long number(String field) {
        return in.compressed();
    }

    @Override
    public double real(String field) {
        return in.real();
    }
}
