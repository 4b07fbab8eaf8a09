package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.seen.WaitChain.End;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.Set;

/** What the findings of a pool in which nothing moves have in common. Stateless. */
final class NothingMoves {

    /** Their ends are what these rules tell, with more detail. */
    private static final Set<End> TOLD_BY_OTHERS =
            Set.of(End.OWN_TASK, End.RESULT, End.SIGNAL, End.MOVING, End.OUTSIDE);

    private NothingMoves() {}

    /** Whether a chain tells that a pool waits for something else than tasks of its own. */
    static boolean waitsForSomethingElse(PoolWindow window) {
        return window.seen(WaitChain.class)
                .filter(chain -> !TOLD_BY_OTHERS.contains(chain.end()))
                .isPresent();
    }

    /** Marks the finding of a pool that has stood still for so long. {@return the beginning of its summary} */
    static String mark(Finding.Builder finding, PoolWindow window, Duration length) {
        finding.severity(Severity.CRITICAL).evidence("standsStillFor", length);
        if (!window.countsTasks()) {
            return Units.format("nothing moves, no worker was on a CPU for %s: ", Units.time(length));
        }
        int blocked = window.after().saturation().blockedNow();
        return Units.format(
                "nothing has been completed for %s while %s: ",
                Units.time(length),
                window.after().queued() > 0 || blocked == 0
                        ? Counted.of(window.after().queued(), "task queues", "tasks queue")
                        : Counted.of(blocked, "submitter waits", "submitters wait"));
    }
}
