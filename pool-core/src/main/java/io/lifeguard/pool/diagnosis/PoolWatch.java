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
 * One watched pool with its windows and findings; holds the pool weakly. Confined to the monitor's thread, except
 * {@link #windows}, {@link #isOf}, {@link #name} and the ledger's raised findings.
 */
final class PoolWatch {

    private final PoolSource source;
    private final String name;
    private final WorkerTimes times;
    private final WindowHistory history = new WindowHistory();
    private final FindingLedger ledger = new FindingLedger();

    private @Nullable PoolSnapshot last;
    /** The failures before the last disturbance; null when a window was judged since. */
    private @Nullable List<PoolSnapshot.Unseen> unjudgedFailures;

    private int windowsSeen;
    private Set<Evidence> wanted = EnumSet.noneOf(Evidence.class);
    private @Nullable StackSample stacks; // of the window that is not closed yet

    private volatile List<PoolWindow> windows =
            List.of(); // single writer: the monitor's thread; readers may lag by one window

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

    /** {@return all windows of the last minute, latest first} */
    List<PoolWindow> windows() {
        return windows;
    }

    /** {@return how many windows could be judged so far} */
    int windowsSeen() {
        return windowsSeen;
    }

    /** {@return the snapshot at the beginning of the window that ends now; null when it is the first} */
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

    /** Adds a window that is not judged. It separates the windows before it from those after it. */
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

    /** Sets the evidence to collect in the next window. */
    void wants(Set<Evidence> evidence) {
        wanted = evidence;
        if (!evidence.contains(Evidence.WORKERS)) {
            times.forget();
        }
    }

    WorkerTimes times() {
        return times;
    }

    /** Adds a look at the stacks. */
    void seen(StackSample sample) {
        stacks = stacks == null ? sample : StackJoin.join(stacks, sample);
    }

    /** {@return the stacks seen since the last call} */
    Optional<StackSample> takeStacks() {
        Optional<StackSample> seen = Optional.ofNullable(stacks);
        stacks = null;
        return seen;
    }
}
