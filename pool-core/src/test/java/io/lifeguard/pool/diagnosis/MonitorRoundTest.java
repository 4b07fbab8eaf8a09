package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.evidence.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.ProcessTimes;
import io.lifeguard.pool.diagnosis.rules.FailuresUnseen;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.FakePool;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.StackSample;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.os.ProcessReading;
import io.lifeguard.pool.os.ThreadReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rounds over fake pools in fake time. */
class MonitorRoundTest {

    private static final Duration WINDOW = Duration.ofSeconds(1);

    @TempDir
    Path noSystem;

    private final FakeClock clock = new FakeClock();
    private final MonitorSettings settings = new MonitorSettings();
    private final List<String> news = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final List<PoolWindow> examined = new ArrayList<>();
    private long gcMillis;
    private int stacksSeen;

    /** One that judges at once, by these rules only. */
    private MonitorRound round(Rule... rules) {
        settings.rules().addAll(List.of(rules));
        settings.grace(0);
        settings.discoversRules(false);
        settings.listeners().add(collector(news));
        EvidenceSources sources = new EvidenceSources(
                new ProcessTimes(
                        () -> new ProcessReading(-1, -1, -1, -1, Double.POSITIVE_INFINITY, 0),
                        () -> gcMillis,
                        () -> -1,
                        clock),
                new ThreadReader(noSystem),
                (workers, pool) -> {
                    stacksSeen++;
                    return Optional.of(new StackSample(1, workers.size(), List.of(), List.of(), 0, 0, Map.of()));
                },
                new EvidenceBudget(() -> 0, clock::nanoTime));
        MonitorRound round = new MonitorRound(settings, clock, sources, collector(log));
        round.begin();
        return round;
    }

    private static FindingListener collector(List<String> news) {
        return new FindingListener() {
            @Override
            public void raised(Finding finding) {
                news.add("raised " + finding.pool() + " " + finding.id());
            }

            @Override
            public void escalated(Finding finding) {
                news.add("escalated " + finding.pool() + " " + finding.id());
            }

            @Override
            public void resolved(Finding finding) {
                news.add("resolved " + finding.pool() + " " + finding.id());
            }
        };
    }

    private FakePool pool(MonitorRound round, String name) {
        FakePool pool = new FakePool(name, clock);
        round.add(pool, name);
        return pool;
    }

    private void rounds(MonitorRound round, int count) {
        for (int i = 0; i < count; i++) {
            clock.pass(WINDOW);
            round.make(Duration.ZERO);
        }
    }

    private void late(MonitorRound round, Duration late) {
        clock.pass(WINDOW.plus(late));
        round.make(late);
    }

    private Rule rule(String id, Function<PoolWindow, Set<Evidence>> needs) {
        return new Rule() {
            @Override
            public Verdict examine(PoolWindow window) {
                examined.add(window);
                return Verdict.found(Finding.of(id, window).summary("found").build());
            }

            @Override
            public Set<Evidence> needs(PoolWindow window) {
                return needs.apply(window);
            }
        };
    }

    private Rule rule(String id) {
        return rule(id, window -> Set.of());
    }

    @Test
    void round_ruleThatAlwaysFinds_raisesPerPoolAndTellsLogAndListeners() {
        MonitorRound round = round(rule("a"));
        pool(round, "one");
        pool(round, "two");

        rounds(round, 4); // the first begins the first window, three raise

        assertThat(news).containsExactlyInAnyOrder("raised one a", "raised two a");
        assertThat(log).containsExactlyInAnyOrderElementsOf(news);
    }

    @Test
    void round_findingBecomesCritical_tellsLogAndListenersOnce() {
        MonitorRound round = round(window -> Verdict.found(Finding.of("a", window)
                .severity(window.windows() < 5 ? Severity.WARNING : Severity.CRITICAL)
                .build()));
        pool(round, "one");

        rounds(round, 8);

        assertThat(news).containsExactly("raised one a", "escalated one a");
        assertThat(log).containsExactlyElementsOf(news);
    }

    @Test
    void round_grace_isNotJudged() {
        MonitorRound round = round(rule("a"));
        settings.grace(5);
        pool(round, "one");

        rounds(round, 1 + 5);
        assertThat(examined).isEmpty();

        rounds(round, 1);
        assertThat(examined)
                .singleElement()
                .satisfies(window ->
                        assertThat(window.windows()).as("with what was before").isEqualTo(6));
    }

    /** So that the first window that is judged comes with evidence. */
    @Test
    void round_grace_evidenceIsCollected() {
        MonitorRound round = round(rule("a", window -> EnumSet.of(Evidence.STACKS)));
        settings.grace(5);
        pool(round, "one");
        rounds(round, 2);

        assertThat(round.wantsGlances()).isTrue();
        for (int i = 0; i < 5; i++) {
            round.glance();
            rounds(round, 1);
        }
        assertThat(examined)
                .singleElement()
                .satisfies(window -> assertThat(window.stacks()).isPresent());
    }

    @Test
    void round_switchedOff_isResolvedAtOnceAndRaisedAgainWhenSwitchedOn() {
        MonitorRound round = round(rule("a"));
        pool(round, "one");
        rounds(round, 4);

        settings.switchOff("a");
        rounds(round, 1);
        assertThat(news).containsExactly("raised one a", "resolved one a");

        settings.switchOn("a");
        rounds(round, 3);
        assertThat(news).hasSize(3).last().isEqualTo("raised one a");
    }

    @Test
    void round_threshold_reachesTheRule() {
        MonitorRound round = round(rule("a"));
        Threshold limit = new Threshold("a.limit", 1, "");
        settings.threshold("a.limit", 7);
        pool(round, "one");

        rounds(round, 2);

        assertThat(examined.get(0).threshold(limit)).isEqualTo(7);
    }

    static List<Throwable> failures() {
        return List.of(
                new IllegalStateException("on purpose"),
                new OutOfMemoryError("on purpose"),
                new StackOverflowError("on purpose"),
                new NoClassDefFoundError("on purpose"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void round_ruleListenerOrPoolThatThrows_othersGoOn(Throwable failure) {
        MonitorRound round = round(
                window -> {
                    throw MonitorRoundTest.<RuntimeException>sneaky(failure);
                },
                rule("a", window -> {
                    throw MonitorRoundTest.<RuntimeException>sneaky(failure);
                }));
        settings.listeners().add(0, finding -> {
            throw MonitorRoundTest.<RuntimeException>sneaky(failure);
        });
        pool(round, "sick").failure = failure;
        pool(round, "well");

        rounds(round, 4);

        assertThat(news).containsExactly("raised well a");
    }

    @Test
    void round_ruleThatReturnsNull_isIgnored() {
        MonitorRound round = round(window -> null, rule("a"));
        pool(round, "one");

        rounds(round, 4);

        assertThat(news).containsExactly("raised one a");
    }

    @Test
    void round_poolCollected_isDroppedAndItsFindingsAreResolved() {
        MonitorRound round = round(rule("a"));
        FakePool pool = pool(round, "one");
        rounds(round, 4);

        pool.collected.set(true);
        rounds(round, 1);

        assertThat(news).containsExactly("raised one a", "resolved one a");
        assertThat(round.hasNothingToDo()).isTrue();
    }

    @Test
    void round_poolTerminated_isJudgedOnceMoreAndDropped() {
        MonitorRound round = round(rule("a"));
        FakePool pool = pool(round, "one");
        ThreadPoolExecutor executor = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
        pool.executor = executor;
        rounds(round, 4);
        int before = examined.size();

        executor.shutdown();
        rounds(round, 1);

        assertThat(examined)
                .hasSize(before + 1)
                .last()
                .satisfies(window -> assertThat(window.state()).isEqualTo(PoolState.TERMINATED));
        assertThat(news).containsExactly("raised one a", "resolved one a");
        assertThat(round.hasNothingToDo()).isTrue();
    }

    @Test
    void round_standstill_isNotJudgedAndSplitsTheHistory() {
        MonitorRound round = round(rule("a"));
        FakePool pool = pool(round, "one");
        rounds(round, 3);
        assertThat(examined).hasSize(2);

        late(round, Duration.ofSeconds(30)); // a debugger
        assertThat(examined).hasSize(2);

        rounds(round, 1);
        assertThat(examined)
                .hasSize(3)
                .last()
                .satisfies(window -> assertThat(window.windows()).isEqualTo(1));
        assertThat(news).as("three windows that could be judged").containsExactly("raised one a");
        assertThat(round.watches().get(0).windows()).as("all are kept").hasSize(4);
        assertThat(pool.meter()).isNotNull();
    }

    @Test
    void round_collectingAllTheTime_isNotJudged() {
        MonitorRound round = round(rule("a"));
        pool(round, "one");
        rounds(round, 2);
        for (int i = 0; i < 10; i++) {
            gcMillis += 400;
            rounds(round, 1);
        }

        assertThat(examined).hasSize(1);
    }

    @Test
    void round_wallClockLeaps_isNotJudgedOnce() {
        MonitorRound round = round(rule("a"));
        pool(round, "one");
        rounds(round, 2);

        clock.leap(Duration.ofHours(8)); // a machine that slept
        rounds(round, 1);
        assertThat(examined).hasSize(1);

        rounds(round, 1);
        assertThat(examined).hasSize(2);
    }

    @Test
    void round_taskRunningDuringStandstill_standstillIsNotCounted() {
        MonitorRound round = round(rule("a"));
        FakePool pool = pool(round, "one");
        rounds(round, 2);
        late(round, Duration.ofSeconds(30));

        pool.runs(Duration.ofSeconds(33)); // began one second before
        rounds(round, 1);

        assertThat(examined.get(1).workers().get(0).runningFor()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void glance_noRuleAsks_takesNoStacks() {
        MonitorRound round = round(rule("a"));
        pool(round, "one");
        rounds(round, 3);

        assertThat(round.wantsGlances()).isFalse();
        round.glance();
        assertThat(stacksSeen).isZero();
    }

    @Test
    void glance_ruleAsks_stacksAreInTheNextWindowOnly() {
        MonitorRound round =
                round(rule("a", window -> examined.size() < 2 ? EnumSet.of(Evidence.STACKS) : Set.<Evidence>of()));
        pool(round, "one");
        rounds(round, 2);

        assertThat(round.wantsGlances()).isTrue();
        round.glance();
        round.glance();
        rounds(round, 1);

        assertThat(examined.get(0).stacks()).isEmpty();
        assertThat(examined.get(1).stacks()).isPresent();
        assertThat(round.wantsGlances()).isFalse();
        rounds(round, 1);
        assertThat(examined.get(2).stacks()).isEmpty();
    }

    @Test
    void add_twice_isWatchedOnce() {
        MonitorRound round = round();
        FakePool pool = pool(round, "one");
        round.add(pool, "again");

        assertThat(round.watches()).hasSize(1);
        assertThat(round.freeName("one")).isEqualTo("one#2");
        assertThat(round.freeName("two")).isEqualTo("two");
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable any) throws T {
        throw (T) any;
    }

    /** It is the collector that makes known that nobody will ever ask for them. */
    @Test
    void round_futuresCollectedInALongPause_areReportedAfterIt() {
        MonitorRound round = round(new FailuresUnseen());
        settings.grace(2);
        FakePool pool = pool(round, "one");
        rounds(round, 4);

        gcMillis += 400;
        pool.failures = List.of(new PoolSnapshot.Unseen("Import", "java.io.IOException", 7, 0, Duration.ZERO, 0));
        rounds(round, 1);
        assertThat(news).as("not judged").isEmpty();

        rounds(round, 3);
        assertThat(news).containsExactly("raised one failures-unseen");
        assertThat(round.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.summary()).startsWith("7 failed results"));
    }

    @Test
    void end_findingsRaised_listenersSeeThemResolved() {
        MonitorRound round = round(rule("a"));
        pool(round, "one");
        rounds(round, 4);

        round.end();
        round.rest();

        assertThat(news).containsExactly("raised one a", "resolved one a");
        assertThat(round.findings()).isEmpty();
    }
}
