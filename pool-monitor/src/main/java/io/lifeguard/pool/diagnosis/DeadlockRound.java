package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.evidence.lock.Deadlocks;
import io.lifeguard.pool.diagnosis.window.DeadlockCircle;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a round that looks for threads that wait for each other's locks. Confined to the monitor's thread, except
 * {@link #findings}.
 */
final class DeadlockRound {

    /** In place of a pool's name. */
    static final String NAME = "threads";

    private final MonitorClock clock;
    private final Guard guard;
    private final RuleBook rules;
    private final SubjectWindows windows;
    private @Nullable Deadlocks deadlocks; // made in the first round, because it asks the JVM's management

    DeadlockRound(
            MonitorSettings settings, MonitorClock clock, Guard guard, RuleBook rules, FindingListener listeners) {
        this.clock = clock;
        this.guard = guard;
        this.rules = rules;
        this.windows = new SubjectWindows(NAME, settings, clock, guard, rules, listeners);
    }

    /** {@return the raised findings} Any thread. */
    Stream<Finding> findings() {
        return windows.findings();
    }

    /** Closes the window, and begins the next one. */
    void make(Round round) {
        if (rules.examineThreads()) {
            try {
                visit(round);
            } catch (Throwable e) {
                guard.failed(windows, e);
            }
        } else {
            rest();
        }
    }

    private void visit(Round round) {
        Deadlocks known = deadlocks;
        if (known == null) {
            known = new Deadlocks(clock);
            deadlocks = known;
        }
        List<DeadlockCircle> circles = known.look(Pools.live());
        String unseen = known.unseen();
        // A circle is no matter of time: it is one in windows in which everything stands still, too.
        windows.next(round.asJudged(), 1, window -> window.deadlocks(circles, unseen));
    }

    void rest() {
        windows.rest();
    }
}
