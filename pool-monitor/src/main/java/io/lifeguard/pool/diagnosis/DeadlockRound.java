package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.evidence.lock.Deadlocks;
import io.lifeguard.pool.diagnosis.seen.DeadlockCircle;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.PoolWindow.Subject;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a round that looks for threads that wait for each other's locks. Confined to the monitor's thread, except
 * {@link #findings}.
 */
final class DeadlockRound {

    /** In place of a pool's name. */
    static final String NAME = "threads";

    private final Engine engine;
    private final SubjectWindows windows;
    private @Nullable Deadlocks deadlocks; // made in the first round, because it asks the JVM's management

    DeadlockRound(Engine engine) {
        this.engine = engine;
        this.windows = new SubjectWindows(NAME, engine);
    }

    /** {@return the raised findings} Any thread. */
    Stream<Finding> findings() {
        return windows.findings();
    }

    /** Closes the window, and begins the next one. */
    void make(Round round) {
        if (engine.rules().examine(Subject.THREADS)) {
            try {
                visit(round);
            } catch (Throwable e) {
                engine.guard().failed(windows, e);
            }
        } else {
            rest();
        }
    }

    private void visit(Round round) {
        Deadlocks known = deadlocks;
        if (known == null) {
            known = new Deadlocks(engine.clock());
            deadlocks = known;
        }
        List<DeadlockCircle> circles = known.look(Pools.live());
        String unseen = known.unseen();
        // A circle is no matter of time: it is one in windows in which everything stands still, too.
        windows.next(round.asJudged(), 1, new Content(new DeadlockCircle.All(circles, unseen)));
    }

    private record Content(DeadlockCircle.All all) implements UnaryOperator<PoolWindow.Builder> {
        @Override
        public PoolWindow.Builder apply(PoolWindow.Builder window) {
            return window.subject(Subject.THREADS).seen(DeadlockCircle.All.class, all);
        }
    }

    void rest() {
        windows.rest();
    }
}
