package io.lifeguard.pool.jmx;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import javax.management.openmbean.SimpleType;
import org.jspecify.annotations.Nullable;

/** Shows one pool, which it holds weakly. Thread-safe. A collected pool keeps its last figures. */
final class PoolBean extends TableBean {

    /** Clients ask for all attributes one by one, and one snapshot answers them. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String name;
    private final WeakReference<InstrumentedPool> pool;

    // guarded by this; null if the pool has thrown, each time that it was asked
    private @Nullable PoolSnapshot latest;

    PoolBean(InstrumentedPool pool, Function<String, List<Finding>> findings) {
        super("A pool of this JVM. Counts are since the pool was created; a negative count is not known. Times are in"
                + " milliseconds, NaN when not known.");
        this.name = pool.name();
        this.pool = new WeakReference<>(pool);
        this.latest = first(pool);
        attribute("Name", "the pool's name", SimpleType.STRING, () -> name);
        number("Size", "how many workers are alive", PoolSnapshot::size);
        number("Active", "how many workers run a task", PoolSnapshot::active);
        number("CoreSize", "the core pool size", now -> now.limits().coreSize());
        number(
                "MaximumSize",
                "the largest number of workers",
                now -> now.limits().maximumSize());
        number("Queued", "how many tasks wait in the queue", PoolSnapshot::queued);
        String free = "how many tasks more the queue takes; MAX_VALUE when it has no bound";
        number("QueueRemaining", free, now -> now.limits().queueRemaining());
        count("Submitted", "how many tasks were accepted", PoolSnapshot::submitted);
        count("Completed", "how many tasks workers ran to their end", PoolSnapshot::completed);
        count("Failed", "how many tasks ended with an exception", PoolSnapshot::failed);
        count("Rejected", "how many tasks were refused", PoolSnapshot::rejected);
        count("CallerRuns", "how many tasks their submitters ran", PoolSnapshot::callerRuns);
        String blocked = "how many submitters wait for room now";
        number("BlockedSubmitters", blocked, now -> now.saturation().blockedNow());
        times("QueueWait", "queue wait", PoolSnapshot::queueWait);
        times("ServiceTime", "service time", PoolSnapshot::serviceTime);
        attribute(
                "Blind",
                "why it is unknown which threads are the workers, so that they are not looked at; empty if it is known",
                SimpleType.STRING,
                this::blindness);
        attribute(
                "Findings",
                "the raised findings, worst first, by the names of the published schema",
                FindingComposite.arrayType(),
                () -> FindingComposite.of(findings.apply(name)));
    }

    private void number(String attribute, String what, ToIntFunction<PoolSnapshot> figure) {
        attribute(attribute, what, SimpleType.INTEGER, () -> figure.applyAsInt(snapshot()));
    }

    private void count(String attribute, String what, ToLongFunction<PoolSnapshot> figure) {
        attribute(attribute, what, SimpleType.LONG, () -> figure.applyAsLong(snapshot()));
    }

    private void times(String attribute, String what, Function<PoolSnapshot, Distribution> of) {
        attribute(attribute + "Mean", "the mean " + what + ", in milliseconds", SimpleType.DOUBLE, () -> {
            Distribution times = of.apply(snapshot());
            return times.isMeanKnown() ? millis(times.mean()) : Double.NaN;
        });
        String percentile = "the 99th percentile of the " + what + ", in milliseconds";
        attribute(attribute + "P99", percentile, SimpleType.DOUBLE, () -> {
            Distribution times = of.apply(snapshot());
            return times.isKnown() ? millis(times.percentile(0.99)) : Double.NaN;
        });
    }

    private static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }

    /** The first client to read may come when the pool has been collected. */
    private static @Nullable PoolSnapshot first(InstrumentedPool pool) {
        try {
            return pool.snapshot();
        } catch (RuntimeException e) { // each reader is told why
            return null;
        }
    }

    private String blindness() {
        InstrumentedPool live = pool.get();
        return live == null ? "" : PoolMonitor.blindness(live).orElse("");
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
}
