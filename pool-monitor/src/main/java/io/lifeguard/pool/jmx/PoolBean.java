package io.lifeguard.pool.jmx;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Shows one pool, which it holds weakly. Thread-safe. A collected pool keeps its last figures. */
final class PoolBean implements PoolMXBean {

    /** Clients ask for all attributes one by one, and one snapshot answers them. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String name;
    private final WeakReference<InstrumentedPool> pool;
    private final Function<String, List<FindingData>> findings;

    // guarded by this
    private @Nullable PoolSnapshot latest;

    PoolBean(InstrumentedPool pool, Function<String, List<FindingData>> findings) {
        this.name = pool.name();
        this.pool = new WeakReference<>(pool);
        this.findings = findings;
    }

    static List<FindingData> findings(PoolMonitor monitor, String pool) {
        return monitor.findings(pool).stream().map(FindingData::of).toList();
    }

    boolean isOf(InstrumentedPool other) {
        return pool.get() == other;
    }

    private synchronized PoolSnapshot snapshot() {
        PoolSnapshot known = latest;
        InstrumentedPool live = pool.get();
        if (known == null || (live != null && System.nanoTime() - known.nanoTime() > FRESH_NANOS)) {
            if (live == null) {
                throw new IllegalStateException("pool " + name + " has been collected");
            }
            known = live.snapshot();
            latest = known;
        }
        return known;
    }

    private static double mean(Distribution times) {
        return times.isMeanKnown() ? millis(times, Distribution::mean) : Double.NaN;
    }

    private static double millis(Distribution times, Function<Distribution, Duration> figure) {
        return times.isKnown() ? figure.apply(times).toNanos() / 1e6 : Double.NaN;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public int getSize() {
        return snapshot().size();
    }

    @Override
    public int getActive() {
        return snapshot().active();
    }

    @Override
    public int getCoreSize() {
        return snapshot().limits().coreSize();
    }

    @Override
    public int getMaximumSize() {
        return snapshot().limits().maximumSize();
    }

    @Override
    public int getQueued() {
        return snapshot().queued();
    }

    @Override
    public int getQueueRemaining() {
        return snapshot().limits().queueRemaining();
    }

    @Override
    public long getSubmitted() {
        return snapshot().submitted();
    }

    @Override
    public long getCompleted() {
        return snapshot().completed();
    }

    @Override
    public long getFailed() {
        return snapshot().failed();
    }

    @Override
    public long getRejected() {
        return snapshot().rejected();
    }

    @Override
    public long getCallerRuns() {
        return snapshot().callerRuns();
    }

    @Override
    public int getBlockedSubmitters() {
        return snapshot().saturation().blockedNow();
    }

    @Override
    public double getQueueWaitMean() {
        return mean(snapshot().queueWait());
    }

    @Override
    public double getQueueWaitP99() {
        return millis(snapshot().queueWait(), times -> times.percentile(0.99));
    }

    @Override
    public double getServiceTimeMean() {
        return mean(snapshot().serviceTime());
    }

    @Override
    public double getServiceTimeP99() {
        return millis(snapshot().serviceTime(), times -> times.percentile(0.99));
    }

    @Override
    public String getBlind() {
        InstrumentedPool live = pool.get();
        return live == null ? "" : PoolMonitor.blindness(live).orElse("");
    }

    @Override
    public List<FindingData> getFindings() {
        return findings.apply(name);
    }
}
