package io.lifeguard.pool.diagnosis.evidence.carrier;

import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.cpu.NativeIds;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.diagnosis.system.ThreadReading;
import io.lifeguard.pool.os.Unknown;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measures for which share of the time carriers were ready to run and had no CPU. Confined to the monitor's thread.
 *
 * <p>A few carriers stand for all: the JVM's scheduler treats them alike. A reading takes 25 µs for each. It is taken
 * only while all carriers are seen to be taken, or where the JVM does not tell.
 */
final class CarrierCpuWaits {

    /** Carriers that are read, at 25 µs each. Four differ by chance by half as much as one does. */
    private static final int MOST = 4;

    /** A search reads the names of all threads, 10 µs each. It may cost 0.5 % of the time until the next one. */
    private static final long COST_FACTOR = 200;

    private static final ThreadReader SYSTEM = new ThreadReader();

    private final LongSupplier nanos;
    private final LongSupplier cpu;
    private final Supplier<List<Thread>> carriers;
    private final ToLongBiFunction<Thread, Collection<Long>> finder;
    private final LongFunction<@Nullable ThreadReading> reader;
    private final Map<Thread, Long> ids = new HashMap<>(); // of the system
    private final Map<Long, ThreadReading> before = new HashMap<>(); // by the system's number
    private boolean hasBegun;
    private long nextSearch;

    CarrierCpuWaits(LongSupplier nanos, Supplier<List<Thread>> carriers) {
        this(nanos, EvidenceBudget::cpuOfThisThread, carriers, CarrierCpuWaits::find, SYSTEM::read);
    }

    /**
     * @param cpu the CPU time of the calling thread, in nanoseconds
     * @param carriers the carriers that there are
     * @param finder finds the system's number of a thread, {@link Unknown#NUMBER} where that is not possible, and none
     *     of others
     * @param reader reads the thread with such a number
     */
    CarrierCpuWaits(
            LongSupplier nanos,
            LongSupplier cpu,
            Supplier<List<Thread>> carriers,
            ToLongBiFunction<Thread, Collection<Long>> finder,
            LongFunction<@Nullable ThreadReading> reader) {
        this.nanos = nanos;
        this.cpu = cpu;
        this.carriers = carriers;
        this.finder = finder;
        this.reader = reader;
        this.nextSearch = nanos.getAsLong();
    }

    private static long find(Thread carrier, Collection<Long> taken) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isThreadCpuTimeSupported()
                ? NativeIds.findAny(
                        carrier.getName(), () -> threads.getThreadCpuTime(ThreadLook.id(carrier)), SYSTEM, taken)
                : Unknown.NUMBER;
    }

    boolean hasBegun() {
        return hasBegun;
    }

    void begin() {
        hasBegun = true;
        before.clear();
        List<Thread> all = carriers.get();
        List<Thread> some = new ArrayList<>(all.subList(0, Math.min(MOST, all.size())));
        ids.keySet().retainAll(some);
        some.removeAll(ids.keySet());
        if (!some.isEmpty() && nanos.getAsLong() - nextSearch >= 0) {
            long start = cpu.getAsLong(); // on a full machine, the search takes far longer than its CPU time
            some.forEach(this::search);
            nextSearch = nanos.getAsLong() + COST_FACTOR * (cpu.getAsLong() - start);
        }
        ids.values().forEach(id -> {
            ThreadReading reading = reader.apply(id);
            if (reading != null) {
                before.put(id, reading);
            }
        });
    }

    private void search(Thread carrier) {
        long id = finder.applyAsLong(carrier, ids.values());
        if (id != Unknown.NUMBER) {
            ids.put(carrier, id);
        }
    }

    void forget() {
        hasBegun = false;
        before.clear();
    }

    /** {@return the share since the begin, 0 to 1; empty where it is unknown} */
    OptionalDouble share() {
        double sum = 0;
        int known = 0;
        for (Map.Entry<Long, ThreadReading> begin : before.entrySet()) {
            ThreadReading now = reader.apply(begin.getKey());
            double elapsed = now == null ? 0 : now.nanoTime() - begin.getValue().nanoTime();
            if (now != null && elapsed > 0) {
                sum += Math.min(1, now.runQueueNanosSince(begin.getValue()) / elapsed);
                known++;
            }
        }
        return known == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / known);
    }
}
