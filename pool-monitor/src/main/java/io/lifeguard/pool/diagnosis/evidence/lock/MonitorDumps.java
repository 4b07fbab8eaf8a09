package io.lifeguard.pool.diagnosis.evidence.lock;

import io.lifeguard.pool.InstrumentedPool;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes dumps that tell who holds monitors, each only while it is {@linkplain DumpLimit sure to be cheap}, and so
 * rarely that they cost 0.2 % of the time. Confined to the monitor's thread.
 */
public final class MonitorDumps {

    /** A dump may cost 0.2 % of the time until the next one. */
    private static final long COST_FACTOR = 500;

    private final LongSupplier nanos;
    private final DumpLimit limit;
    private final BooleanSupplier mayAsk;
    private final MonitorOwners owners = new MonitorOwners();
    private @Nullable Boolean known; // asked when it first matters: null before
    private long next;

    public MonitorDumps(LongSupplier nanos, ThreadMXBean threads) {
        this(nanos, threads, () -> MonitorOwners.whyUnknown().isEmpty());
    }

    /** @param mayAsk whether the JVM tells, and survives that. Asked once */
    MonitorDumps(LongSupplier nanos, ThreadMXBean threads, BooleanSupplier mayAsk) {
        this.mayAsk = mayAsk;
        this.nanos = nanos;
        this.limit = new DumpLimit(threads);
        this.next = nanos.getAsLong();
    }

    public MonitorOwners owners() {
        return owners;
    }

    /** {@return whether the JVM tells who holds monitors, and survives that it is asked} */
    public boolean areKnown() {
        Boolean tells = known;
        if (tells == null) {
            tells = mayAsk.getAsBoolean();
            known = tells;
        }
        return tells;
    }

    /** {@return whether a dump would tell anything, and may be taken now} */
    public boolean isDue() {
        return areKnown() && nanos.getAsLong() - next >= 0;
    }

    public void see(Collection<InstrumentedPool> pools) {
        limit.see(pools);
    }

    /**
     * Takes a dump, or forgets the latest one where a dump might be dear.
     *
     * @param known how many threads the instrumented pools have
     * @return whether a dump was taken and read
     */
    public boolean take(long known, Collection<InstrumentedPool> pools) {
        long begin = nanos.getAsLong();
        next = begin; // also if it fails
        long made = limit.othersMade(pools);
        int dumped = 0;
        if (limit.allows(known, made)) {
            long cpu = limit.cpuNanos();
            dumped = owners.read();
            if (dumped > 0) {
                limit.learn(dumped, known, made, limit.cpuNanos() - cpu);
            }
        } else {
            owners.forget();
        }
        next = begin + COST_FACTOR * (nanos.getAsLong() - begin);
        return dumped > 0;
    }
}
