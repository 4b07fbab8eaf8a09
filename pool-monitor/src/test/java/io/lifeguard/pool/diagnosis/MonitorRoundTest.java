package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.cpu.ProcessTimes;
import io.lifeguard.pool.diagnosis.outside.ExternalForkJoinPool;
import io.lifeguard.pool.diagnosis.outside.ExternalThreadPool;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.rules.FailuresUnseen;
import io.lifeguard.pool.diagnosis.seen.Peer;
import io.lifeguard.pool.diagnosis.system.ProcessReading;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.FakePool;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.recording.LiveSink;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Recorder;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import io.lifeguard.pool.testing.HeldTask;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounds over fake pools in fake time. */
class MonitorRoundTest {

    private static final Duration WINDOW = Duration.ofSeconds(1);

    @TempDir
    Path noSystem;

    private final FakeClock clock = new FakeClock();
    private final MonitorSettings settings = new MonitorSettings();
    private final Recorder recorder = new Recorder(LiveSink.NONE);
    private final List<String> news = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final List<PoolWindow> examined = new ArrayList<>();
    private long gcMillis;
    private long cpuNanos; // of the monitor's thread, by its budget
    private int stacksSeen;
    private Bottleneck vote = Bottleneck.UNKNOWN;

    /** One that judges at once, by these rules only. */
    private MonitorRound round(Rule... rules) {
        settings.rules().addAll(List.of(rules));
        settings.grace(Duration.ZERO);
        settings.discoversRules(false);
        settings.listeners().add(collector(news));
        EvidenceSources sources = new EvidenceSources(
                new ProcessTimes(
                        () -> new ProcessReading(-1, -1, -1, -1, Double.POSITIVE_INFINITY, 0),
                        () -> gcMillis,
                        () -> -1,
                        clock),
                new ThreadReader(noSystem),
                (ids, depth) -> {
                    stacksSeen += ids.length;
                    return ManagementFactory.getThreadMXBean().getThreadInfo(ids, depth);
                },
                new EvidenceBudget(() -> cpuNanos, clock::nanoTime));
        MonitorRound round = new MonitorRound(settings, clock, sources, collector(log), window -> vote, recorder);
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

            @Override
            public void ended(Finding finding, String why) {
                news.add("ended " + finding.pool() + " " + finding.id() + ": " + why);
            }
        };
    }

    private FakePool pool(MonitorRound round, String name) {
        FakePool pool = new FakePool(name, clock);
        round.pools().add(pool, name);
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

    /** So that a finding that holds is raised right at the end of the grace period. */
    @Test
    void round_grace_findingsAreSuspectedOnly() {
        MonitorRound round = round(rule("a"));
        settings.grace(Duration.ofSeconds(5));
        pool(round, "one");

        rounds(round, 4);
        assertThat(news).isEmpty();

        rounds(round, 1);
        assertThat(news).containsExactly("raised one a");
    }

    /** The start of a monitor that is short of CPU takes seconds, in which the pool gets older. */
    @Test
    void round_poolWasThereWhenTheMonitorBeganToStart_graceCountsFromThen() {
        MonitorRound round = round(rule("a"));
        settings.grace(Duration.ofSeconds(5));
        long begun = clock.nanoTime();
        FakePool pool = new FakePool("one", clock);
        clock.pass(Duration.ofSeconds(3));
        round.pools().announce(pool, "one", begun);
        assertThat(round.pools().all()).hasSize(1);

        rounds(round, 3);

        assertThat(news).containsExactly("raised one a");
    }

    /** Loading and compiling, which end. */
    @Test
    void round_foundInGraceOnly_isNotRaised() {
        MonitorRound round = round(window ->
                window.windows() < 4 ? Verdict.found(Finding.of("a", window).build()) : Verdict.clear());
        settings.grace(Duration.ofSeconds(5));
        pool(round, "one");

        rounds(round, 10);

        assertThat(news).isEmpty();
    }

    /** So that the first window that is judged comes with evidence. */
    @Test
    void round_grace_evidenceIsCollected() {
        MonitorRound round = round(rule("a", window -> EnumSet.of(Evidence.STACKS)));
        settings.grace(Duration.ofSeconds(5));
        pool(round, "one").runs(Duration.ofSeconds(3));
        rounds(round, 2);

        for (int i = 0; i < 5; i++) {
            round.glance();
            rounds(round, 1);
        }
        assertThat(examined)
                .last()
                .satisfies(window -> assertThat(window.breakdown().looks()).isEqualTo(1));
    }

    @Test
    void round_switchedOff_endsAtOnceAndRaisedAgainWhenSwitchedOn() {
        MonitorRound round = round(rule("a"));
        pool(round, "one");
        rounds(round, 4);

        settings.switchOff("a");
        rounds(round, 1);
        assertThat(news).containsExactly("raised one a", "ended one a: it was switched off");

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
    void round_poolCollected_isDroppedAndItsFindingsEnd() {
        MonitorRound round = round(rule("a"));
        FakePool pool = pool(round, "one");
        rounds(round, 4);

        pool.collected.set(true);
        rounds(round, 1);

        assertThat(news).containsExactly("raised one a", "ended one a: the pool has ended");
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
        assertThat(news).containsExactly("raised one a", "ended one a: the pool has ended");
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
        assertThat(round.pools().all().get(0).windows()).as("all are kept").hasSize(4);
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

    /** The wall clock is set, by hand or by a server of time, while a finding stands. */
    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void round_wallClockSetByAnHour_findingStandsAndIsRaisedOnce(int hours) {
        MonitorRound round = round(rule("a"));
        pool(round, "one");
        rounds(round, 5);
        assertThat(news).containsExactly("raised one a");

        clock.leap(Duration.ofHours(hours));
        rounds(round, 5);

        assertThat(news).containsExactly("raised one a");
        assertThat(round.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.id()).isEqualTo("a"));
    }

    /** No machine should do that, and some virtual ones did. */
    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void round_bothClocksLeapByAnHour_isJudgedAgainSoon(int hours) {
        MonitorRound round = round(rule("a"));
        pool(round, "one");
        rounds(round, 5);

        clock.pass(Duration.ofHours(hours));
        round.make(Duration.ZERO);
        int before = examined.size();
        rounds(round, 5);

        assertThat(examined).hasSizeGreaterThanOrEqualTo(before + 4);
        assertThat(news).contains("raised one a").doesNotContain("resolved one a");
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

    /** So that the first suspicious window has some evidence already. */
    @Test
    void glance_noRuleAsks_takesFewStacks() {
        MonitorRound round = round(rule("a"));
        pool(round, "one").workers = eightWorkers();
        rounds(round, 1);
        glances(round, 200);
        rounds(round, 1);

        assertThat(stacksSeen).isBetween(1, 200);
        assertThat(examined.get(0).breakdown().looks()).isEqualTo(200);
        assertThat(examined.get(0).breakdown().stacks()).isPositive();
    }

    @Test
    void glance_ruleAsks_takesManyStacksInTheNextWindowOnly() {
        MonitorRound round =
                round(rule("a", window -> examined.size() < 2 ? EnumSet.of(Evidence.STACKS) : Set.<Evidence>of()));
        pool(round, "one").workers = eightWorkers();
        rounds(round, 2);
        glances(round, 200);
        int many = stacksSeen;
        rounds(round, 1);
        glances(round, 200);

        assertThat(many).isGreaterThan(3 * (stacksSeen - many));
        rounds(round, 1);
        assertThat(examined.get(0).breakdown().looks()).isZero();
        assertThat(examined.get(1).breakdown().stacks())
                .isGreaterThan(examined.get(2).breakdown().stacks());
    }

    /** The rules of a starved round may take seconds, when they are asked for the first time. */
    @Test
    void round_starved_looksAtWorkersBetweenRules() {
        Rule slow = rule("a", window -> Set.of());
        MonitorRound round = round(
                window -> {
                    clock.pass(Duration.ofMillis(60));
                    return Verdict.clear();
                },
                slow);
        pool(round, "one").workers = eightWorkers();
        rounds(round, 2);
        starved(round);
        starved(round);

        assertThat(examined).extracting(window -> window.breakdown().looks()).containsExactly(0, 0, 1);
    }

    private static List<WorkerState> eightWorkers() {
        return IntStream.range(0, 8)
                .mapToObj(i -> new WorkerState(
                        Thread.currentThread(),
                        OptionalLong.empty(),
                        true,
                        false,
                        Optional.of("kind"),
                        Duration.ZERO,
                        i))
                .toList();
    }

    /** In ten seconds. */
    private void glances(MonitorRound round, int count) {
        for (int i = 0; i < count; i++) {
            clock.pass(Duration.ofMillis(50));
            round.glance();
        }
    }

    @Test
    void add_twice_isWatchedOnce() {
        MonitorRound round = round();
        FakePool pool = pool(round, "one");
        round.pools().add(pool, "again");

        assertThat(round.pools().all()).hasSize(1);
        assertThat(round.pools().freeName("one")).isEqualTo("one#2");
        assertThat(round.pools().freeName("two")).isEqualTo("two");
    }

    @Test
    void announce_watchedPoolAndNewPoolTwice_areWatchedOnce() {
        MonitorRound round = round();
        FakePool watched = pool(round, "one");
        FakePool announced = pool(round(), "two");
        round.pools().announce(watched, "again", 0);
        round.pools().announce(announced, "two", 0);
        round.pools().announce(announced, "two again", 0);

        assertThat(round.pools().all()).extracting(PoolWatch::name).containsExactly("one", "two");
    }

    @Test
    void terminated_unwatchedPoolBesideAWatchedOne_isLetGoWithTheNextRound() {
        MonitorRound round = round();
        pool(round, "one");
        round.pools().terminated(new Object());
        assertThat(round.pools().departed()).isOne();

        rounds(round, 1);
        assertThat(round.pools().departed()).isZero();
    }

    @Test
    void terminated_whenNothingIsWatched_isNotHeld() {
        MonitorRound round = round();
        round.pools().terminated(new Object());

        assertThat(round.pools().departed()).isZero();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable any) throws T {
        throw (T) any;
    }

    /** The collector makes known that no code will ever ask for them. */
    @Test
    void round_futuresCollectedInALongPause_areReportedAfterIt() {
        MonitorRound round = round(new FailuresUnseen());
        settings.grace(Duration.ofSeconds(2));
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
    void end_findingsRaised_listenersSeeThemEnd() {
        MonitorRound round = round(rule("a"));
        pool(round, "one");
        rounds(round, 4);

        round.pools().end();
        round.rest();

        assertThat(news).containsExactly("raised one a", "ended one a: the monitor was closed");
        assertThat(round.findings()).isEmpty();
    }

    // ---- lengths of windows ----

    @Test
    void length_youngPool_isShortAndGrows() {
        MonitorRound round = round();
        assertThat(round.length()).as("nothing to see").isEqualTo(WINDOW);
        pool(round, "one");
        assertThat(round.length()).isEqualTo(Duration.ofMillis(250));

        rounds(round, 10);
        assertThat(round.length()).isEqualTo(WINDOW);
    }

    /** Only a pool with work is worth short windows. */
    @Test
    void length_youngPoolIsCalm_isAsUsualUntilItHasWork() throws Exception {
        MonitorRound round = round(rule("a"));
        try (Fixture fixture = new Fixture()) {
            InstrumentedThreadPoolExecutor calm = fixture.closing(
                    InstrumentedThreadPoolExecutor.named("calm").size(1).build());
            round.pools().add(PoolSource.of(calm), "calm");
            rounds(round, 1);
            assertThat(round.length()).isEqualTo(WINDOW);

            HeldTask task = new HeldTask(new Gate());
            calm.execute(task);
            task.started.await();
            for (int i = 0; i < 20; i++) {
                round.glance();
            }
            assertThat(round.length()).isEqualTo(Duration.ofMillis(250));
            task.release();
        }
    }

    @Test
    void length_findingSuspected_isShortUntilItIsRaised() {
        MonitorRound round = round(window -> window.windows() < 12
                ? Verdict.clear()
                : Verdict.found(Finding.of("a", window).build()));
        pool(round, "one");
        rounds(round, 13); // the first begins the first window, the last is the first that finds something
        assertThat(round.length()).isEqualTo(Duration.ofMillis(250));

        rounds(round, 1);
        assertThat(news).containsExactly("raised one a");
        assertThat(round.length()).isEqualTo(WINDOW);
    }

    @Test
    void length_setToLess_holds() {
        MonitorRound round = round();
        settings.window(Duration.ofMillis(100));
        pool(round, "one");
        assertThat(round.length()).isEqualTo(Duration.ofMillis(100));
    }

    /** Short windows cost this thread what it does not get. */
    @Test
    void length_threadIsStarved_isAsUsual() {
        MonitorRound round = round();
        pool(round, "one");
        rounds(round, 2);

        late(round, Duration.ofSeconds(2));
        assertThat(round.length()).isEqualTo(WINDOW);

        rounds(round, 1);
        assertThat(round.length()).isEqualTo(Duration.ofMillis(250));
    }

    /** What it has of the CPU goes to the pools that work; the others are recorded, but not judged. */
    @Test
    void round_threadIsStarved_judgesOnlyPoolsThatHadTasks() throws Exception {
        settings.window(Duration.ofMillis(250)); // pools with a task now and then have windows of the usual length
        MonitorRound round = round(rule("a"));
        try (Fixture fixture = new Fixture()) {
            InstrumentedThreadPoolExecutor works = fixture.closing(
                    InstrumentedThreadPoolExecutor.named("works").size(1).build());
            InstrumentedThreadPoolExecutor idle = fixture.closing(
                    InstrumentedThreadPoolExecutor.named("idle").size(1).build());
            round.pools().add(PoolSource.of(works), "works");
            round.pools().add(PoolSource.of(idle), "idle");
            rounds(round, 1);
            fixture.get(works.submit(() -> "a task"));
            starved(round);
            assertThat(examined).extracting(PoolWindow::pool).containsExactly("works");
            assertThat(recorder.observations())
                    .filteredOn(WindowSummary.class::isInstance)
                    .extracting(Observation::pool)
                    .containsExactlyInAnyOrder("works", "idle");

            rounds(round, 1);
            assertThat(examined).extracting(PoolWindow::pool).contains("idle");
        }
        assertThat(news).as("unknown resolves nothing and raises nothing").isEmpty();
    }

    /** In a young JVM a round takes more CPU time than a starved thread is to use, before it asks the first rule. */
    @Test
    void round_threadIsStarvedAndHasUsedItsCpuTime_judgesOnePool() throws Exception {
        settings.window(Duration.ofMillis(250));
        MonitorRound round = round(rule("a"));
        try (Fixture fixture = new Fixture()) {
            List<InstrumentedThreadPoolExecutor> pools = new ArrayList<>();
            for (String name : List.of("one", "two", "three")) {
                InstrumentedThreadPoolExecutor pool = fixture.closing(
                        InstrumentedThreadPoolExecutor.named(name).size(1).build());
                pools.add(pool);
                round.pools().add(slow(PoolSource.of(pool)), name);
            }
            rounds(round, 1);
            for (InstrumentedThreadPoolExecutor pool : pools) {
                fixture.get(pool.submit(() -> "a task"));
            }
            starved(round);
        }
        assertThat(examined).hasSize(1);
    }

    /** A finding of a full machine comes at most two windows later. */
    @Test
    void round_threadIsStarvedAllTheTime_judgesEachPoolInOneOfThreeWindows() throws Exception {
        MonitorRound round = round(rule("a"));
        try (Fixture fixture = new Fixture()) {
            List<String> names = List.of("one", "two", "three", "four", "five");
            for (String name : names) {
                InstrumentedThreadPoolExecutor pool = fixture.closing(
                        InstrumentedThreadPoolExecutor.named(name).size(1).build());
                pool.execute(fixture.gate()::passUninterruptibly);
                round.pools().add(slow(PoolSource.of(pool)), name);
            }
            rounds(round, 1);
            examined.clear();
            List<Integer> judged = new ArrayList<>(); // until then
            for (int i = 0; i < 9; i++) {
                starved(round);
                judged.add(examined.size());
            }
            assertThat(judged.get(0)).as("the first window is put off for most").isEqualTo(1);
            for (int i = 2; i < 9; i++) {
                assertThat(examined.subList(i == 2 ? 0 : judged.get(i - 3), judged.get(i)))
                        .extracting(PoolWindow::pool)
                        .containsAll(names);
            }
        }
    }

    /** Takes 6 ms of CPU time to read: five of them take more than a starved round may. */
    private static PoolSource slow(PoolSource source) {
        return new PoolSource() {
            @Override
            public @Nullable Object executor() {
                return source.executor();
            }

            @Override
            public @Nullable InstrumentedPool meter() {
                long end = EvidenceBudget.cpuOfThisThread() + 6_000_000;
                while (EvidenceBudget.cpuOfThisThread() < end) {
                    Thread.onSpinWait();
                }
                return source.meter();
            }
        };
    }

    /** Late by more than half of a short window, which is no standstill yet. */
    private void starved(MonitorRound round) {
        Duration late = Duration.ofMillis(130);
        clock.pass(Duration.ofMillis(250));
        round.make(late);
    }

    /** Nothing of a pool that idles is looked at, but the states of its threads. */
    @Test
    void glance_idlePool_takesNoStacks() {
        MonitorRound round = round(rule("a"));
        try (Fixture fixture = new Fixture()) {
            InstrumentedThreadPoolExecutor idle = fixture.closing(
                    InstrumentedThreadPoolExecutor.named("idle").size(4).build());
            idle.prestartAllCoreThreads();
            fixture.eventually(
                    "all workers are parked",
                    () -> idle.workers().stream()
                                    .filter(worker -> worker.idle() && Fixture.isWaiting(worker.thread()))
                                    .count()
                            == 4);
            round.pools().add(PoolSource.of(idle), "idle");
            rounds(round, 1);
            glances(round, 20);
            rounds(round, 1);
        }
        assertThat(stacksSeen).isZero();
        assertThat(examined)
                .last()
                .satisfies(window -> assertThat(
                                window.breakdown().workers(Doing.IDLE).value())
                        .isEqualTo(4));
    }

    /** Short windows would spend on rounds what evidence needs, and no pool would ever be judged. */
    @Test
    void length_budgetIsSpent_isAsUsualUntilThereIsSomeAgain() {
        MonitorRound round = round();
        pool(round, "one");
        rounds(round, 2);
        assertThat(round.length()).isEqualTo(Duration.ofMillis(250));

        cpuNanos += Duration.ofMillis(60).toNanos();
        rounds(round, 1);
        assertThat(round.length()).isEqualTo(WINDOW);

        rounds(round, 2);
        assertThat(round.length()).isEqualTo(Duration.ofMillis(250));
    }

    // ---- pools that end ----

    /** It lived for less than the grace period, and was sick all the time. */
    @Test
    void round_sickPoolEndsWithinTheGracePeriod_isRaisedAtItsEnd() {
        MonitorRound round = round(rule("a"));
        settings.grace(Duration.ofSeconds(3));
        FakePool pool = pool(round, "one");
        ThreadPoolExecutor executor = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
        pool.executor = executor;
        for (int i = 0; i < 8; i++) {
            clock.pass(round.length());
            round.make(Duration.ZERO);
        }
        assertThat(news).isEmpty();

        executor.shutdown();
        clock.pass(round.length());
        round.make(Duration.ZERO);

        assertThat(news).containsExactly("raised one a", "ended one a: the pool has ended");
        assertThat(log).containsExactlyElementsOf(news);
    }

    /** A pool without workers looks healthy. */
    @Test
    void round_terminatedPoolLooksHealthy_doesNotClearItsFinding() {
        MonitorRound round = round(window -> window.state() == PoolState.TERMINATED
                ? Verdict.clear()
                : Verdict.found(Finding.of("a", window).build()));
        FakePool pool = pool(round, "one");
        ThreadPoolExecutor executor = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
        pool.executor = executor;
        rounds(round, 4);

        executor.shutdown();
        rounds(round, 1);

        assertThat(news).containsExactly("raised one a", "ended one a: the pool has ended");
    }

    /** Its user drops it when it has ended, and a collection comes before the next round. */
    @Test
    void terminated_poolThatNobodyElseHolds_isHeldUntilItsLastWindowIsClosed() {
        try (Fixture fixture = new Fixture()) {
            MonitorRound round = round();
            WeakReference<Object> reference = endedPool(round);
            System.gc();
            assertThat(reference.get()).isNotNull();

            rounds(round, 1);

            fixture.collected("pool", reference);
            assertThat(round.hasNothingToDo()).isTrue();
        }
    }

    private static WeakReference<Object> endedPool(MonitorRound round) {
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("short-lived").build();
        round.pools().add(PoolSource.of(pool), pool.name());
        pool.shutdown();
        round.pools().terminated(pool);
        return new WeakReference<>(pool);
    }

    // ---- one bottleneck ----

    @Test
    void round_bottleneck_isDecidedAndGivenToTheRules() {
        vote = Bottleneck.LINE;
        MonitorRound round = round(rule("a"));
        pool(round, "one");

        rounds(round, 3);
        assertThat(examined).extracting(PoolWindow::bottleneck).containsOnly(Bottleneck.LINE);

        vote = Bottleneck.OUTSIDE;
        rounds(round, 1);
        assertThat(examined).last().extracting(PoolWindow::bottleneck).isEqualTo(Bottleneck.LINE);
        rounds(round, 1);
        assertThat(examined).last().extracting(PoolWindow::bottleneck).isEqualTo(Bottleneck.OUTSIDE);
    }

    /** "Grow the pool" must not stand beside "growing will not help". */
    @Test
    void round_bottleneckChanges_formerAdviceEndsBeforeTheOppositeIsRaised() {
        vote = Bottleneck.OUTSIDE;
        MonitorRound round = round(only("grow", Bottleneck.OUTSIDE), only("do-not-grow", Bottleneck.LINE));
        pool(round, "one");
        rounds(round, 4);
        assertThat(news).containsExactly("raised one grow");

        vote = Bottleneck.LINE;
        for (int i = 0; i < 6; i++) {
            rounds(round, 1);
            assertThat(round.findings()).hasSizeLessThan(2);
        }

        assertThat(news).containsExactly("raised one grow", "resolved one grow", "raised one do-not-grow");
    }

    private static Rule only(String id, Bottleneck bottleneck) {
        return window -> window.bottleneck() == bottleneck
                ? Verdict.found(Finding.of(id, window).build())
                : Verdict.clear();
    }

    @Test
    void round_ruleThrowsForTenMinutes_findingEndsAsNoLongerKnown() {
        MonitorRound round = round(window -> {
            if (window.minutes().isEmpty() && window.windows() < 5) {
                return Verdict.found(Finding.of("a", window).build());
            }
            throw new IllegalStateException("on purpose");
        });
        pool(round, "one");
        rounds(round, 10);
        assertThat(news).containsExactly("raised one a");

        rounds(round, 600);

        assertThat(news)
                .hasSize(2)
                .last()
                .isEqualTo("ended one a: no longer known, not checked for 10 min: its rule failed");
    }

    /** The common pool is watched beside other pools only, because it never ends. */
    @Test
    void watchCommonPool_hasThreads_isWatchedAsLongAsAnotherPool() throws InterruptedException {
        MonitorRound round = round();
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        ForkJoinPool.commonPool().execute(() -> {
            begun.countDown();
            awaitUninterruptibly(end);
        });
        try {
            begun.await();
            round.pools().watchCommonPool();
            assertThat(round.pools().all()).as("alone").isEmpty();

            FakePool pool = pool(round, "orders");
            round.pools().watchCommonPool();
            round.pools().watchCommonPool();
            assertThat(round.pools().all())
                    .extracting(PoolWatch::name)
                    .containsExactly("orders", "ForkJoinPool.commonPool");

            pool.collected.set(true);
            rounds(round, 1);
            round.pools().watchCommonPool();
            assertThat(round.hasNothingToDo()).isTrue();
        } finally {
            end.countDown();
        }
    }

    @Test
    void watchCommonPool_userWatchesIt_keepsHis() {
        MonitorRound round = round();
        round.pools().add(new ExternalForkJoinPool(ForkJoinPool.commonPool(), "shared"), "shared");
        pool(round, "orders").collected.set(true);
        ForkJoinPool.commonPool().submit(() -> {}).join();
        round.pools().watchCommonPool();
        rounds(round, 1);
        round.pools().watchCommonPool();
        assertThat(round.pools().all()).extracting(PoolWatch::name).containsExactly("shared");
    }

    @Test
    void peers_watchedSchedulers_areSeenWithTheirAgeAndTasks() {
        List<Peer> peers = new ArrayList<>();
        MonitorRound round = round(window -> {
            peers.addAll(Peer.in(window));
            return Verdict.clear();
        });
        ScheduledThreadPoolExecutor job = new ScheduledThreadPoolExecutor(1);
        try {
            job.schedule(() -> {}, 1, TimeUnit.DAYS);
            round.pools().add(new ExternalThreadPool(job, "job", pool -> List.of()), "job");
            rounds(round, 3);
            Peer last = peers.get(peers.size() - 1);
            assertThat(last.name()).isEqualTo("job");
            assertThat(last.scheduler()).isTrue();
            assertThat(last.use().get().workers()).isEqualTo(1);
            assertThat(last.use().get().tasks()).isEqualTo(1 + last.use().get().busy());
            assertThat(last.use().get().worked() + last.use().get().idled()).isEqualTo(3);
        } finally {
            job.shutdownNow();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
