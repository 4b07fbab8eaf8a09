package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks.Loop;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.PoolWindow.Subject;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Counted;
import java.util.List;

/** A rule about a group of event loops, which needs looks at them. Stateless, thread-safe. */
abstract class EventLoopRule extends StandardRule {

    EventLoopRule(String id, Threshold... own) {
        super(id, own);
    }

    @Override
    public final Subject examines() {
        return Subject.EVENT_LOOPS;
    }

    @Override
    public final Verdict examine(PoolWindow window) {
        return window.seen(EventLoopLooks.class)
                .map(looks -> examine(window, looks))
                .orElseGet(() -> Verdict.unknown("looks at an event loop"));
    }

    abstract Verdict examine(PoolWindow window, EventLoopLooks looks);

    /** {@return some loops of the group as the subject of a sentence, as {@code 2 of 4 event loops of netty}} */
    static String subject(PoolWindow window, EventLoopLooks looks, List<Loop> some) {
        int all = looks.loops().size();
        return all == 1
                ? "event loop " + some.get(0).thread()
                : "%d of %s of %s"
                        .formatted(
                                some.size(), Counted.of(all, looks.shared() ? "thread" : "event loop"), window.pool());
    }
}
