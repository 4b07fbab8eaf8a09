package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.text.Counted;
import java.util.Arrays;
import java.util.Optional;

/** Answers for rules that speak only of a pool with a certain bottleneck. Stateless. */
final class Limits {

    private Limits() {}

    /**
     * The verdict about a window whose bottleneck is another one: clear, or unknown when the bottleneck is unknown.
     * Empty when it is one of these.
     */
    static Optional<Verdict> otherThan(PoolWindow window, Bottleneck... mine) {
        if (Arrays.asList(mine).contains(window.bottleneck())) {
            return Optional.empty();
        }
        return Optional.of(window.bottleneck() == Bottleneck.UNKNOWN ? tooFew(window) : Verdict.clear());
    }

    /**
     * The verdict of a rule that explains a bottleneck about a window that does not show it: clear, or unknown where
     * too little was seen. Empty where it shows the bottleneck, so that the rule has to explain it.
     */
    static Optional<Verdict> unless(PoolWindow window, Bottleneck mine) {
        Optional<Verdict> other = otherThan(window, mine);
        if (other.isPresent()) {
            return other;
        }
        return switch (Bottlenecks.judge(window, mine).holds()) {
            case YES -> Optional.empty();
            case NO -> Optional.of(Verdict.clear());
            case OPEN -> Optional.of(tooFew(window));
        };
    }

    /**
     * The verdict about workers of which fewer were seen than a rule asks for: clear when there cannot be as many,
     * otherwise unknown.
     */
    static Verdict fewerThan(double threshold, Estimate seen, PoolWindow window) {
        double unknown = recent(window).unknown();
        return seen.high() + unknown < threshold ? Verdict.clear() : tooFew(window);
    }

    private static Verdict tooFew(PoolWindow window) {
        return Verdict.unknown("too little evidence about " + unseen(window));
    }

    /** Where the workers' time of the last second went. */
    static TimeBreakdown recent(PoolWindow window) {
        return window.last(Bottlenecks.RECENT).breakdown();
    }

    private static String unseen(PoolWindow window) {
        TimeBreakdown times = recent(window);
        return Math.round(times.unknown()) == 0
                ? "the workers"
                : Math.round(times.unknown()) + " of " + Counted.of(Math.round(times.workers()), "worker");
    }
}
