package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.FindingLedger.Found;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FindingLedgerTest {

    private final List<String> news = new ArrayList<>();
    private final FindingLedger ledger = new FindingLedger();
    private final FindingListener listener = new FindingListener() {
        @Override
        public void raised(Finding finding) {
            news.add("raised " + finding.summary());
        }

        @Override
        public void updated(Finding finding) {
            news.add("updated " + finding.summary());
        }

        @Override
        public void escalated(Finding finding) {
            news.add("escalated " + finding.summary());
        }

        @Override
        public void resolved(Finding finding) {
            news.add("resolved " + finding.summary());
        }
    };
    private int window;

    /**
     * One window per letter: {@code F} where the rule finds something, {@code C} where that is critical. Returns what
     * became of it.
     */
    private List<String> windows(int windowsToRaise, String letters) {
        news.clear();
        for (char letter : letters.toCharArray()) {
            window++;
            Severity severity = letter == 'C' ? Severity.CRITICAL : Severity.WARNING;
            ledger.enter(
                    letter == '.' ? Map.of() : Map.of("id", new Found(finding(severity), windowsToRaise)), 1, listener);
        }
        return news;
    }

    private Finding finding() {
        return finding(Severity.WARNING);
    }

    private Finding finding(Severity severity) {
        return new Finding(
                "id", severity, "pool", "w" + window, "", Map.of(), OptionalInt.empty(), Instant.ofEpochSecond(window));
    }

    @Test
    void enter_asManyWindowsAsAsked_raisesOnce() {
        assertThat(windows(3, "FF")).isEmpty();
        assertThat(ledger.raised()).isEmpty();

        assertThat(windows(3, "F")).containsExactly("raised w3");
        assertThat(ledger.raised())
                .singleElement()
                .satisfies(raised -> assertThat(raised.since())
                        .as("the first window that showed it")
                        .isEqualTo(Instant.ofEpochSecond(1)));
    }

    /** A late monitor makes one long window of several. */
    @Test
    void enter_windowAsLongAsThree_needsOneMore() {
        ledger.enter(Map.of("id", new Found(finding(), 3)), 3, listener);
        assertThat(news).isEmpty();
        assertThat(windows(3, "F")).containsExactly("raised w1");
    }

    @Test
    void enter_cleanWindowAsLongAsThree_doesNotResolveAlone() {
        windows(3, "FFF");
        news.clear();
        ledger.enter(Map.of(), 3, listener);
        assertThat(news).isEmpty();
        ledger.enter(Map.of(), 3, listener);
        assertThat(news).hasSize(1);
    }

    /** More windows than are remembered: it is raised at the last of those, and not never. */
    @ParameterizedTest
    @ValueSource(ints = {60, 62, 63, 64, 1_000, Integer.MAX_VALUE})
    void enter_ruleThatWantsVeryManyWindows_raisesAfterSixty(int windowsToRaise) {
        assertThat(windows(windowsToRaise, "F".repeat(59))).isEmpty();
        assertThat(windows(windowsToRaise, "F")).containsExactly("raised w60");
        assertThat(windows(windowsToRaise, ".".repeat(59))).isEmpty();
        assertThat(windows(windowsToRaise, ".")).containsExactly("resolved w60");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0, -1, Integer.MIN_VALUE})
    void enter_ruleThatWantsNoWindow_raisesAtTheFirst(int windowsToRaise) {
        assertThat(windows(windowsToRaise, "F")).containsExactly("raised w1");
    }

    @Test
    void enter_oneMissBetween_raises() {
        assertThat(windows(3, "FF.F")).containsExactly("raised w4");
    }

    @Test
    void enter_everySecondWindow_isNotRaised() {
        assertThat(windows(3, "F.F.F.F.F.F")).isEmpty();
    }

    @Test
    void enter_twoMisses_beginsAnew() {
        assertThat(windows(3, "FF..F")).isEmpty();
        assertThat(windows(3, "FF")).containsExactly("raised w7");
        assertThat(ledger.raised().get(0).since()).isEqualTo(Instant.ofEpochSecond(5));
    }

    @Test
    void enter_ruleThatIsSureAtOnce_raisesAtOnce() {
        assertThat(windows(1, "F")).containsExactly("raised w1");
    }

    @Test
    void enter_raisedAndSeenAgain_updates() {
        assertThat(windows(1, "F.F")).containsExactly("raised w1", "updated w3");
        assertThat(ledger.raised()).extracting(Finding::summary).containsExactly("w3");
    }

    @Test
    void enter_raisedAndMoreSevere_escalatesOncePerRise() {
        assertThat(windows(1, "FCC.CFC"))
                .containsExactly("raised w1", "escalated w2", "updated w3", "updated w5", "updated w6", "escalated w7");
        assertThat(ledger.raised()).extracting(Finding::severity).containsExactly(Severity.CRITICAL);
    }

    @Test
    void enter_moreSevereBeforeItIsRaised_isOnlyRaised() {
        assertThat(windows(3, "FFC")).containsExactly("raised w3");
    }

    @Test
    void enter_moreSevere_listenerThatKnowsUpdatesOnlyIsTold() {
        FindingListener old = new FindingListener() {
            @Override
            public void raised(Finding finding) {}

            @Override
            public void updated(Finding finding) {
                news.add("old: updated to " + finding.severity());
            }
        };
        windows(1, "F");
        news.clear();
        ledger.enter(Map.of("id", new Found(finding(Severity.CRITICAL), 1)), 1, old);
        assertThat(news).containsExactly("old: updated to CRITICAL");
    }

    @Test
    void enter_threeCleanWindows_resolvesOnce() {
        assertThat(windows(1, "F..")).containsExactly("raised w1");
        assertThat(windows(1, "....")).containsExactly("resolved w1");
        assertThat(ledger.raised()).isEmpty();
    }

    @Test
    void enter_ruleThatNeedsManyWindows_resolvesAfterAsMany() {
        windows(5, "FFFFF");
        assertThat(windows(5, "....")).isEmpty();
        assertThat(windows(5, ".")).containsExactly("resolved w5");
    }

    @Test
    void enter_again_raisesAgain() {
        windows(2, "FF...");
        assertThat(windows(2, "F")).isEmpty();
        assertThat(windows(2, "F")).containsExactly("raised w7");
    }

    @Test
    void end_raised_resolvesAtOnceAndSuspectedSilently() {
        windows(2, "FF");
        ledger.end("other"::equals, listener);
        assertThat(ledger.raised()).hasSize(1);
        news.clear();

        ledger.end("id"::equals, listener);
        ledger.end("id"::equals, listener);

        assertThat(news).containsExactly("resolved w2");
        assertThat(ledger.raised()).isEmpty();
    }
}
