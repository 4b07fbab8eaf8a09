package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a watch that found nothing has seen enough to say that nothing is wrong. */
class SightTest {

    private static final StackTraceElement TAKE = at("java.util.concurrent.LinkedBlockingDeque", "take");
    private static final StackTraceElement RUN_WORKER = at("java.util.concurrent.ThreadPoolExecutor", "runWorker");

    @Test
    void obstacle_knownPoolForThreeWindows_isNone() {
        assertThat(obstacle(3, pool(PoolKind.EXECUTOR, Doing.COMPUTING, 8, Bottleneck.CPU)))
                .isEmpty();
    }

    @Test
    void obstacle_twoWindows_areTooFew() {
        assertThat(obstacle(2, pool(PoolKind.EXECUTOR, Doing.IDLE, 8, Bottleneck.NONE)))
                .hasValue("the watch was too short: it saw 2 windows of a second, and most findings need 3");
    }

    @Test
    void obstacle_halfOfTheWorkersAreUnknown_isSaidOfThatPool() {
        assertThat(obstacle(
                        30,
                        pool(PoolKind.EXECUTOR, Doing.UNKNOWN, 3, Bottleneck.UNKNOWN),
                        pool(PoolKind.EXECUTOR, Doing.UNKNOWN, 4, Bottleneck.UNKNOWN)))
                .hasValue("it is unknown what 4.0 of 8 threads of pool 'EXECUTOR-UNKNOWN-4' do");
    }

    @Test
    void obstacle_limitedPool_needsSixWindows() {
        PoolView limited = pool(PoolKind.EXECUTOR, Doing.WAITING_FOR_LOCK, 7, Bottleneck.LOCK);

        assertThat(obstacle(5, limited))
                .hasValue("pool 'EXECUTOR-WAITING_FOR_LOCK-7' is limited (lock), and 5 windows are too few to say"
                        + " whether that stays");
        assertThat(obstacle(6, limited)).isEmpty();
    }

    @Test
    void obstacle_manyWaitForACpuAndNothingIsFound_isSaid() {
        assertThat(obstacle(30, pool(PoolKind.EXECUTOR, Doing.WAITING_FOR_CPU, 7, Bottleneck.CPU)))
                .hasValue("7.0 of 8 threads of pool 'EXECUTOR-WAITING_FOR_CPU-7' wait for a CPU, and it is unknown how"
                        + " many threads would be enough");
        assertThat(obstacle(30, pool(PoolKind.EXECUTOR, Doing.WAITING_FOR_CPU, 2, Bottleneck.CPU)))
                .isEmpty();
    }

    @Test
    void obstacle_noPoolIsJudged_namesTheLargestGroupsOfThreads() {
        ThreadDump dump = dump("main", "actor-1", "actor-2", "actor-3", "timer-1", "timer-2", "single");

        assertThat(Sight.obstacle(
                        List.of(pool(PoolKind.KAFKA, Doing.IDLE, 8, Bottleneck.NONE)),
                        30,
                        dump,
                        false,
                        Optional.empty()))
                .hasValue("no pool was recognised among 7 threads. The largest groups by name: 3 'actor', 2 'timer'");
        assertThat(Sight.obstacle(List.of(), 30, dump("main"), false, Optional.empty()))
                .hasValue("no pool was recognised among 1 thread");
    }

    /** Whether they stand still or wait for messages cannot be told from outside. */
    @Test
    void obstacle_allWorkersWaitAndNoneWasIdle_isSaid() {
        assertThat(obstacle(30, pool(PoolKind.EXECUTOR, Doing.WAITING_OUTSIDE, 8, Bottleneck.NONE)))
                .hasValue("8 of 8 threads of pool 'EXECUTOR-WAITING_OUTSIDE-8' wait outside at"
                        + " com.example.Orders.load(Orders.java:42), none was ever idle, and whether tasks queue cannot be"
                        + " seen from outside");
        assertThat(obstacle(30, pool(PoolKind.EXECUTOR, Doing.WAITING_OUTSIDE, 7, Bottleneck.NONE)))
                .isEmpty();
        assertThat(obstacle(30, pool(PoolKind.EXECUTOR, Doing.SLEEPING, 8, Bottleneck.NONE)))
                .isEmpty();
    }

    /** As for one more connection from a queue that is empty. A consumer's own loop waits for messages. */
    @Test
    void obstacle_tasksTakeFromAQueueAndNoneMoves_isSaid() {
        List<StackTraceElement> borrows = List.of(TAKE, at("com.example.Connections", "borrow"), RUN_WORKER);
        List<StackTraceElement> consumes = List.of(TAKE, at("com.example.Mail", "run"), RUN_WORKER);
        List<StackTraceElement> handMade = List.of(TAKE, at("com.example.Mail", "next"), at("com.example.Mail", "run"));

        assertThat(obstacle(30, stuck(Doing.WAITING_IN_LINE, borrows, 0)))
                .hasValue(
                        "8 of 8 threads of pool 'stuck' wait in line at com.example.Orders.load(Orders.java:42), and none"
                                + " has moved for 3 s: dead, or waiting for messages");
        assertThat(obstacle(30, stuck(Doing.WAITING_IN_LINE, borrows, 40))).isEmpty();
        assertThat(obstacle(30, stuck(Doing.WAITING_IN_LINE, consumes, 0))).isEmpty();
        assertThat(obstacle(30, stuck(Doing.WAITING_IN_LINE, handMade, 0))).isEmpty();
        List<StackTraceElement> lambda = List.of(TAKE, at("com.example.Mail", "lambda$start$0"), RUN_WORKER);
        assertThat(obstacle(30, stuck(Doing.WAITING_IN_LINE, lambda, 0))).isEmpty();
        List<StackTraceElement> later =
                List.of(at("java.util.concurrent.DelayQueue", "take"), at("com.example.Mail", "nextDue"), RUN_WORKER);
        assertThat(obstacle(30, stuck(Doing.WAITING_IN_LINE, later, 0))).isEmpty();
    }

    /** Whoever reads a pipe looks at it once a second, so it moves. */
    @Test
    void obstacle_tasksReadAPipe_isSaid() {
        List<StackTraceElement> unpacks = List.of(
                at("java.lang.Object", "wait"),
                at("java.io.PipedInputStream", "read"),
                at("com.example.Archive", "unpack"),
                at("com.example.Archive", "lambda$add$0"),
                RUN_WORKER);

        assertThat(obstacle(30, stuck(Doing.WAITING_IN_LINE, unpacks, 24)).orElseThrow())
                .contains("wait for the other end of a pipe at ");
    }

    /** Tasks that sleep until something is ready may sleep for ever. A timer's own loop does. */
    @Test
    void obstacle_allTasksSleep_isSaid() {
        StackTraceElement sleep = at("java.lang.Thread", "sleep");
        List<StackTraceElement> retries = List.of(sleep, at("com.example.Stock", "awaitReady"), RUN_WORKER);
        List<StackTraceElement> polls = List.of(sleep, at("com.example.Poller", "run"), RUN_WORKER);

        assertThat(obstacle(30, stuck(Doing.SLEEPING, retries, 40)))
                .hasValue(
                        "8 of 8 threads of pool 'stuck' sleep at com.example.Orders.load(Orders.java:42), none was ever"
                                + " idle, and whether tasks queue cannot be seen from outside");
        assertThat(obstacle(30, stuck(Doing.SLEEPING, polls, 40))).isEmpty();
        assertThat(obstacle(30, stuck(Doing.SLEEPING, 7, retries, 40))).isEmpty();
        assertThat(obstacle(30, stuck(Doing.SLEEPING, 6, retries, 40, Doing.WAITING_FOR_CPU)))
                .as("two of them have woken, on full CPUs")
                .isPresent();
    }

    /** Nothing else runs in its pool meanwhile. A task whose own {@code run} reads messages is a consumer. */
    @Test
    void obstacle_onlyThreadWaits_isSaidOnceItStandsStill() {
        StackTraceElement read = at("sun.nio.ch.NioSocketImpl", "park");
        StackTraceElement query = at("com.example.Bills", "query");
        StackTraceElement run = at("com.example.Bills", "run");
        StackTraceElement scheduled = at("java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask", "run");
        List<StackTraceElement> inTask = List.of(read, query, RUN_WORKER);

        assertThat(obstacle(30, one(Doing.WAITING_OUTSIDE, inTask, 0)))
                .hasValue(
                        "1 of 1 thread of pool 'stuck' wait outside at com.example.Orders.load(Orders.java:42), and none"
                                + " has moved for 3 s: dead, or waiting for messages");
        assertThat(obstacle(30, one(Doing.WAITING_FOR_RESULT, inTask, 0))).isPresent();
        assertThat(obstacle(30, one(Doing.WAITING_OUTSIDE, inTask, 40))).isEmpty();
        assertThat(obstacle(30, one(Doing.SLEEPING, inTask, 40))).isPresent();
        assertThat(obstacle(30, one(Doing.WAITING_OUTSIDE, List.of(read, run, RUN_WORKER), 0)))
                .isEmpty();
        assertThat(obstacle(30, one(Doing.WAITING_OUTSIDE, List.of(read, run, scheduled, RUN_WORKER), 0)))
                .isPresent();
        assertThat(obstacle(
                        30, one(Doing.WAITING_OUTSIDE, List.of(read, run, at("java.util.TimerThread", "mainLoop")), 0)))
                .isPresent();
    }

    /** Longer than a standstill takes to be found. Then more windows tell nothing new. */
    @Test
    void mayStandStill_allWaitForFiveSeconds() {
        List<StackTraceElement> borrows = List.of(TAKE, at("com.example.Connections", "borrow"), RUN_WORKER);
        PoolView three = stuck(Doing.WAITING_IN_LINE, borrows, 0);
        PoolWindow longer = Windows.of("stuck")
                .seconds(5)
                .size(8)
                .fromOutside()
                .system(0, 0, 0, 0)
                .doing(three.window().orElseThrow().breakdown())
                .build();
        PoolView five = new PoolView("stuck", three.kind(), 8, 90, Optional.of(longer), List.of(), Set.of());

        assertThat(Sight.mayStandStill(List.of(three), dump("main"))).isFalse();
        assertThat(Sight.mayStandStill(List.of(three, five), dump("main"))).isTrue();
        assertThat(Sight.mayStandStill(List.of(pool(PoolKind.EXECUTOR, Doing.IDLE, 8, Bottleneck.NONE)), dump("main")))
                .isFalse();
    }

    private static PoolView one(Doing doing, List<StackTraceElement> stack, long switches) {
        PoolView all = stuck(doing, stack, switches);
        return new PoolView("stuck", PoolKind.TIMER, 1, 90, all.window().map(SightTest::ofOne), List.of(), Set.of());
    }

    private static PoolWindow ofOne(PoolWindow window) {
        Share share = window.breakdown().shares().get(0);
        Share one = new Share(share.doing(), share.place(), new Estimate(1, 0), share.stack(), Optional.empty());
        return window.toBuilder()
                .breakdown(new TimeBreakdown(1, 60, 60, List.of(one), Map.of()))
                .build();
    }

    private static PoolView stuck(Doing doing, List<StackTraceElement> stack, long switches) {
        return stuck(doing, 8, stack, switches);
    }

    /** The other workers compute. */
    private static PoolView stuck(Doing doing, double count, List<StackTraceElement> stack, long switches) {
        return stuck(doing, count, stack, switches, Doing.COMPUTING);
    }

    private static PoolView stuck(
            Doing doing, double count, List<StackTraceElement> stack, long switches, Doing others) {
        Share computing = new Share(others, "", new Estimate(8 - count, 0), List.of(), Optional.empty());
        Share share = new Share(doing, Breakdowns.PLACE, new Estimate(count, 0), stack, Optional.empty());
        PoolWindow window = Windows.of("stuck")
                .seconds(3)
                .size(8)
                .fromOutside()
                .system(0, 0, switches, 0)
                .doing(new TimeBreakdown(8, 60, 60, List.of(share, computing), Map.of()))
                .build();
        return new PoolView("stuck", PoolKind.EXECUTOR, 8, 90, Optional.of(window), List.of(), Set.of());
    }

    private static StackTraceElement at(String type, String method) {
        return new StackTraceElement(type, method, null, -1);
    }

    @Test
    void obstacle_busyThreadsThatNobodyJudges_areSaid() {
        assertThat(Sight.obstacle(List.of(), 30, dump("main"), false, Optional.of("busy threads")))
                .hasValue("busy threads");
    }

    private static DumpedThread thread(String name, Thread.State state, List<StackTraceElement> stack, Doing doing) {
        OptionalLong none = OptionalLong.empty();
        return new DumpedThread(name, none, state, stack, doing, "", Optional.empty(), Set.of(), none);
    }

    /** As in a server of which each request has a virtual thread, and which has no pool. */
    @Test
    void obstacle_virtualThreadsAndNoPool_isEmptyAfterSomeWindows() {
        assertThat(Sight.obstacle(List.of(), 2, dump("main"), true, Optional.empty()))
                .isPresent();
        assertThat(Sight.obstacle(List.of(), 3, dump("main"), true, Optional.empty()))
                .isEmpty();
    }

    private static Optional<String> obstacle(long windows, PoolView... pools) {
        return Sight.obstacle(Arrays.asList(pools), windows, dump("main"), false, Optional.empty());
    }

    private static PoolView pool(PoolKind kind, Doing doing, double count, Bottleneck limit) {
        String name = kind + "-" + doing + "-" + Math.round(count);
        PoolWindow window = Windows.of(name)
                .seconds(3)
                .size(8)
                .doing(Breakdowns.of(8)
                        .with(doing, count)
                        .with(Doing.IDLE, 8 - count)
                        .build())
                .process(2, 0.9, 0, 1)
                .bottleneck(limit)
                .build();
        return new PoolView(name, kind, 8, 90, Optional.of(window), List.of(), Set.of());
    }

    private static ThreadDump dump(String... threads) {
        return new ThreadDump(
                "test",
                Arrays.stream(threads)
                        .map(name -> thread(name, Thread.State.WAITING, List.of(), Doing.UNKNOWN))
                        .toList(),
                Map.of());
    }
}
