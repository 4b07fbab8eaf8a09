package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.diagnosis.evidence.Carriers;
import io.lifeguard.pool.diagnosis.evidence.MonitorClock;
import io.lifeguard.pool.diagnosis.external.ExternalPool;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.CarrierLooks;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.recording.JudgedWindow;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a round that is about the carriers of this JVM's virtual threads. Confined to the monitor's thread,
 * except {@link #findings}.
 */
final class VirtualThreadRound {

    /** In place of a pool's name. */
    static final String NAME = "virtual threads";

    private final MonitorSettings settings;
    private final MonitorClock clock;
    private final Guard guard;
    private final RuleBook rules;
    private final FindingListener listeners;
    private final FindingLedger ledger = new FindingLedger();
    private @Nullable Carriers carriers; // made in the first round
    private @Nullable PoolSnapshot before; // null until there are carriers

    VirtualThreadRound(
            MonitorSettings settings, MonitorClock clock, Guard guard, RuleBook rules, FindingListener listeners) {
        this.settings = settings;
        this.clock = clock;
        this.guard = guard;
        this.rules = rules;
        this.listeners = listeners;
    }

    /** {@return whether the next windows decide about a finding} */
    boolean isUndecided() {
        return ledger.isUndecided();
    }

    /** {@return the raised findings} Any thread. */
    Stream<Finding> findings() {
        return ledger.raised().stream();
    }

    /** Asks the scheduler how many virtual threads queue. */
    void glance() {
        Carriers known = carriers;
        if (known != null && known.arePresent()) {
            guard.run(known, known::look);
        }
    }

    /** Closes the window, and begins the next one. */
    void make(Round round) {
        if (!Carriers.canExist()) {
            return;
        }
        if (rules.examineVirtualThreads()) {
            guard.run(ledger, () -> visit(round));
        } else {
            rest();
        }
    }

    private void visit(Round round) {
        Carriers known = carriers;
        if (known == null) {
            known = new Carriers(clock::nanoTime);
            carriers = known;
        }
        known.look();
        double late = round.thresholds().getOrDefault(CarrierLooks.LATE.key(), CarrierLooks.LATE.value());
        CarrierLooks looks = known.advance(Duration.ofNanos(Math.round(1e9 * late)));
        if (!known.arePresent()) {
            return;
        }
        int size = looks.carriers();
        PoolSnapshot after = ExternalPool.unmeasured(NAME, size, size, 0, 0, new Limits(size, size, 0));
        PoolSnapshot begin = before;
        before = after;
        if (begin == null) {
            return;
        }
        PoolWindow window = PoolWindow.between(begin, after)
                .end(clock.now())
                .carriers(looks)
                .process(round.process())
                .thresholds(round.thresholds())
                .build();
        Look look = new Look(window.length(), settings.window(), Bottleneck.UNKNOWN, true);
        if (round.disturbed()) {
            ledger.enterUnseen(JudgedWindow.STOOD_STILL, look.asUsual(), listeners);
        } else {
            ledger.enter(rules.examine(window, false), look, listeners);
        }
        ledger.end(settings::isOff, FindingLedger.SWITCHED_OFF, listeners);
    }

    /** Ends all findings. */
    void rest() {
        guard.run(ledger, () -> ledger.end(id -> true, "virtual threads are no longer watched", listeners));
    }
}
