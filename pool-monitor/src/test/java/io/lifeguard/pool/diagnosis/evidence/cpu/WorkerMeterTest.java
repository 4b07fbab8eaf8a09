package io.lifeguard.pool.diagnosis.evidence.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.system.ThreadReading;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Sums of what a simulated system counts for workers that come and go. */
class WorkerMeterTest {

    private long nanos;
    private final Map<Long, ThreadReading> system = new HashMap<>();
    private final InstrumentedPool pool = mock(InstrumentedPool.class);
    private final WorkerMeter meter = new WorkerMeter(pool, system::get);

    private ThreadReading reading(long cpu, long delay, long voluntary, long involuntary) {
        nanos += 1_000;
        return new ThreadReading(cpu, delay, voluntary, involuntary, false, nanos);
    }

    @Test
    void read_workersComeAndGo_neverDecreases() {
        workers(1, 2);
        system.put(1L, reading(100, 10, 1, 5));
        system.put(2L, reading(200, 20, 2, 6));
        assertThat(meter.read()).isEqualTo(times(300, 30, 3, 11));

        system.put(1L, reading(150, 15, 1, 5));
        workers(1, 3);
        system.put(3L, reading(1000, 0, 0, 0));
        assertThat(meter.read()).isEqualTo(times(1350, 35, 3, 11));
    }

    @Test
    void read_threadNumberReused_countsTheNewThreadFromItsStart() {
        workers(1);
        system.put(1L, reading(100, 10, 1, 5));
        meter.read();
        system.put(1L, reading(30, 3, 1, 1));
        assertThat(meter.read()).isEqualTo(times(130, 13, 2, 6));
    }

    @Test
    void read_systemDoesNotSay_isZero() {
        workers(1, 2);
        assertThat(meter.read()).isEqualTo(ThreadTimes.NONE);
    }

    @Test
    void read_moreWorkersThanAtOnce_readsThemInTurn() {
        int many = WorkerMeter.MOST_WORKERS + 10;
        workers(LongStream.range(0, many).toArray());
        for (long id = 0; id < many; id++) {
            system.put(id, reading(1, 0, 0, 0));
        }
        assertThat(meter.read().cpu().toNanos()).isEqualTo(WorkerMeter.MOST_WORKERS);
        assertThat(meter.read().cpu().toNanos()).isEqualTo(many);
    }

    private void workers(long... nativeIds) {
        when(pool.workers())
                .thenReturn(LongStream.of(nativeIds)
                        .mapToObj(id -> new WorkerState(
                                Thread.currentThread(),
                                OptionalLong.of(id),
                                false,
                                true,
                                Optional.of("kind"),
                                Duration.ZERO,
                                0))
                        .toList());
    }

    private static ThreadTimes times(long cpu, long delay, long voluntary, long involuntary) {
        return new ThreadTimes(Duration.ofNanos(cpu), Duration.ofNanos(delay), voluntary, involuntary);
    }
}
