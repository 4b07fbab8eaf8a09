package io.lifeguard.pool.recording;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the observations of the last minute in memory, returns them, and writes them as a flight recording.
 * Thread-safe.
 *
 * <p>Observations are kept as the bytes of the file, in {@value #SEGMENTS} segments of {@value #SEGMENT_SECONDS} s. A
 * new segment replaces the oldest one. All segments together take at most 1 MiB. Where more happens, some tasks, waits
 * and looks at workers are left out, evenly over time and the short ones first. Figures of windows and news of findings
 * have a share of their own. Names are cut after {@value #LONGEST_NAME} characters, and what alone would fill what is
 * left of a segment is left out, so no name makes a box larger. Short waits of one submitter that follow each other
 * closely are kept as one.
 */
/*
 * A segment becomes a chunk of the file, so it has its own pool of texts. The bytes count what a segment takes: its
 * buffer, and its texts at two bytes per character and 100 bytes for a string and its entry. The buffer of the segment
 * that is being filled may be twice as long as its content; it is cut when the next segment begins. The lock is held
 * for a microsecond per observation, and for a copy of 1 MiB at most when the box is read. Workers do not come here:
 * see Recorder.
 */
final class BlackBox {

    private static final int SEGMENTS = 11; // ten full ones, and the one that is being filled
    private static final int SEGMENT_SECONDS = 6;
    private static final long SEGMENT_NANOS = SEGMENT_SECONDS * 1_000_000_000L;
    private static final long SECOND = 1_000_000_000L;

    /** Bytes of one segment. The one that is being filled may take three times as much. */
    private static final int SEGMENT_BYTES = (1 << 20) / (SEGMENTS + 2);

    /** Bytes of a segment that only windows and findings may use. */
    private static final int RESERVED = SEGMENT_BYTES / 4;

    /**
     * Bytes that frequent observations may use in one second: three eighths for looks at workers, as many for what
     * submitters do, and a quarter for all others. What is saved up in one second fits into the segment too.
     */
    private static final int BYTES_PER_SECOND = (SEGMENT_BYTES - RESERVED) / (SEGMENT_SECONDS + 1);

    /** Tasks and waits of 10 ms and more go before shorter ones, because they tell where the time went. */
    private static final long SHORT_NANOS = 10_000_000;

    private static final int BYTES_PER_TEXT = 100;

    /** The pool's and threads' names may be of any length. */
    private static final int LONGEST_NAME = 1_000;

    /** The field with the name of a thread, beside that of the pool. */
    private static final Set<String> NAMES = Set.of("pool", "thread");

    /** A longer text stays out of the pool: it is a stack or a sentence that does not come twice. */
    private static final int LONGEST_POOLED = 200;

    // guarded by this
    private final Deque<Segment> full = new ArrayDeque<>();
    private @Nullable Segment current;
    private long baseNanos; // moment of tick 0, the same for all chunks; set with the first segment
    private final Allowance looks = new Allowance(BYTES_PER_SECOND / 8 * 3);
    private final Allowance submitters = new Allowance(BYTES_PER_SECOND / 8 * 3);
    private final Allowance others = new Allowance(BYTES_PER_SECOND / 4);
    private final JoinedWaits waits = new JoinedWaits(new Consumer<>() {
        @Override
        public void accept(Observation observation) {
            keep(observation);
        }
    });
    private long dropped;

    /** Keeps an observation, if there is room. */
    synchronized void add(Observation observation) {
        waits.advance(observation.endNanos());
        if (observation instanceof Observation.SubmitWait wait) {
            waits.add(wait);
        } else if (observation instanceof Observation.CallerRun run) {
            waits.add(run);
        } else {
            keep(observation);
        }
    }

    private void keep(Observation observation) {
        long end = observation.endNanos();
        Segment segment = current;
        if (segment == null || end - segment.startNanos >= SEGMENT_NANOS || end < segment.startNanos - SEGMENT_NANOS) {
            segment = next(end);
        }
        boolean isRare =
                observation instanceof Observation.WindowSummary || observation instanceof Observation.FindingChange;
        int before = segment.bytes();
        if (isRare) {
            if (before >= SEGMENT_BYTES || !segment.add(observation, SEGMENT_BYTES)) {
                dropped++;
            }
            return;
        }
        boolean isLook = observation instanceof Observation.WorkerSample
                || observation instanceof Observation.PoolLooks
                || observation instanceof Observation.WorkerStack;
        Allowance allowance = allowance(observation, isLook, end);
        boolean isShort = !isLook && observation.durationNanos() < SHORT_NANOS;
        int most = SEGMENT_BYTES - RESERVED;
        if (before >= most || !allowance.hasRoom(isShort) || !segment.add(observation, most)) {
            dropped++;
            return;
        }
        allowance.bytes -= segment.bytes() - before;
    }

    /** {@return the share of an observation, or another one that is not used} */
    private Allowance allowance(Observation observation, boolean isLook, long end) {
        if (isLook) {
            return looks.orOther(others.orOther(submitters, end), end);
        }
        boolean isSubmitters =
                observation instanceof Observation.SubmitWait || observation instanceof Observation.CallerRun;
        return isSubmitters
                ? submitters.orOther(others.orOther(looks, end), end)
                : others.orOther(looks.orOther(submitters, end), end);
    }

    private Segment next(long startNanos) {
        long firstKey = 0;
        if (current == null) {
            baseNanos = startNanos;
        } else {
            firstKey = current.nextKey();
            current.close();
            full.add(current);
        }
        while (full.size() >= SEGMENTS) {
            full.remove();
        }
        Segment segment = new Segment(startNanos, baseNanos, firstKey);
        current = segment;
        return segment;
    }

    /** {@return how many observations were left out since the start} */
    synchronized long dropped() {
        return dropped;
    }

    /** {@return when the oldest observation ended, in nanoseconds since 1970; empty when there is none} */
    synchronized OptionalLong oldestNanos() {
        waits.flush();
        Segment oldest = full.isEmpty() ? current : full.peek();
        return oldest == null ? OptionalLong.empty() : OptionalLong.of(oldest.startNanos);
    }

    /** {@return how many bytes the observations take, an upper estimate} */
    synchronized int bytes() {
        int sum = current == null ? 0 : 3 * current.bytes();
        for (Segment segment : full) {
            sum += segment.bytes();
        }
        return sum;
    }

    /**
     * Writes what is kept as a flight recording. An empty box writes one chunk without events.
     *
     * @param nowNanos the present moment, in nanoseconds since 1970
     * @throws IOException if the stream throws it
     */
    void writeTo(OutputStream out, long nowNanos) throws IOException {
        List<Written> chunks = written(Long.MIN_VALUE);
        if (chunks.isEmpty()) {
            chunks.add(new Segment(nowNanos, 0, 0).written());
        }
        BufferedOutputStream buffered = new BufferedOutputStream(out);
        for (Written chunk : chunks) {
            ChunkFormat.write(
                    buffered,
                    chunk.startNanos,
                    chunk.startNanos - chunk.baseNanos,
                    chunk.endNanos,
                    chunk.events,
                    chunk.firstKey,
                    chunk.texts);
        }
        buffered.flush();
    }

    /**
     * {@return what is kept and had not ended before a moment, in the order in which it was added, in a new list}
     *
     * @param fromNanos the moment, in nanoseconds since 1970
     */
    List<Observation> observations(long fromNanos) {
        List<Observation> observations = new ArrayList<>();
        for (Written segment : written(fromNanos)) {
            ByteReader reader = new ByteReader(segment.events, segment.firstKey, segment.texts);
            while (reader.hasMore()) {
                StoredEvent.read(reader, segment.baseNanos, fromNanos).ifPresent(observations::add);
            }
        }
        return observations;
    }

    private List<Written> written(long fromNanos) {
        List<Written> segments = new ArrayList<>();
        synchronized (this) {
            waits.flush();
            for (Segment segment : full) {
                if (segment.endNanos >= fromNanos) {
                    segments.add(segment.written());
                }
            }
            if (current != null) {
                segments.add(current.written());
            }
        }
        return segments;
    }

    /**
     * Bytes that may still be used. They come back as time goes on, so that what is kept of an overload is spread
     * evenly. Guarded by the box.
     */
    private static final class Allowance {
        private final int most; // what comes back in a second, and what can be saved up
        private long bytes;
        private long moment; // of the latest observation, in nanoseconds since 1970

        Allowance(int most) {
            this.most = most;
            this.bytes = most;
        }

        /** {@return this one, or another one that is more than half unused when this one is used up} */
        Allowance orOther(Allowance other, long now) {
            refill(now);
            other.refill(now);
            return bytes <= 0 && other.bytes > other.most / 2 ? other : this;
        }

        /** {@return whether there is room; the second half is for what is not short} */
        boolean hasRoom(boolean isShort) {
            return bytes > (isShort ? most / 2 : 0);
        }

        private void refill(long now) {
            long passed = now - moment;
            if (passed < 0 && passed > -SEGMENT_NANOS) {
                return; // it was told late
            }
            long back = passed < 0 || passed >= SECOND ? most : most * passed / SECOND;
            if (back > 0) {
                bytes = Math.min(most, bytes + back);
                moment = now;
            }
        }
    }

    /** A copy of a segment. */
    @SuppressWarnings("ArrayRecordComponent") // copies are never compared
    private record Written(
            long startNanos, long baseNanos, long endNanos, byte[] events, long firstKey, List<String> texts) {}

    /** The observations of some seconds. Guarded by the box. */
    private static final class Segment {
        private final long startNanos;
        private final long baseNanos; // moment of tick 0
        private final long firstKey;
        private final ByteBuilder events = new ByteBuilder();
        private final ByteBuilder event = new ByteBuilder();
        private final Map<String, Long> keys = new HashMap<>();
        private final List<String> texts = new ArrayList<>();
        private long endNanos;
        private int textBytes;

        Segment(long startNanos, long baseNanos, long firstKey) {
            this.startNanos = startNanos;
            this.baseNanos = baseNanos;
            this.firstKey = firstKey;
            this.endNanos = startNanos;
        }

        int bytes() {
            return events.length() + textBytes;
        }

        /** {@return whether the observation was added: the segment then takes at most so many bytes} */
        boolean add(Observation observation, int most) {
            EventType type = EventType.of(observation);
            boolean hasDuration = type.hasDuration();
            long begin = hasDuration ? observation.startNanos() : observation.endNanos();
            event.clear();
            event.compressed(ChunkFormat.number(type));
            event.compressed(begin - baseNanos);
            event.compressed(hasDuration ? observation.durationNanos() : 0L);
            Object[] values = type.values(observation, 0);
            List<EventField> fields = type.fields();
            int known = texts.size();
            for (int i = 0; i < values.length && event.length() <= most; i++) {
                put(fields.get(i), values[i]);
            }
            if (bytes() + event.length() + ByteBuilder.SIZE_BYTES > most) {
                forgetTexts(known);
                event.clear();
                event.trim(); // it may be of any size
                return false;
            }
            endNanos = Math.max(endNanos, observation.endNanos());
            events.sized(event);
            return true;
        }

        /** Forgets the texts that were added to the first ones. */
        private void forgetTexts(int first) {
            for (int i = texts.size() - 1; i >= first; i--) {
                String text = texts.remove(i);
                keys.remove(text);
                textBytes -= bytes(text);
            }
        }

        private static int bytes(String pooled) {
            return BYTES_PER_TEXT + 2 * pooled.length();
        }

        private void put(EventField field, Object value) {
            switch (field.form()) {
                case TEXT -> putText(NAMES.contains(field.name()) ? cut((String) value) : (String) value);
                case FLAG -> event.flag((Boolean) value);
                case INT -> event.compressed((int) (Integer) value);
                case LONG, TIMESPAN -> event.compressed((long) (Long) value);
                case DOUBLE -> event.real((Double) value);
            }
        }

        private static String cut(String name) {
            return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
        }

        private void putText(String text) {
            if (text.isEmpty() || text.length() > LONGEST_POOLED) {
                event.text(text);
                return;
            }
            Long known = keys.get(text);
            if (known == null) {
                known = nextKey();
                keys.put(text, known);
                texts.add(text);
                textBytes += bytes(text);
            }
            event.pooledText(known);
        }

        /** Nothing will be added. */
        void close() {
            events.trim();
            keys.clear();
        }

        long nextKey() {
            return firstKey + texts.size();
        }

        Written written() {
            return new Written(startNanos, baseNanos, endNanos, events.toArray(), firstKey, List.copyOf(texts));
        }
    }
}
