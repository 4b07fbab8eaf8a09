package io.lifeguard.pool.diagnosis.evidence.loop;

import io.lifeguard.pool.diagnosis.evidence.cpu.NativeIds;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks.Fill;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.diagnosis.system.ThreadReading;
import io.lifeguard.pool.os.Unknown;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells how full one event loop was in the latest seconds. Confined to the monitor's thread.
 *
 * <p>A loop that is at work all the time may be held up by one long handler, or be filled by many short ones. Of the
 * latter no single look shows anything. But the thread's CPU time tells for how much of the time it worked, and the
 * system counts how often it gave its CPU up, which a loop does to wait for events.
 *
 * <p>Java does not tell the system's number of a thread. It is found by the name, of which the system keeps a part, and
 * by the CPU time, which both know. This is done only for loops that use much CPU time.
 */
final class LoopLoad {

    /** In its first 3 s a loop loads most of its classes. */
    private static final long YOUTH = TimeUnit.SECONDS.toNanos(3);

    /** Older readings are forgotten: the load is that of the latest 5 s, as in other rules. */
    private static final long SPAN = TimeUnit.SECONDS.toNanos(5);

    /** A load is told from 3 s on. CPU times come in steps of 10 ms, so its error is then below 1 %. */
    private static final long LEAST = TimeUnit.SECONDS.toNanos(3);

    /** A loop that uses less of a CPU is not full, unless it seldom gets one; then others are the trouble. */
    private static final double WORTH_ASKING = 0.2;

    /** A search reads the names of all threads, 10 µs each. It may cost 0.5 % of the time until the next one. */
    private static final long COST_FACTOR = 200;

    private final long born;
    private final Deque<Reading> readings = new ArrayDeque<>(); // oldest first
    private final Deque<Part> parts = new ArrayDeque<>(); // what each look showed, oldest first
    private long nativeId = Unknown.NUMBER;
    private long nextSearch; // by the monotonic clock

    LoopLoad(long nanos) {
        this.born = nanos;
        this.nextSearch = nanos;
    }

    void looked(long nanos, String handler) {
        parts.addLast(new Part(nanos, handler));
        while (nanos - parts.getFirst().nanos > SPAN) {
            parts.removeFirst();
        }
    }

    /**
     * Reads the loop's times.
     *
     * @param cpuNanos the CPU time that the thread has used; negative when it is unknown
     */
    void read(long nanos, String name, long cpuNanos, ThreadReader system) {
        if (cpuNanos < 0 || nanos - born < YOUTH) {
            return;
        }
        Reading last = readings.peekLast();
        boolean isAsked = nativeId != Unknown.NUMBER
                || (last != null && cpuNanos - last.cpuNanos >= WORTH_ASKING * (nanos - last.nanos));
        readings.addLast(new Reading(nanos, cpuNanos, isAsked ? ask(nanos, name, cpuNanos, system) : null));
        while (nanos - readings.getFirst().nanos > SPAN) {
            readings.removeFirst();
        }
    }

    private @Nullable ThreadReading ask(long nanos, String name, long cpuNanos, ThreadReader system) {
        ThreadReading known = system.read(nativeId);
        if (known != null && NativeIds.isSame(known, cpuNanos)) {
            return known;
        }
        nativeId = Unknown.NUMBER;
        if (nanos - nextSearch < 0) {
            return null;
        }
        long begin = System.nanoTime();
        try {
            return search(name, cpuNanos, system);
        } finally {
            nextSearch = nanos + COST_FACTOR * (System.nanoTime() - begin);
        }
    }

    private @Nullable ThreadReading search(String name, long cpuNanos, ThreadReader system) {
        nativeId = NativeIds.find(name, () -> cpuNanos, system);
        return system.read(nativeId);
    }

    /** {@return whether more looks are worth their cost, to learn what fills it} */
    boolean isBusy() {
        Reading last = readings.peekLast();
        return last != null && last.system != null;
    }

    /** {@return how full it was; empty when it was watched for too short a time} */
    Optional<Fill> fill() {
        Reading last = readings.peekLast();
        if (last == null) {
            return Optional.empty();
        }
        ThreadReading end = last.system;
        if (end != null) {
            for (Reading reading : readings) {
                ThreadReading begin = reading.system;
                if (begin != null && last.nanos - reading.nanos >= LEAST) {
                    double wall = last.nanos - reading.nanos;
                    double waits = (end.voluntarySwitches() - begin.voluntarySwitches()) * 1e9 / wall;
                    return Optional.of(
                            fill(reading, last, end.runQueueNanos() - begin.runQueueNanos(), OptionalDouble.of(waits)));
                }
            }
        }
        Reading first = readings.getFirst();
        return last.nanos - first.nanos < LEAST
                ? Optional.empty()
                : Optional.of(fill(first, last, 0, OptionalDouble.empty()));
    }

    private Fill fill(Reading begin, Reading end, long delay, OptionalDouble waits) {
        double wall = end.nanos - begin.nanos;
        double cpu = end.cpuNanos - begin.cpuNanos;
        double busy = Math.min(1, cpu / Math.max(cpu, wall - delay));
        return new Fill(busy, waits, wall / 1e9, shares());
    }

    private Map<String, Double> shares() {
        Map<String, Double> shares = new HashMap<>();
        for (Part part : parts) {
            if (!part.handler.isEmpty()) {
                shares.merge(part.handler, 1.0 / parts.size(), Double::sum);
            }
        }
        return shares;
    }

    void forget() {
        readings.clear();
        parts.clear();
    }

    private record Reading(
            long nanos, long cpuNanos, @Nullable ThreadReading system) {}

    private record Part(long nanos, String handler) {}
}
