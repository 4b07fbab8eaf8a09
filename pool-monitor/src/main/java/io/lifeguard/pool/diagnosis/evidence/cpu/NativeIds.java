package io.lifeguard.pool.diagnosis.evidence.cpu;

import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.diagnosis.system.ThreadReading;
import io.lifeguard.pool.os.Unknown;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Finds the system's number of a thread, which Java does not tell, by the name, of which the system keeps a part, and
 * by the CPU time, which both know. Stateless.
 */
public final class NativeIds {

    /** The two clocks are read within 1 ms; 20 ms is less than two busy threads differ by soon. */
    private static final long SAME_THREAD = TimeUnit.MILLISECONDS.toNanos(20);

    private NativeIds() {}

    /**
     * {@return the number of the only thread with this name and CPU time; {@link Unknown#NUMBER} where there is none,
     * or several look alike, which they later will not} Costs 10 µs for each thread of the process.
     */
    public static long find(String name, LongSupplier cpuNanos, ThreadReader system) {
        long found = Unknown.NUMBER;
        for (long id : system.named(List.of(name))) {
            long cpu = cpuNanos.getAsLong();
            ThreadReading reading = system.read(id);
            if (reading != null && isSame(reading, cpu)) {
                if (found != Unknown.NUMBER) {
                    return Unknown.NUMBER;
                }
                found = id;
            }
        }
        return found;
    }

    /**
     * {@return the number of the thread with this name and the nearest CPU time; {@link Unknown#NUMBER} where there is
     * none} For threads of which it does not matter which is which. Costs as much.
     *
     * @param taken those of others
     */
    public static long findAny(String name, LongSupplier cpuNanos, ThreadReader system, Collection<Long> taken) {
        long found = Unknown.NUMBER;
        long least = SAME_THREAD;
        for (long id : system.named(List.of(name))) {
            long cpu = cpuNanos.getAsLong();
            ThreadReading reading = taken.contains(id) ? null : system.read(id);
            if (reading != null && Math.abs(reading.cpuNanos() - cpu) <= least) {
                least = Math.abs(reading.cpuNanos() - cpu);
                found = id;
            }
        }
        return found;
    }

    public static boolean isSame(ThreadReading reading, long cpuNanos) {
        return Math.abs(reading.cpuNanos() - cpuNanos) <= SAME_THREAD;
    }
}
