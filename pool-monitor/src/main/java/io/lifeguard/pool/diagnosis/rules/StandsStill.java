package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.bottleneck.Judgement;
import io.lifeguard.pool.diagnosis.bottleneck.Standstill;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;

/** Makes findings of a pool that {@linkplain Standstill stands still} critical. Stateless. */
final class StandsStill {

    private StandsStill() {}

    /** Marks the finding if the pool stands still. {@return the beginning of its summary then; otherwise nothing} */
    static String mark(Finding.Builder finding, PoolWindow window, Judgement judgement) {
        if (!judgement.standsStill()) {
            return "";
        }
        return mark(finding, window, Standstill.stoodStill(window).orElse(Duration.ZERO));
    }

    /** Marks the finding of a pool that has stood still for so long. {@return the beginning of its summary} */
    static String mark(Finding.Builder finding, PoolWindow window, Duration length) {
        finding.severity(Severity.CRITICAL).evidence("standsStillFor", length);
        if (!window.countsTasks()) {
            return Units.format("nothing moves, no worker was on a CPU for %s: ", Units.time(length));
        }
        return Units.format(
                "nothing has been completed for %s while %s: ",
                Units.time(length), Counted.of(window.after().queued(), "task queues", "tasks queue"));
    }
}
