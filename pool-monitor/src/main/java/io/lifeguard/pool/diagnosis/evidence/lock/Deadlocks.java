package io.lifeguard.pool.diagnosis.evidence.lock;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadPicture;
import io.lifeguard.pool.diagnosis.seen.DeadlockCircle;
import io.lifeguard.pool.os.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds threads that wait for each other's locks. Confined to the monitor's thread.
 *
 * <p>The JVM itself finds circles of platform threads, and stops all threads meanwhile: 0.1 ms for a hundred. So it is
 * asked once in three seconds, or less often where that takes long. It does not look at virtual threads, see
 * {@link VirtualDeadlocks}.
 */
public final class Deadlocks {

    /** 3 s: a deadlock lasts forever, so it is soon enough, and costs 0.1 ms in that time. */
    private static final long USUAL_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** A look may cost 0.2 % of the time until the next one. */
    private static final long COST_FACTOR = 500;

    private final LongSupplier nanos;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private @Nullable VirtualDeadlocks virtual; // made for the first executor that is seen with a virtual thread
    private List<DeadlockCircle> platform = List.of();
    private Set<Long> stuck = Set.of();
    private long next;

    public Deadlocks(LongSupplier nanos) {
        this.nanos = nanos;
        this.next = nanos.getAsLong();
    }

    public List<DeadlockCircle> look(Collection<InstrumentedPool> pools) {
        long now = nanos.getAsLong();
        if (now - next >= 0) {
            lookAtPlatformThreads();
            long cost = nanos.getAsLong() - now;
            next = now + Math.max(USUAL_NANOS, COST_FACTOR * cost);
        }
        List<DeadlockCircle> all = new ArrayList<>(platform);
        VirtualDeadlocks known = virtual;
        for (InstrumentedPool pool : pools) {
            if (known == null && VirtualThreads.exist() && TaskThreads.count(pool) > 0) {
                known = new VirtualDeadlocks(nanos, threads);
                virtual = known;
            }
        }
        if (known != null) {
            all.addAll(known.look(pools));
        }
        return all;
    }

    /** {@return what the latest look could not see, as a clause; empty if it saw all} */
    public String unseen() {
        return virtual == null ? "" : virtual.unseen();
    }

    private void lookAtPlatformThreads() {
        long @Nullable [] ids = threads.findDeadlockedThreads();
        if (ids == null) {
            platform = List.of();
            stuck = Set.of();
            return;
        }
        Set<Long> found = new HashSet<>();
        Arrays.stream(ids).forEach(found::add);
        if (!found.equals(stuck)) { // otherwise they are where they were
            platform = ThreadPicture.of(threads.getThreadInfo(ids, StackSampler.HOLDER_DEPTH)).circles().stream()
                    .map(circle -> ThreadPicture.circle(circle, false))
                    .toList();
            stuck = found;
        }
    }
}
