package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.PoolSnapshot;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * One pool under watch, which is not kept from being collected. Confined to the monitor's thread, but for {@link #windows}, {@link #isOf} and
 * {@link #name}.
 */
final class PoolWatch {

    private final PoolSource source;
    private final String name;
    private final WindowHistory history = new WindowHistory();
    private final FindingLedger ledger;

    private @Nullable PoolSnapshot last;
    private int windowsSeen;

    private volatile List<PoolWindow> windows =
            List.of(); // written by the monitor's thread; readers may lag by one window

    PoolWatch(PoolSource source, String name) {
        this.source = source;
        this.name = name;
        this.ledger = new FindingLedger();
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

    /** Latest first. */
    List<PoolWindow> windows() {
        return windows;
    }

    /** How many windows there have been. */
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
    PoolWindow remember(PoolWindow window) {
        List<PoolWindow> earlier = windows;
        history.add(window);
        windowsSeen++;
        windows = history.fine();
        return window.withHistory(
                earlier.subList(0, Math.min(earlier.size(), WindowHistory.FINE - 1)), history.coarse());
    }

    static PoolState stateOf(@Nullable Object executor) {
        if (!(executor instanceof ExecutorService service)) {
            return PoolState.RUNNING;
        }
        if (service.isTerminated()) {
            return PoolState.TERMINATED;
        }
        return service.isShutdown() ? PoolState.SHUTTING_DOWN : PoolState.RUNNING;
    }
}
