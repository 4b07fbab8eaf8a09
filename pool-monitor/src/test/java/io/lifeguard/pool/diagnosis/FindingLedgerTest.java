package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.RuleBook.Answer;
import io.lifeguard.pool.diagnosis.bottleneck.Circumstances;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FindingLedgerTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration QUARTER = Duration.ofMillis(250);

    private final List<String> news = new ArrayList<>();
    private final FindingLedger ledger = new FindingLedger();
    private final Rule rule = window -> Verdict.clear();
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

        @Override
        public void ended(Finding finding, String why) {
            news.add("ended " + finding.summary() + ": " + why);
        }
    };
    private int window;
    private Bottleneck bottleneck = Bottleneck.UNKNOWN;
    private boolean mayRaise = true;
    private boolean isFull;

    /** One window of a second per letter. Returns what became of it. */
    private List<String> windows(int windowsToRaise, String letters) {
        return windows(SECOND, windowsToRaise, letters);
    }

    /**
     * One window per letter: {@code F} where the rule finds something, {@code C} where that is critical, {@code ?}
     * where it cannot judge, and a dot where all is well.
     */
    private List<String> windows(Duration length, int windowsToRaise, String letters) {
        news.clear();
        for (char letter : letters.toCharArray()) {
            window++;
            Verdict verdict = switch (letter) {
                case 'F' -> Verdict.found(finding(Severity.WARNING));
                case 'C' -> Verdict.found(finding(Severity.CRITICAL));
                case '?' -> Verdict.unknown("no stacks");
                default -> Verdict.clear();
            };
            enter(length, new Answer(rule, verdict, windowsToRaise));
        }
        return news;
    }

    private void enter(Duration length, Answer... answers) {
        ledger.enter(List.of(answers), new Circumstances(length, SECOND, bottleneck, mayRaise, isFull), listener);
    }

    /** Its rule is known by the finding's id, as it was said before there were rules. */
    @Test
    void takeOver_findingSaidBefore_isRaisedAtOnceAndJudgedByItsRule() {
        Rule own = new Rule() {
            @Override
            public Verdict examine(PoolWindow any) {
                return Verdict.clear();
            }

            @Override
            public Set<String> ids() {
                return Set.of("id");
            }
        };
        bottleneck = Bottleneck.LOCK;
        mayRaise = false; // the monitor is new
        ledger.takeOver(finding(Severity.WARNING), Bottleneck.LOCK);
        assertThat(ledger.raised()).hasSize(1);

        enter(SECOND, new Answer(own, Verdict.unknown("no looks yet"), 0));
        enter(SECOND, new Answer(own, Verdict.found(finding(Severity.WARNING)), 2));
        assertThat(news).containsExactly("raised w0", "updated w0");

        for (int i = 0; i < 3; i++) {
            enter(SECOND, new Answer(own, Verdict.clear(), 0));
        }
        assertThat(news).containsExactly("raised w0", "updated w0", "resolved w0");
        assertThat(ledger.raised()).isEmpty();
    }

    private Finding finding(Severity severity) {
        return new Finding(
                "id", severity, "pool", "w" + window, "", Map.of(), OptionalInt.empty(), Instant.ofEpochSecond(window));
    }

    private Finding sized(String summary, int low, int size, int high) {
        return new Finding(
                "id",
                Severity.WARNING,
                "pool",
                summary,
                "size " + size,
                Map.of(
                        SaidSize.UNSIZED_ADVICE,
                        "no size",
                        Finding.SIZE_LOW,
                        low,
                        Finding.SIZE_HIGH,
                        high,
                        "rate",
                        size,
                        "expectedThroughput",
                        10 * size),
                OptionalInt.of(size),
                Instant.EPOCH);
    }

    // ---- visible ----

    /** Whoever is told of a finding, and whoever looks while the log is slow, sees it. */
    @Test
    void enter_listenerIsTold_findingIsAlreadyVisible() {
        List<Integer> visible = new ArrayList<>();
        FindingListener looks = new FindingListener() {
            @Override
            public void raised(Finding finding) {
                visible.add(ledger.raised().size());
            }

            @Override
            public void ended(Finding finding, String why) {
                visible.add(ledger.raised().size());
            }
        };
        Answer found = new Answer(rule, Verdict.found(finding(Severity.WARNING)), 1);

        ledger.enter(List.of(found), new Circumstances(SECOND, SECOND, bottleneck, mayRaise, isFull), looks);
        ledger.end("on purpose", looks);

        assertThat(visible).containsExactly(1, 0);
    }

    // ---- followed ----

    /** Of 64 threads 4 were said, and the pool has 4: "64 threads queue" is no longer true. */
    @ParameterizedTest
    @CsvSource({"64, 4, 4", "64, 4, 5", "64, 4, 3", "64, 20, 22", "8, 40, 40", "8, 40, 36", "8, 40, 64"})
    void follow_poolHasTheRecommendedSize_resolvesAtOnce(int before, int said, int now) {
        raise(sizedFor(before, said));

        ledger.follow(now, listener);

        assertThat(news).containsExactly("resolved w1");
        assertThat(ledger.raised()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"64, 4, 64", "64, 4, 32", "64, 20, 23", "64, 4, 128", "8, 40, 16", "8, 40, 4", "8, 8, 8"})
    void follow_poolHasAnotherSize_stands(int before, int said, int now) {
        raise(sizedFor(before, said));

        ledger.follow(now, listener);

        assertThat(news).isEmpty();
        assertThat(ledger.raised()).hasSize(1);
    }

    /** The summary and the size of a pool that has another number of workers now are not kept. */
    @Test
    void enter_poolHasAnotherSize_saysFreshFigures() {
        raise(sizedFor(64, 4));
        window = 2;
        enter(SECOND, new Answer(rule, Verdict.found(sizedFor(32, 5)), 1));

        assertThat(ledger.raised()).singleElement().satisfies(shown -> {
            assertThat(shown.summary()).isEqualTo("w2");
            assertThat(shown.recommendedSize()).as("of a pool that is no more").isEmpty();
        });
    }

    private void raise(Finding finding) {
        for (int i = 0; i < 3; i++) {
            enter(SECOND, new Answer(rule, Verdict.found(finding), 1));
        }
        news.clear();
    }

    private Finding sizedFor(int workers, int size) {
        return new Finding(
                "id",
                Severity.WARNING,
                "pool",
                window == 0 ? "w1" : "w" + window,
                "",
                Map.of("workers", workers, SaidSize.UNSIZED_ADVICE, "", Finding.SIZE_LOW, 1, Finding.SIZE_HIGH, 100),
                OptionalInt.of(size),
                Instant.EPOCH);
    }

    // ---- raised ----

    @Test
    void enter_foundForAsLongAsAsked_raisesOnce() {
        assertThat(windows(3, "FF")).isEmpty();
        assertThat(ledger.raised()).isEmpty();

        assertThat(windows(3, "F")).containsExactly("raised w3");
        assertThat(ledger.raised())
                .singleElement()
                .satisfies(raised -> assertThat(raised.since())
                        .as("the first window that showed it")
                        .isEqualTo(Instant.ofEpochSecond(1)));
    }

    @Test
    void enter_shortWindows_needAsMuchTime() {
        assertThat(windows(QUARTER, 2, "FFFFFFF")).isEmpty();
        assertThat(windows(QUARTER, 2, "F")).containsExactly("raised w8");
    }

    /** A late monitor makes one long window of several. */
    @Test
    void enter_windowAsLongAsThree_needsOneMore() {
        assertThat(windows(SECOND.multipliedBy(3), 3, "F")).isEmpty();
        assertThat(windows(QUARTER, 3, "F")).containsExactly("raised w2");
    }

    /** More windows than are remembered: it is raised at the last of those, and not never. */
    @ParameterizedTest
    @ValueSource(ints = {60, 62, 63, 64, 1_000, Integer.MAX_VALUE})
    void enter_ruleThatWantsVeryManyWindows_raisesWithinSixty(int windowsToRaise) {
        assertThat(windows(windowsToRaise, "F".repeat(56))).isEmpty();
        assertThat(windows(windowsToRaise, "F".repeat(4))).first().asString().startsWith("raised");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0, -1, Integer.MIN_VALUE})
    void enter_ruleThatWantsNoWindow_raisesAtTheFirst(int windowsToRaise) {
        assertThat(windows(QUARTER, windowsToRaise, "F")).containsExactly("raised w1");
    }

    @Test
    void enter_foundInThreeOfFourShortWindows_raises() {
        assertThat(windows(QUARTER, 2, "FFF.".repeat(20))).first().asString().startsWith("raised");
    }

    @Test
    void enter_foundInEverySecondWindow_isNotRaised() {
        assertThat(windows(2, "F.".repeat(20))).isEmpty();
        assertThat(windows(QUARTER, 2, "F.".repeat(20))).isEmpty();
    }

    @Test
    void enter_suspicionRefuted_beginsAnew() {
        assertThat(windows(3, "FF.F")).isEmpty();
        assertThat(windows(3, "FF")).containsExactly("raised w6");
        assertThat(ledger.raised().get(0).since()).isEqualTo(Instant.ofEpochSecond(4));
    }

    @Test
    void enter_unknownBetween_takesNothingAway() {
        assertThat(windows(3, "F?F??F")).containsExactly("raised w6");
    }

    /** What was seen long ago is no argument. */
    @Test
    void enter_unknownForLong_suspicionIsDropped() {
        assertThat(windows(3, "FF" + "?".repeat(10) + "F")).isEmpty();
    }

    @Test
    void enter_grace_isSuspectedOnly() {
        mayRaise = false;
        assertThat(windows(2, "FFFFF")).isEmpty();

        mayRaise = true;
        assertThat(windows(2, "F")).containsExactly("raised w6");
    }

    @Test
    void isUndecided_untilRaisedOrDropped() {
        windows(2, "F");
        assertThat(ledger.isUndecided()).as("suspected").isTrue();
        windows(2, "F");
        assertThat(ledger.isUndecided()).as("raised").isFalse();
        windows(2, ".");
        assertThat(ledger.isUndecided()).as("perhaps cured").isTrue();
        windows(2, "..");
        assertThat(ledger.isUndecided()).as("resolved").isFalse();
    }

    @ParameterizedTest
    @CsvSource({"oversized, true", "blocked-on-io, false"})
    void isAtRest_raisedFinding_onlyIfThePoolHasLittleToDo(String id, boolean isAtRest) {
        assertThat(ledger.isAtRest()).as("nothing found").isTrue();
        enter(SECOND, new Answer(growth, Verdict.found(named(id)), 2));
        assertThat(ledger.isAtRest()).as("suspected").isFalse();
        enter(SECOND, new Answer(growth, Verdict.found(named(id)), 2));
        assertThat(ledger.isAtRest()).as("raised").isEqualTo(isAtRest);
        enter(SECOND, new Answer(growth, Verdict.clear(), 2));
        assertThat(ledger.isAtRest()).as("perhaps over").isFalse();
    }

    // ---- updated ----

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
        ledger.enter(
                List.of(new Answer(rule, Verdict.found(finding(Severity.CRITICAL)), 1)),
                new Circumstances(SECOND, SECOND, Bottleneck.UNKNOWN, true, isFull),
                old);
        assertThat(news).containsExactly("old: updated to CRITICAL");
    }

    // ---- sizes ----

    private OptionalInt enterSized(int low, int size, int high) {
        enter(SECOND, new Answer(rule, Verdict.found(sized("w", low, size, high)), 1));
        return shownSize();
    }

    /** The size that is shown: data and text have it together, or neither. */
    private OptionalInt shownSize() {
        Finding shown = ledger.raised().get(0);
        shown.recommendedSize()
                .ifPresentOrElse(
                        size -> assertThat(shown.advice()).startsWith("size " + size),
                        () -> assertThat(shown.advice()).isEqualTo("no size"));
        assertThat(shown.evidence()).doesNotContainKey(SaidSize.UNSIZED_ADVICE);
        assertThat(shown.evidence().containsKey(Finding.SIZE_LOW))
                .isEqualTo(shown.recommendedSize().isPresent());
        return shown.recommendedSize();
    }

    @Test
    void enter_twoWindowsApartAgree_namesTheSizeAndItsAge() {
        assertThat(enterSized(10, 12, 16)).isEmpty();
        assertThat(enterSized(10, 12, 16)).as("they are neighbours").isEmpty();
        assertThat(enterSized(11, 13, 16)).hasValue(13);
        assertThat(ledger.raised().get(0).evidence())
                .containsEntry("expectedThroughput", 130)
                .containsEntry("sizeAge", Duration.ZERO);
        assertThat(enterSized(11, 14, 16))
                .as("text does not change all the time")
                .hasValue(13);
        assertThat(ledger.raised().get(0).evidence()).containsEntry("rate", 14).containsEntry("sizeAge", SECOND);
    }

    /** The size of a lock came from the slowest seconds, and stood for the life of the finding. */
    @Test
    void enter_laterWindowsDiffer_takesTheSizeBackAndNamesTheNewOne() {
        enterSized(10, 12, 16);
        enterSized(10, 12, 16);
        assertThat(enterSized(10, 12, 16)).hasValue(12);
        assertThat(enterSized(30, 40, 50)).hasValue(12);
        assertThat(enterSized(30, 40, 50)).hasValue(12);
        assertThat(enterSized(30, 40, 50)).as("three windows do not confirm it").isEmpty();
        assertThat(enterSized(30, 40, 50)).isEmpty();
        assertThat(enterSized(30, 40, 50)).hasValue(40);
    }

    @Test
    void enter_sizesNeverAgree_namesNone() {
        for (int i = 0; i < 10; i++) {
            assertThat(enterSized(10, 12, 16)).isEmpty();
            assertThat(enterSized(30, 40, 50)).isEmpty();
        }
    }

    @Test
    void enter_sizeIsConfirmed_isRenewedEveryFiveWindows() {
        for (int i = 0; i < 3; i++) {
            enterSized(10, 12, 16);
        }
        for (int i = 0; i < 4; i++) {
            assertThat(enterSized(10, 13, 16)).hasValue(12);
        }
        assertThat(enterSized(10, 13, 16)).hasValue(13);
    }

    @Test
    void enter_othersHaveTheCpusNow_takesTheSizeBackAtOnce() {
        for (int i = 0; i < 3; i++) {
            enterSized(10, 12, 16);
        }
        assertThat(shownSize()).hasValue(12);
        enter(SECOND, new Answer(rule, Verdict.found(unsized("noSizeBecause", "other processes use 2 of 2 CPUs")), 1));
        assertThat(shownSize()).isEmpty();
    }

    @Test
    void enter_standsStill_takesTheSizeBackAtOnce() {
        for (int i = 0; i < 3; i++) {
            enterSized(10, 12, 16);
        }
        enter(SECOND, new Answer(rule, Verdict.found(unsized("standsStillFor", SECOND)), 1));
        assertThat(shownSize()).isEmpty();
    }

    /** As while the JVM compiles. */
    @Test
    void enter_noSizeForThreeWindows_takesItBack() {
        for (int i = 0; i < 3; i++) {
            enterSized(10, 12, 16);
        }
        for (int i = 0; i < 2; i++) {
            enter(SECOND, new Answer(rule, Verdict.found(unsized("noSizeBecause", "the JVM compiles")), 1));
            assertThat(shownSize()).hasValue(12);
            assertThat(ledger.raised().get(0).evidence()).doesNotContainKey("noSizeBecause");
        }
        enter(SECOND, new Answer(rule, Verdict.found(unsized("noSizeBecause", "the JVM compiles")), 1));
        assertThat(shownSize()).isEmpty();
    }

    @Test
    void enter_notCheckedForAMinute_takesTheSizeBack() {
        for (int i = 0; i < 3; i++) {
            enterSized(10, 12, 16);
        }
        windows(1, "?".repeat(60));
        assertThat(shownSize()).isEmpty();
    }

    private Finding unsized(String name, Object value) {
        return new Finding(
                "id",
                Severity.WARNING,
                "pool",
                "w",
                "no size",
                Map.of(name, value),
                OptionalInt.empty(),
                Instant.EPOCH);
    }

    // ---- opposite advice ----

    /** After a minute of steady load nothing shows any longer that calls slow each other down, nor the contrary. */
    @Test
    void enter_growIsFoundWhileTheOppositeIsUnchecked_keepsTheOpposite() {
        bottleneck = Bottleneck.OUTSIDE;
        enter(SECOND, new Answer(rule, Verdict.found(named("downstream-saturated")), 1));
        for (int i = 0; i < 700; i++) {
            enter(SECOND, unchecked(), new Answer(growth, Verdict.found(named("blocked-on-io")), 1));
        }

        assertThat(ledger.raised()).singleElement().satisfies(shown -> {
            assertThat(shown.id()).isEqualTo("downstream-saturated");
            assertThat(shown.evidence()).doesNotContainKey(FindingLife.NOT_CHECKED);
        });
    }

    @Test
    void enter_growIsFoundAndTheOppositeIsClear_takesItsPlace() {
        bottleneck = Bottleneck.OUTSIDE;
        enter(SECOND, new Answer(rule, Verdict.found(named("downstream-saturated")), 1));
        for (int i = 0; i < 3; i++) {
            enter(
                    SECOND,
                    new Answer(rule, Verdict.clear(), 1),
                    new Answer(growth, Verdict.found(named("blocked-on-io")), 1));
        }

        assertThat(ledger.raised()).extracting(Finding::id).containsExactly("blocked-on-io");
    }

    /** The line is gone, and with it what the finding was about. */
    @Test
    void enter_growIsFoundUnderAnotherBottleneck_resolvesTheOpposite() {
        bottleneck = Bottleneck.LINE;
        enter(SECOND, new Answer(rule, Verdict.found(named("downstream-saturated")), 1));
        news.clear();
        bottleneck = Bottleneck.OUTSIDE;
        enter(SECOND, unchecked(), new Answer(growth, Verdict.found(named("blocked-on-io")), 1));

        assertThat(news).containsExactly("resolved downstream-saturated", "raised blocked-on-io");
    }

    private final Rule growth = window -> Verdict.clear();

    private Answer unchecked() {
        return new Answer(rule, Verdict.unknown("how the throughput changes"), 1);
    }

    private static Finding named(String id) {
        return new Finding(id, Severity.WARNING, "pool", id, "", Map.of(), OptionalInt.empty(), Instant.EPOCH);
    }

    // ---- resolved ----

    @Test
    void enter_clearForThreeSeconds_resolvesOnce() {
        assertThat(windows(1, "F..")).containsExactly("raised w1");
        assertThat(windows(1, "....")).containsExactly("resolved w1");
        assertThat(ledger.raised()).isEmpty();
    }

    @Test
    void enter_clearInShortWindows_resolvesAfterAsMuchTime() {
        windows(2, "FF");
        assertThat(windows(QUARTER, 2, ".".repeat(11))).isEmpty();
        assertThat(windows(QUARTER, 2, ".")).containsExactly("resolved w2");
    }

    @Test
    void enter_clearWindowAsLongAsThree_doesNotResolveAlone() {
        windows(3, "FFF");
        assertThat(windows(SECOND.multipliedBy(3), 3, ".")).isEmpty();
        assertThat(windows(3, ".")).containsExactly("resolved w3");
    }

    @Test
    void enter_foundBetween_clearTimeBeginsAnew() {
        windows(2, "FF");
        assertThat(windows(2, "..F..")).containsExactly("updated w5");
        assertThat(windows(2, ".")).containsExactly("resolved w5");
    }

    @Test
    void enter_again_raisesAgain() {
        windows(2, "FF...");
        assertThat(windows(2, "F")).isEmpty();
        assertThat(windows(2, "F")).containsExactly("raised w7");
    }

    @Test
    void enter_ruleRemoved_resolves() {
        windows(2, "FF");
        enter(SECOND);
        enter(SECOND);
        enter(SECOND);
        assertThat(news).contains("resolved w2");
    }

    // ---- unknown ----

    @Test
    void enter_unknownForLessThanAMinute_changesNothing() {
        windows(2, "FF");
        assertThat(windows(2, "?".repeat(59))).isEmpty();
        assertThat(ledger.raised()).extracting(Finding::summary).containsExactly("w2");
    }

    @Test
    void enter_unknownForAMinute_saysSoOnce() {
        windows(2, "FF");
        assertThat(windows(2, "?".repeat(60))).containsExactly("updated w2 (not checked for 1 min: no stacks)");
        assertThat(ledger.raised())
                .singleElement()
                .satisfies(shown ->
                        assertThat(shown.evidence()).containsEntry(FindingLife.NOT_CHECKED, Duration.ofMinutes(1)));

        assertThat(windows(2, "?".repeat(59))).isEmpty();
        assertThat(windows(2, "F")).containsExactly("updated w122");
    }

    /** No evidence has shown that it is gone. */
    @Test
    void enter_unknownForTenMinutes_endsAndIsNotResolved() {
        windows(2, "FF");
        assertThat(windows(2, "?".repeat(600)))
                .hasSize(10)
                .last()
                .isEqualTo("ended w2: no longer known, not checked for 10 min: no stacks");
        assertThat(ledger.raised()).isEmpty();
    }

    /** The machine slept for an hour, and the first window afterwards cannot be judged. */
    @Test
    void enter_unknownInOneLongWindow_doesNotEnd() {
        windows(2, "FF");
        assertThat(windows(Duration.ofHours(1), 2, "?"))
                .containsExactly("updated w2 (not checked for 60 min: no stacks)");
        assertThat(windows(2, "F")).containsExactly("updated w4");
    }

    @Test
    void enter_clearBetweenUnknowns_doNotResolveSooner() {
        windows(2, "FF");
        assertThat(windows(2, ".??.??")).isEmpty();
        assertThat(windows(2, ".")).containsExactly("resolved w2");
    }

    /** Another rule's answer says nothing about this one's finding. */
    @Test
    void enter_otherRuleIsClear_findingOfTheUnknownOneStands() {
        Rule other = window -> Verdict.clear();
        windows(1, "F");
        news.clear();
        for (int i = 0; i < 5; i++) {
            enter(SECOND, new Answer(other, Verdict.clear(), 0), new Answer(rule, Verdict.unknown("no stacks"), 0));
        }
        assertThat(news).isEmpty();
    }

    @Test
    void enterUnseen_standsForUnknown() {
        windows(2, "FF");
        news.clear();
        for (int i = 0; i < 60; i++) {
            ledger.enterUnseen(
                    "all stood still", new Circumstances(SECOND, SECOND, bottleneck, true, isFull), listener);
        }
        assertThat(news).containsExactly("updated w2 (not checked for 1 min: all stood still)");
    }

    // ---- another bottleneck ----

    /** A pool is not well as long as tasks wait for busy workers. */
    @Test
    void enter_clearUnderAnotherBottleneckOfAFullPool_endsWithThatReason() {
        bottleneck = Bottleneck.OUTSIDE;
        windows(2, "FF");
        bottleneck = Bottleneck.CPU;
        isFull = true;
        assertThat(windows(2, ".")).containsExactly("ended w2: something else limits the pool now");
        assertThat(ledger.raised()).isEmpty();
    }

    @Test
    void enter_clearUnderAnotherBottleneck_resolvesAtOnce() {
        bottleneck = Bottleneck.LINE;
        windows(2, "FF");

        bottleneck = Bottleneck.OUTSIDE;
        assertThat(windows(2, "?")).as("unknown resolves nothing").isEmpty();
        assertThat(windows(2, ".")).containsExactly("resolved w2");
    }

    @Test
    void enter_clearWhileTheBottleneckIsUnknown_doesNotResolveAtOnce() {
        bottleneck = Bottleneck.LINE;
        windows(2, "FF");

        bottleneck = Bottleneck.UNKNOWN;
        assertThat(windows(2, ".")).isEmpty();
    }

    // ---- ended ----

    @Test
    void endSwitchedOff_raised_endsAtOnceAndSuspectedSilently() {
        MonitorSettings settings = new MonitorSettings();
        windows(2, "FF");
        settings.switchOff("other");
        ledger.endSwitchedOff(settings, listener);
        assertThat(ledger.raised()).hasSize(1);
        news.clear();

        settings.switchOff("id");
        ledger.endSwitchedOff(settings, listener);
        ledger.endSwitchedOff(settings, listener);

        assertThat(news).containsExactly("ended w2: it was switched off");
        assertThat(ledger.raised()).isEmpty();
    }

    @Test
    void endOfPool_suspectedForHalfTheTime_isRaisedAndEnds() {
        mayRaise = false; // it lived no longer than the grace period
        windows(QUARTER, 2, "FFFF");

        ledger.endOfPool(listener);

        assertThat(news).containsExactly("raised w4", "ended w4: the pool has ended");
        assertThat(ledger.raised()).isEmpty();
    }

    @Test
    void endOfPool_suspectedForLess_isNotRaised() {
        windows(QUARTER, 2, "FFF");
        ledger.endOfPool(listener);
        assertThat(news).isEmpty();
    }

    @Test
    void endOfPool_suspectedInOneLongWindow_isNotRaised() {
        windows(3, "F");
        ledger.endOfPool(listener);
        assertThat(news).isEmpty();
    }
}
