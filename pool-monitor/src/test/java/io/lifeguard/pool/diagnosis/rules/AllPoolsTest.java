package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.external.PoolGauges;
import io.lifeguard.pool.diagnosis.outside.ExternalExecutor;
import io.lifeguard.pool.diagnosis.outside.ExternalForkJoinPool;
import io.lifeguard.pool.diagnosis.outside.ExternalThreadPool;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No rule may throw because a pool of some kind, in some state, does not know a figure. */
class AllPoolsTest {

    private static final String NAME = "any kind";

    /** Each kind of pool that a monitor may be given. */
    enum Kind {
        FIXED(() -> InstrumentedExecutors.newFixedThreadPool(NAME, 2)),
        CACHED(() -> InstrumentedExecutors.newCachedThreadPool(NAME)),
        SCHEDULED(() -> InstrumentedExecutors.newScheduledThreadPool(NAME, 2)),
        WORK_STEALING(() -> InstrumentedExecutors.newWorkStealingPool(NAME, 2)),
        THREAD_PER_TASK(() -> InstrumentedExecutors.newThreadPerTaskExecutor(NAME, Thread::new)),
        WRAPPED(() -> InstrumentedExecutors.newSingleThreadExecutor(NAME)),
        WRAPPED_SCHEDULED(() -> InstrumentedExecutors.newSingleThreadScheduledExecutor(NAME)),
        WATCHED(
                () -> new ThreadPoolExecutor(2, 4, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(8)),
                pool -> new ExternalThreadPool((ThreadPoolExecutor) pool, NAME, "")),
        WATCHED_SCHEDULED(
                () -> Executors.newScheduledThreadPool(2),
                pool -> new ExternalThreadPool((ThreadPoolExecutor) pool, NAME, "")),
        WATCHED_FORK_JOIN(() -> new ForkJoinPool(2), pool -> new ExternalForkJoinPool((ForkJoinPool) pool, NAME)),
        USERS_READER(
                () -> Executors.newFixedThreadPool(2),
                pool -> new ExternalExecutor<>((Executor) pool, NAME, same -> new PoolGauges(2, 1, 3, 4, 2, 2, 8))),
        USERS_READER_THAT_KNOWS_NOTHING(
                () -> Executors.newFixedThreadPool(2),
                pool -> new ExternalExecutor<>((Executor) pool, NAME, same -> new PoolGauges(0, 0, 0, 0, 0, 0, 0)));

        private final Make make;
        private final Function<ExecutorService, InstrumentedPool> meter;

        Kind(Make make) {
            this(make, pool -> Pools.find(NAME).orElseThrow());
        }

        Kind(Make make, Function<ExecutorService, InstrumentedPool> meter) {
            this.make = make;
            this.meter = meter;
        }

        private interface Make {
            ExecutorService pool();
        }
    }

    @ParameterizedTest
    @EnumSource
    void examine_everyStateOfEveryKind_throwsNothing(Kind kind) throws InterruptedException {
        assumeThat(kind != Kind.THREAD_PER_TASK || Runtime.version().feature() >= 21)
                .as("this Java has threads per task")
                .isTrue();
        try (Fixture fixture = new Fixture()) {
            ExecutorService pool = fixture.closing(kind.make.pool());
            InstrumentedPool meter = kind.meter.apply(pool);
            PoolSnapshot unstarted = meter.snapshot();
            assertNoneThrows(meter, unstarted, unstarted, PoolState.RUNNING);

            HeldTask first = fixture.occupy(pool);
            pool.execute(() -> {});
            PoolSnapshot busy = meter.snapshot();
            assertNoneThrows(meter, unstarted, busy, PoolState.RUNNING);
            assertNoneThrows(meter, busy, busy, PoolState.RUNNING);

            pool.shutdown();
            assertNoneThrows(meter, busy, meter.snapshot(), PoolState.SHUTTING_DOWN);

            first.release();
            pool.awaitTermination(1, TimeUnit.MINUTES);
            PoolSnapshot ended = meter.snapshot();
            assertNoneThrows(meter, busy, ended, PoolState.TERMINATED);
            assertNoneThrows(meter, ended, ended, PoolState.TERMINATED);
        }
    }

    /** Rules of event loops are given such windows only. */
    @Test
    void examine_eventLoops_throwsNothing() {
        PoolSnapshot loop = PoolSnapshot.builder("loop").build();
        EventLoopLooks.Hold hold = new EventLoopLooks.Hold(
                Doing.WAITING_FOR_LOCK, "somewhere", Duration.ZERO, List.of(), Optional.empty());
        for (EventLoopLooks looks : List.of(
                new EventLoopLooks(0, List.of()),
                new EventLoopLooks(
                        0, List.of(new EventLoopLooks.Loop("loop", 40, 40, Optional.of(hold), Optional.empty()))))) {
            PoolWindow window = PoolWindow.between(loop, loop)
                    .subject(PoolWindow.Subject.EVENT_LOOPS)
                    .seen(EventLoopLooks.class, looks)
                    .build();
            PoolMonitor.standardRules().stream()
                    .filter(rule -> rule.examines() == PoolWindow.Subject.EVENT_LOOPS)
                    .forEach(rule -> assertDoesNotThrow(rule, window));
        }
    }

    private static void assertNoneThrows(
            InstrumentedPool meter, PoolSnapshot before, PoolSnapshot after, PoolState state) {
        windows(before, after, meter.workers())
                .map(builder -> builder.state(state).build())
                .flatMap(window -> Stream.of(window, withHistory(window)))
                .forEach(window -> PoolMonitor.standardRules().stream()
                        .filter(rule -> rule.examines() != PoolWindow.Subject.EVENT_LOOPS)
                        .forEach(rule -> assertDoesNotThrow(rule, window)));
    }

    private static void assertDoesNotThrow(Rule rule, PoolWindow window) {
        assertThatCode(() -> {
                    rule.examine(window);
                    rule.needs(window);
                })
                .as("%s on %s, %s", rule.getClass().getSimpleName(), window, window.state())
                .doesNotThrowAnyException();
    }

    /** With and without what the system, the looks at the workers and the decision about the bottleneck may say. */
    private static Stream<PoolWindow.Builder> windows(
            PoolSnapshot before, PoolSnapshot after, List<WorkerState> workers) {
        List<WorkerWindow> seen = workers.stream()
                .map(worker -> new WorkerWindow(
                        worker.thread().getName(),
                        1,
                        worker.busy(),
                        worker.kind(),
                        Duration.ofHours(1),
                        Optional.empty()))
                .toList();
        Stream<PoolWindow.Builder> alike = breakdowns(after.size())
                .map(times -> PoolWindow.between(before, after)
                        .workers(seen)
                        .breakdown(times)
                        .process(busy()));
        return Stream.concat(Stream.of(PoolWindow.between(before, after)), alike)
                .flatMap(builder -> Stream.of(Bottleneck.values())
                        .map(limit -> builder.build().toBuilder().bottleneck(limit)));
    }

    /** All workers do the same, and it is known or not known what they wait for. */
    private static Stream<TimeBreakdown> breakdowns(int workers) {
        Stream<Breakdowns> named = Stream.of(
                Breakdowns.of(workers).lock(workers, "com.example.Orders@1a2b"),
                Breakdowns.of(workers).line(workers, 4),
                Breakdowns.of(workers).result(workers, "another"));
        return Stream.concat(
                Stream.of(Doing.values()).map(doing -> Breakdowns.doing(doing, workers, workers)),
                named.map(Breakdowns::build));
    }

    private static ProcessWindow busy() {
        return new ProcessWindow(
                2,
                OptionalDouble.of(1.5),
                OptionalDouble.of(0.5),
                OptionalDouble.of(0),
                OptionalDouble.of(1),
                Optional.of(Duration.ofMillis(100)),
                Optional.of(Duration.ofMillis(10)),
                Duration.ZERO);
    }

    /** A minute of the same, and an hour before. */
    private static PoolWindow withHistory(PoolWindow window) {
        List<PoolWindow> same = new ArrayList<>(Collections.nCopies(PoolWindow.HISTORY - 1, window));
        return window.toBuilder().earlier(same).minutes(same).build();
    }
}
