package io.lifeguard.pool.diagnosis.evidence.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.system.ThreadReading;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Workers that burn 100 ms, wait 20 ms for a CPU, and switch ten times per second of fake time. */
class WorkerTimesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakeClock clock = new FakeClock();
    private final AtomicLong cpu = new AtomicLong();
    private final AtomicLong readings = new AtomicLong();
    private final EvidenceBudget budget = new EvidenceBudget(cpu::get, clock::nanoTime);
    private final WorkerTimes times = new WorkerTimes(this::read, budget, clock);
    private long costNanos;

    private ThreadReading read(long id) {
        readings.incrementAndGet();
        cpu.addAndGet(costNanos);
        long now = clock.nanoTime();
        return id < 0 ? null : new ThreadReading(now / 10, now / 50, now / 100_000_000, 3, false, now);
    }

    private static List<WorkerState> workers(long... ids) {
        return LongStream.of(ids)
                .mapToObj(id -> new WorkerState(
                        Thread.currentThread(),
                        OptionalLong.of(id),
                        false,
                        true,
                        Optional.of("kind"),
                        Duration.ZERO,
                        0))
                .toList();
    }

    @Test
    void within_firstReading_isEmpty() {
        List<WorkerState> workers = workers(7);
        times.read(workers);

        assertThat(times.within(workers.get(0), SECOND)).isEmpty();
        assertThat(times.knowsNothing()).isFalse();
    }

    @Test
    void within_secondReading_isTheDifference() {
        List<WorkerState> workers = workers(7);
        times.read(workers);
        clock.pass(SECOND);
        times.read(workers);

        assertThat(times.within(workers.get(0), SECOND))
                .contains(new ThreadTimes(Duration.ofMillis(100), Duration.ofMillis(20), 10, 0));
    }

    @Test
    void within_unknownThread_isEmpty() {
        List<WorkerState> workers = workers(-1);
        times.read(workers);
        clock.pass(SECOND);
        times.read(workers);

        assertThat(times.within(workers.get(0), SECOND)).isEmpty();
        assertThat(times.knowsNothing()).isTrue();
    }

    @Test
    void read_workerThatEnded_isForgotten() {
        times.read(workers(7));
        clock.pass(SECOND);
        times.read(workers(8));
        clock.pass(SECOND);
        times.read(workers(7, 8));

        assertThat(times.within(workers(7).get(0), SECOND)).isEmpty();
        assertThat(times.within(workers(8).get(0), SECOND)).isPresent();
    }

    /**
     * Reading one costs 10 ms, so the budget pays two in a second, and 64 are read in any case: 300 workers are known
     * in turn, with what is true of a window.
     */
    @Test
    void read_shortBudget_readsInTurnAndSpreads() {
        costNanos = 10_000_000;
        List<WorkerState> workers = workers(LongStream.rangeClosed(1, 300).toArray());
        for (int i = 0; i < 30; i++) {
            clock.pass(SECOND);
            times.read(workers);
        }

        assertThat(readings.get()).isBetween(30L * 64, 30L * (64 + 2) + 64 + 6);
        assertThat(workers)
                .allSatisfy(worker -> assertThat(times.within(worker, SECOND))
                        .contains(new ThreadTimes(Duration.ofMillis(100), Duration.ofMillis(20), 10, 0)));
    }

    @Test
    void within_oldReading_isEmpty() {
        List<WorkerState> workers = workers(7);
        times.read(workers);
        clock.pass(SECOND);
        times.read(workers);
        clock.pass(Duration.ofSeconds(6));

        assertThat(times.within(workers.get(0), SECOND)).isEqualTo(Optional.empty());
    }
}
