package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.diagnosis.window.Bottleneck;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what limits one pool's throughput, so that the decision does not change with each window. Confined to the
 * monitor's thread.
 *
 * <p>Each window votes. A decision is firm after {@value #ENOUGH} windows of agreement, in {@value #FEWEST_LOOKS} looks
 * or more. A firm one is given up only when another has as much: a vote for neither takes its length away from the
 * other. A decision that is not firm, {@link Bottleneck#NONE} and {@link Bottleneck#UNKNOWN} give way to the next vote,
 * so that a new trouble is named at once. Votes for unknown count for and against nothing; after {@value #FORGOTTEN}
 * seconds of them nothing is known.
 */
public final class BottleneckLedger {

    /** In windows of the configured length: 2 s by default, as for most findings. */
    private static final double ENOUGH = 2;

    private static final int FEWEST_LOOKS = 2; // windows; none decides alone, however long it is

    /** As long as findings that could not be checked. */
    private static final long FORGOTTEN = 600;

    /** Windows are a little shorter than planned at times. */
    private static final double ALMOST = 0.95;

    private Votes decided = new Votes(Bottleneck.UNKNOWN);
    private @Nullable Votes rival;
    private double unknownSeconds;

    public Bottleneck enter(Bottleneck vote, Circumstances circumstances) {
        if (vote == Bottleneck.UNKNOWN) {
            unknownSeconds += circumstances.length().toNanos() / 1e9;
            if (unknownSeconds >= FORGOTTEN) {
                decided = new Votes(Bottleneck.UNKNOWN);
                rival = null;
            }
            return decided.what;
        }
        unknownSeconds = 0;
        if (vote == decided.what) {
            decided.add(circumstances);
            weaken(circumstances);
        } else if (!decided.isFirm() || decided.what == Bottleneck.NONE) {
            decided = new Votes(vote).add(circumstances);
            rival = null;
        } else {
            challenge(vote, circumstances);
        }
        return decided.what;
    }

    /** {@return the decision if it is firm; otherwise unknown} */
    public Bottleneck firm() {
        return decided.isFirm() ? decided.what : Bottleneck.UNKNOWN;
    }

    private void challenge(Bottleneck vote, Circumstances circumstances) {
        if (rival != null && rival.what != vote) {
            weaken(circumstances);
        }
        if (rival == null) {
            rival = new Votes(vote);
        }
        if (rival.what == vote && rival.add(circumstances).isFirm()) {
            decided = rival;
            rival = null;
        }
    }

    private void weaken(Circumstances circumstances) {
        if (rival != null && rival.isGoneAfter(circumstances)) {
            rival = null;
        }
    }

    /** The votes for one bottleneck. */
    private static final class Votes {
        private final Bottleneck what;
        private double windows;
        private int looks;

        Votes(Bottleneck what) {
            this.what = what;
        }

        Votes add(Circumstances circumstances) {
            windows = Math.min(ENOUGH, windows + circumstances.windows());
            looks = Math.min(FEWEST_LOOKS, looks + 1);
            return this;
        }

        boolean isGoneAfter(Circumstances against) {
            windows -= against.windows();
            return windows <= 0;
        }

        boolean isFirm() {
            return looks >= FEWEST_LOOKS && windows >= ALMOST * ENOUGH;
        }
    }
}
