package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.evidence.StackJoin;
import io.lifeguard.pool.diagnosis.evidence.WorkerTimes;
import io.lifeguard.pool.diagnosis.external.PoolSource;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.StackSample;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One pool under watch, which is not kept from being collected. Confined to the monitor's thread, but for
 * {@link #windows}, {@link #isOf}, {@link #name} and what the ledger has raised.
 */
final class PoolWatch {

    private final PoolSource source;
    private final String name;
    private final WorkerTimes times;
    private final WindowHistory history = new WindowHistory();
    private final FindingLedger ledger = new FindingLedger();

    private @Nullable PoolSnapshot last;
    /** As they were before the disturbance that was last; null when a window was judged since. */
    private @Nullable List<PoolSnapshot.Unseen> unjudgedFailures;

    private int windowsSeen;
    private Set<Evidence> wanted = EnumSet.noneOf(Evidence.class);
    private @Nullable StackSample stacks; // seen in the window that is not closed yet

    private volatile List<PoolWindow> windows = List.of(); // by the monitor's thread; readers may lag by one window

    PoolWatch(PoolSource source, String name, WorkerTimes times) {
        this.source = source;
        this.name = name;
        this.times = times;
    }

    PoolSource source() {
        return source;
    }

    boolean isOf(Object executor) {
        Object mine = source.executor();
        return mine != null && mine == executor;
    }

    String name() {
        return name;
    }

    FindingLedger ledger() {
        return ledger;
    }

    /** All of the last minute, latest first. */
    List<PoolWindow> windows() {
        return windows;
    }

    /** How many windows there have been that could be judged. */
    int windowsSeen() {
        return windowsSeen;
    }

    /** The snapshot at the beginning of the window that ends now; null when it is the first. */
    @Nullable
    PoolSnapshot advance(PoolSnapshot now) {
        PoolSnapshot before = last;
        last = now;
        return before;
    }

    /** Adds a window to the history, and returns it with its history. */
    PoolWindow remember(PoolWindow alone) {
        List<PoolWindow> earlier = history.judged();
        PoolWindow window = unjudgedFailures == null
                ? alone
                : alone.toBuilder().failuresBefore(unjudgedFailures).build();
        unjudgedFailures = null;
        history.add(window);
        windowsSeen++;
        windows = history.fine();
        return window.toBuilder()
                .earlier(earlier.subList(0, Math.min(earlier.size(), PoolWindow.HISTORY - 1)))
                .minutes(history.coarse())
                .build();
    }

    /** Adds a window that is not judged, and that parts what was before from what will be. */
    void rememberDisturbed(PoolWindow window) {
        if (unjudgedFailures == null) {
            unjudgedFailures = window.before().unseenFailures();
        }
        history.addDisturbed(window);
        windows = history.fine();
    }

    // ---- evidence ----

    boolean wants(Evidence evidence) {
        return wanted.contains(evidence);
    }

    /** Sets what is to be seen in the next window. */
    void wants(Set<Evidence> evidence) {
        wanted = evidence;
        if (!evidence.contains(Evidence.WORKERS)) {
            times.forget();
        }
    }

    WorkerTimes times() {
        return times;
    }

    /** The stacks were seen. */
    void seen(StackSample sample) {
        stacks = stacks == null ? sample : StackJoin.join(stacks, sample);
    }

    /** What was seen of stacks since the last call. */
    Optional<StackSample> takeStacks() {
        Optional<StackSample> seen = Optional.ofNullable(stacks);
        stacks = null;
        return seen;
    }
}
