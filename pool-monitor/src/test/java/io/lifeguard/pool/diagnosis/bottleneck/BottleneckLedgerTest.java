package io.lifeguard.pool.diagnosis.bottleneck;

import static io.lifeguard.pool.diagnosis.window.Bottleneck.LINE;
import static io.lifeguard.pool.diagnosis.window.Bottleneck.LOCK;
import static io.lifeguard.pool.diagnosis.window.Bottleneck.NONE;
import static io.lifeguard.pool.diagnosis.window.Bottleneck.OUTSIDE;
import static io.lifeguard.pool.diagnosis.window.Bottleneck.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Bottleneck;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BottleneckLedgerTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final BottleneckLedger ledger = new BottleneckLedger();

    private Bottleneck votes(Duration length, Bottleneck... votes) {
        Bottleneck decision = UNKNOWN;
        for (Bottleneck vote : votes) {
            decision = ledger.enter(vote, new Circumstances(length, SECOND, UNKNOWN, true, false));
        }
        return decision;
    }

    @Test
    void enter_firstVote_isTakenButNotFirm() {
        assertThat(votes(SECOND, LOCK)).isEqualTo(LOCK);
        assertThat(ledger.firm()).isEqualTo(UNKNOWN);
        assertThat(votes(SECOND, LOCK)).isEqualTo(LOCK);
        assertThat(ledger.firm()).isEqualTo(LOCK);
    }

    @Test
    void enter_notFirm_givesWayAtOnce() {
        assertThat(votes(SECOND, LOCK, LINE)).isEqualTo(LINE);
        assertThat(ledger.firm()).isEqualTo(UNKNOWN);
    }

    @Test
    void enter_firm_changesAfterTwoSecondsOfAnother() {
        assertThat(votes(SECOND, LINE, LINE, OUTSIDE)).isEqualTo(LINE);
        assertThat(votes(SECOND, OUTSIDE)).isEqualTo(OUTSIDE);
        assertThat(ledger.firm()).isEqualTo(OUTSIDE);
    }

    @Test
    void enter_firmAndShortWindows_needsTwoSecondsToo() {
        Duration quarter = Duration.ofMillis(250);
        votes(SECOND, LINE, LINE);
        assertThat(votes(quarter, OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE))
                .isEqualTo(LINE);
        assertThat(votes(quarter, OUTSIDE)).isEqualTo(OUTSIDE);
    }

    /** A late monitor makes one window of several, and that is one look. */
    @Test
    void enter_firmAndOneLongWindow_doesNotDecideAlone() {
        votes(SECOND, LINE, LINE);
        assertThat(votes(SECOND.multipliedBy(5), OUTSIDE)).isEqualTo(LINE);
        assertThat(votes(SECOND, OUTSIDE)).isEqualTo(OUTSIDE);
    }

    @Test
    void enter_votesThatAlternate_changeNothing() {
        votes(SECOND, LINE, LINE);
        for (int i = 0; i < 100; i++) {
            assertThat(votes(SECOND, OUTSIDE)).isEqualTo(LINE);
            assertThat(votes(SECOND, LINE)).isEqualTo(LINE);
        }
    }

    @Test
    void enter_severalRivals_doNotAddUp() {
        votes(SECOND, LINE, LINE);
        assertThat(votes(SECOND, OUTSIDE, LOCK, OUTSIDE, LOCK)).isEqualTo(LINE);
    }

    @Test
    void enter_nothingLimits_givesWayToANewTroubleAtOnce() {
        votes(SECOND, NONE, NONE, NONE);
        assertThat(votes(SECOND, LOCK)).isEqualTo(LOCK);
    }

    @Test
    void enter_unknown_isNoVote() {
        votes(SECOND, LINE, LINE, OUTSIDE);
        assertThat(votes(SECOND, UNKNOWN, UNKNOWN, UNKNOWN)).isEqualTo(LINE);
        assertThat(votes(SECOND, OUTSIDE)).as("the vote before counts still").isEqualTo(OUTSIDE);
    }

    @Test
    void enter_unknownForTenMinutes_nothingIsKnown() {
        votes(SECOND, LINE, LINE);
        assertThat(votes(Duration.ofSeconds(599), UNKNOWN)).isEqualTo(LINE);
        assertThat(votes(SECOND, UNKNOWN)).isEqualTo(UNKNOWN);
    }
}
