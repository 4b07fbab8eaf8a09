package io.lifeguard.pool.diagnosis.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.FakePool;
import io.lifeguard.pool.diagnosis.testing.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PoolWindowTest {

    private static final ThreadTimes TIMES = new ThreadTimes(Duration.ofMillis(100), Duration.ofMillis(20), 10, 1);

    private final FakeClock clock = new FakeClock();
    private final FakePool pool = new FakePool("pool", clock);

    private PoolWindow.Builder next(Duration length) {
        PoolSnapshot before = pool.snapshot();
        clock.pass(length);
        return PoolWindow.between(before, pool.snapshot()).end(clock.now());
    }

    private static WorkerWindow worker(long id, Optional<ThreadTimes> times) {
        return new WorkerWindow("w" + id, id, true, Optional.of("kind"), Duration.ZERO, times);
    }

    private static ProcessWindow process(double userCpu) {
        return new ProcessWindow(
                2,
                OptionalDouble.of(userCpu),
                OptionalDouble.of(0.1),
                OptionalDouble.of(userCpu / 2),
                OptionalDouble.empty(),
                Optional.of(Duration.ofMillis(5)),
                Optional.of(Duration.ofMillis(7)),
                Duration.ofMillis(9));
    }

    @Test
    void between_snapshotsOfTwoPoolsOrInTheWrongOrder_isRefused() {
        PoolSnapshot early = pool.snapshot();
        clock.pass(Duration.ofSeconds(1));
        PoolSnapshot late = pool.snapshot();
        PoolSnapshot other = new FakePool("other", clock).snapshot();

        assertThatThrownBy(() -> PoolWindow.between(early, other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(were of pool and other)");
        assertThatThrownBy(() -> PoolWindow.between(late, early))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(was 1000000000 ns earlier)");
    }

    @Test
    void busyWorkers_workersCameOrWent_countsThoseWithTasks() {
        Windows grown = Windows.of("pool").size(16).grownFrom(0).service(0.02);

        assertThat(grown.busy(6).tasks(300).build().busyWorkers()).isCloseTo(6, within(1e-6));
        assertThat(grown.busy(6).tasks(300).build().utilisation()).isCloseTo(6 / 16.0, within(1e-6));
        PoolWindow longTasks = grown.busy(16).tasks(0).build();
        assertThat(longTasks.busyWorkers()).as("none has ended").isCloseTo(8, within(1e-6));
        PoolWindow begunBefore = grown.busy(16).tasks(3_000).build();
        assertThat(begunBefore.busyWorkers()).as("no more than there are").isCloseTo(16, within(1e-6));
        PoolWindow startedLate = grown.busy(0.2).tasks(10).there(0.1).build();
        assertThat(startedLate.busyWorkers()).as("not half of them").isCloseTo(0.2, within(1e-6));
        PoolWindow shrunk =
                Windows.of("pool").alive(2).grownFrom(16).busy(2).tasks(100).build();
        assertThat(shrunk.busyWorkers()).isBetween(2.0, 16.0);
    }

    @Test
    void rates_window_arePerSecond() {
        PoolWindow window =
                Windows.of("pool").seconds(2).tasks(300, 200).busy(3).build();

        assertThat(window.seconds()).isEqualTo(2);
        assertThat(window.arrivalRate()).isEqualTo(150);
        assertThat(window.throughput()).isEqualTo(100);
        assertThat(window.busyWorkers()).isCloseTo(3, within(1e-6));
        assertThat(window.utilisation()).isCloseTo(0.75, within(1e-6));
        assertThat(window.isSaturated()).isFalse();
    }

    /** The first windows have no evidence; later evidence stands for them. */
    @Test
    void workerTimes_knownInTheLatestOfTwoWindows_standForBoth() {
        PoolWindow first = next(Duration.ofSeconds(1))
                .workers(List.of(worker(0, Optional.empty())))
                .build();
        PoolWindow second = next(Duration.ofSeconds(1))
                .workers(List.of(worker(0, Optional.of(TIMES))))
                .earlier(List.of(first))
                .build();

        assertThat(second.last(2).workerTimes()).contains(TIMES.plus(TIMES));
    }

    @Test
    void workerTimes_nineInTenKnown_standForAll() {
        List<WorkerWindow> workers = new ArrayList<>(IntStream.range(0, 9)
                .mapToObj(i -> worker(i, Optional.of(TIMES)))
                .toList());
        workers.add(worker(9, Optional.empty()));

        assertThat(next(Duration.ofSeconds(1)).workers(workers).build().workerTimes())
                .contains(new ThreadTimes(Duration.ofSeconds(1), Duration.ofMillis(200), 100, 10));

        workers.add(worker(10, Optional.empty()));
        assertThat(next(Duration.ofSeconds(1)).workers(workers).build().workerTimes())
                .as("nine in eleven")
                .isEmpty();
    }

    @Test
    void last_severalWindows_spansThemAll() {
        PoolWindow first = next(Duration.ofSeconds(1))
                .process(process(0.5))
                .workers(List.of(worker(1, Optional.of(TIMES)), worker(2, Optional.of(TIMES))))
                .build();
        PoolWindow second = next(Duration.ofSeconds(3))
                .process(process(1.5))
                .workers(List.of(worker(1, Optional.of(TIMES)), worker(3, Optional.of(TIMES))))
                .earlier(List.of(first))
                .build();

        PoolWindow both = second.last(2);

        assertThat(both.seconds()).isEqualTo(4);
        assertThat(both.before()).isSameAs(first.before());
        assertThat(both.after()).isSameAs(second.after());
        assertThat(both.end()).isEqualTo(second.end());
        assertThat(both.windows()).isEqualTo(1);
        assertThat(both.process().userCpu()).hasValue(1.25);
        assertThat(both.process().throttled()).contains(Duration.ofMillis(10));
        assertThat(both.process().gcTime()).contains(Duration.ofMillis(14));
        assertThat(both.process().compilerCpu()).hasValue(0.625);
        assertThat(both.workers()).extracting(WorkerWindow::threadId).containsExactly(1L, 3L);
        assertThat(both.workers().get(0).times()).contains(TIMES.plus(TIMES));
    }

    @Test
    void busiest_joined_isTheBusiestPartsValue() {
        PoolWindow calm = Windows.of("pool").busy(1).build();
        PoolWindow busy = Windows.of("pool").busy(4).build();
        PoolWindow joined =
                calm.toBuilder().earlier(List.of(busy, calm)).build().last(3);

        assertThat(calm.busiest()).isLessThan(4);
        assertThat(joined.busiest()).isCloseTo(4, within(1e-6));
        assertThat(joined.toBuilder().withoutWorkers().build().busiest()).isEqualTo(joined.busiest());
    }

    @Test
    void last_moreThanThereAre_joinsAll() {
        PoolWindow first = next(Duration.ofSeconds(1)).build();
        PoolWindow second = next(Duration.ofSeconds(1)).earlier(List.of(first)).build();
        PoolWindow third =
                next(Duration.ofSeconds(1)).earlier(List.of(second, first)).build();

        assertThat(third.windows()).isEqualTo(3);
        assertThat(third.last(99).seconds()).isEqualTo(3);
        assertThat(third.last(2).seconds()).isEqualTo(2);
        assertThat(third.last(2).earlier()).containsExactly(first);
        assertThatThrownBy(() -> third.last(0)).hasMessage("count must be >= 1 (was 0)");
    }

    @Test
    void threshold_changed_isTheUsersOtherwiseTheDefault() {
        Threshold limit = new Threshold("a.limit", 1, "");
        PoolWindow window =
                next(Duration.ofSeconds(1)).thresholds(Map.of("a.limit", 2.0)).build();

        assertThat(window.threshold(limit)).isEqualTo(2);
        assertThat(window.threshold(new Threshold("b.limit", 1, ""))).isEqualTo(1);
    }

    @Test
    void queueCapacity_unbounded_staysUnbounded() {
        Windows window = Windows.of("any").queued(5);

        assertThat(window.capacity(Integer.MAX_VALUE).build().queueCapacity()).isEqualTo(Integer.MAX_VALUE);
        assertThat(window.capacity(8).build().queueCapacity()).isEqualTo(8);
    }

    @Test
    void span_unknownDistribution_isNothing() {
        Distribution unknown = Distribution.unknown("not here");

        assertThat(Span.between(unknown, unknown)).isEqualTo(Span.NONE);
        assertThat(Span.NONE.mean()).isZero();
        assertThat(Span.NONE.meanSeconds()).isZero();
        assertThat(new Span(4, Duration.ofSeconds(2)).meanSeconds()).isEqualTo(0.5);
        assertThatThrownBy(() -> new Span(-1, Duration.ZERO)).hasMessageContaining("(were -1 and PT0S)");
    }
}
