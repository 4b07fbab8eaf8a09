package io.lifeguard.pool.corpus.real.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.corpus.looks.Course;
import io.lifeguard.pool.corpus.looks.Look;
import io.lifeguard.pool.corpus.looks.Standing;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A verdict is right only where cause, line, holder and exit code are, in time, and nothing else was said. */
class VirtualOutcomeTest {

    private static final Label LABEL =
            Label.of("virtual-threads-in-line", "lock", "Stock.reserve").heldInsideBy("held by thread");
    private static final String RIGHT = "99 wait for lock x at com.example.Stock.reserve(S.java:6), held by thread #7";

    private static VirtualOutcome outcome(boolean isOutside, int exit, long millis, String id, String text) {
        Standing finding = new Standing(id, "virtual threads", OptionalInt.empty(), OptionalInt.empty(), text);
        return new VirtualOutcome(
                LABEL,
                new VirtualRun(
                        new Course(List.of(new Look(millis, List.of(finding))), List.of()),
                        isOutside ? OptionalInt.of(exit) : OptionalInt.empty()),
                isOutside,
                1);
    }

    private static String wrong(String text) {
        return outcome(false, 0, 3_000, LABEL.id(), text).wrong();
    }

    @Test
    void wrong_causeLineAndHolderInTime_isNothing() {
        assertThat(wrong(RIGHT)).isEmpty();
        assertThat(outcome(true, 1, 7_900, LABEL.id(), RIGHT).isRight()).isTrue();
    }

    @Test
    void wrong_onePartMissing_isNamed() {
        assertThat(wrong("99 wait for x at Stock.reserve(S.java:6), held by thread #7"))
                .contains("cause missed");
        assertThat(wrong("99 wait for lock x, held by thread #7")).contains("line missing");
        assertThat(wrong("99 wait for lock x at Stock.reserve(S.java:6)")).contains("holder missing");
    }

    /** A place in the advice or the evidence behind the bar does not count. */
    @Test
    void wrong_placeOnlyBehindTheSummary_isMissing() {
        assertThat(wrong("99 wait for lock x, held by thread #7 | see Stock.reserve(S.java:6)"))
                .contains("line missing");
    }

    @Test
    void wrong_holderThatNobodyOutsideCanKnow_isNotAskedThere() {
        String text = "99 wait for lock x at Stock.reserve(S.java:6)";
        assertThat(outcome(true, 1, 3_000, LABEL.id(), text).wrong()).isEmpty();
    }

    @Test
    void wrong_lateOrWrongExitOrOtherFinding_isNamed() {
        assertThat(outcome(false, 0, 5_100, LABEL.id(), RIGHT).wrong()).isEqualTo("late");
        assertThat(outcome(true, 0, 3_000, LABEL.id(), RIGHT).wrong()).isEqualTo("exit code 0");
        assertThat(outcome(false, 0, 3_000, "blocked-on-io", RIGHT).wrong()).contains("also blocked-on-io");
    }
}
