package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.diagnosis.bottleneck.Circumstances;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The windows of one subject that is no pool: the JVM's threads, its virtual threads, or a group of event loops. Asks
 * the rules about them, and keeps the findings. Confined to the monitor's thread, except {@link #findings}.
 */
final class SubjectWindows {

    /** Why a window was not judged, as findings say it. */
    static final String STOOD_STILL = "everything stood still";

    private final String name; // in place of a pool's
    private final Engine engine;
    private final FindingLedger ledger = new FindingLedger();
    private @Nullable PoolSnapshot before; // null until the first window begins

    SubjectWindows(String name, Engine engine) {
        this.name = name;
        this.engine = engine;
    }

    boolean isUndecided() {
        return ledger.isUndecided();
    }

    /** {@return the raised findings} Any thread. */
    Stream<Finding> findings() {
        return ledger.raised().stream();
    }

    /**
     * Closes the window, has it judged, and begins the next one.
     *
     * @param threads how many threads the window is about
     * @param content sets what was seen
     */
    void next(Round round, int threads, UnaryOperator<PoolWindow.Builder> content) {
        PoolSnapshot after = ExternalPool.unmeasured(name, threads, threads, 0, 0, new Limits(threads, threads, 0));
        PoolSnapshot begin = before;
        before = after;
        if (begin == null) {
            return;
        }
        judge(
                round,
                content.apply(PoolWindow.between(begin, after)
                                .end(engine.clock().now())
                                .process(round.process())
                                .thresholds(round.thresholds()))
                        .build());
    }

    void judge(Round round, PoolWindow window) {
        Circumstances circumstances =
                new Circumstances(window.length(), engine.settings().window(), Bottleneck.UNKNOWN, true, false);
        if (round.disturbed()) {
            ledger.enterUnseen(STOOD_STILL, circumstances.asUsual(), engine.listeners());
        } else {
            ledger.enter(engine.rules().examine(window, false), circumstances, engine.listeners());
        }
        ledger.endSwitchedOff(engine.settings(), engine.listeners());
    }

    void rest() {
        rest(name + " are no longer watched");
    }

    void rest(String why) {
        try {
            ledger.end(why, engine.listeners());
        } catch (Throwable e) {
            engine.guard().failed(ledger, e);
        }
    }
}
