package io.lifeguard.pool.report.drawing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Recorders;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lanes of a real pool agree with its own counters, on a busy machine too. */
class LanesAgreeTest {

    private static final double SECOND = 1e9;

    /** Tasks compute for 2 ms and wait for 6 ms, and the submitter runs some of them itself. */
    private static void work() {
        long end = cpu() + TimeUnit.MILLISECONDS.toNanos(2);
        while (cpu() < end) {
            Thread.onSpinWait();
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(6));
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static List<Observation> recorded(String pool) {
        return Recorders.of(PoolMonitor.global()).observations().stream()
                .filter(each -> each.pool().equals(pool))
                .toList();
    }

    private static List<PoolLooks> looks(List<Observation> recording) {
        return recording.stream()
                .filter(PoolLooks.class::isInstance)
                .map(PoolLooks.class::cast)
                .toList();
    }

    @Test
    void lanes_ofARealPool_agreeWithItsCounters() throws InterruptedException {
        String name = "lanes-agree-" + System.nanoTime(); // the recording keeps a minute, and so an earlier try
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named(name)
                .size(4)
                .queueCapacity(2)
                .whenSaturated(new ThreadPoolExecutor.CallerRunsPolicy())
                .build();
        List<Observation> recording;
        double total;
        long now;
        try {
            await().atMost(Duration.ofMinutes(2))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        IntStream.range(0, 20).forEach(i -> pool.execute(LanesAgreeTest::work));
                        return looks(recorded(name)).size() >= 6;
                    });
            recording = recorded(name);
            now = Recorders.of(PoolMonitor.global()).epochNanos(System.nanoTime());
            total = pool.snapshot().serviceTime().total().toNanos() / SECOND;
        } finally {
            pool.shutdown();
            assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
        List<PoolLooks> looks = looks(recording);
        long first = looks.get(0).startNanos();
        Ticks ticks = new Ticks(first, looks.get(looks.size() - 1).endNanos(), 100_000);
        PoolColumns columns = new PoolColumns(name, new Index<>());
        recording.forEach(columns::add);
        columns.layLanes(ticks);
        Map<String, Object> page = columns.columns(ticks, new Index<>());
        double before = looks.get(0).busyBeforeNanos().orElseThrow() / SECOND;
        assertThat(looks.subList(1, looks.size()))
                .as("later windows tell nothing of before")
                .allSatisfy(each -> assertThat(each.busyBeforeNanos()).isEmpty());
        double since = 4 * (now - ticks.last()) / SECOND;
        assertThat(before + sum(looks, each -> each.busyNanos().orElseThrow()))
                .as("before the first window, and in windows; the rest is of the time since the last one")
                .isBetween(0.9 * total - since, 1.1 * total + 0.05);
        assertThat((List<?>) page.get("before"))
                .as("the page says what was done before it")
                .element(2)
                .isEqualTo(before);
        double[] workers = seconds(page, "workers");
        double[] submitters = seconds(page, "submitters");

        double busy = 0;
        for (Doing doing : Doing.values()) {
            busy += doing == Doing.IDLE ? 0 : workers[Segments.stateOf(doing)];
        }
        double counted = sum(looks, each -> each.busyNanos().orElseThrow());
        assertThat(busy).as("busy").isCloseTo(counted, within(0.1 * counted));
        double cpu = sum(looks, each -> each.cpuNanos().orElseThrow());
        assertThat(workers[Segments.stateOf(Doing.COMPUTING)]).as("computing").isCloseTo(cpu, within(0.1 * cpu));
        double callers = sum(looks, each -> each.callerRunNanos().orElseThrow());
        assertThat(submitters[Segments.CALLER_RUNS])
                .as("caller-runs; one may begin before a window and end in it")
                .isCloseTo(callers, within(0.1 * callers + 0.05));
        assertThat(workers[Segments.stateOf(Doing.UNKNOWN)]).as("unknown").isLessThan(0.1 * busy);
    }

    /** The black box keeps the looks at many workers, so that little of their time is unknown. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {100, 500})
    void lanes_ofManyWorkers_areSeldomUnknown(int workers) throws InterruptedException {
        String name = "many-" + workers + "-" + System.nanoTime();
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named(name)
                .size(workers)
                .queueCapacity(workers)
                .build();
        try {
            await().atMost(Duration.ofMinutes(2))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        IntStream.range(0, workers)
                                .forEach(i -> pool.execute(() ->
                                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5 + i * 300L / workers))));
                        return looks(recorded(name)).size() >= 8;
                    });
        } finally {
            pool.shutdown();
            assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
        List<Observation> recording = recorded(name);
        List<PoolLooks> looks = looks(recording);
        assertThat(recording.stream().filter(WindowSummary.class::isInstance))
                .as("windows, all of which have looks")
                .hasSameSizeAs(looks);
        Ticks ticks =
                new Ticks(looks.get(0).startNanos(), looks.get(looks.size() - 1).endNanos(), 100_000);
        PoolColumns columns = new PoolColumns(name, new Index<>());
        recording.forEach(columns::add);
        columns.layLanes(ticks);
        double[] seconds = seconds(columns.columns(ticks, new Index<>()), "workers");
        double busy = 0;
        for (Doing doing : Doing.values()) {
            busy += doing == Doing.IDLE ? 0 : seconds[Segments.stateOf(doing)];
        }
        assertThat(seconds[Segments.stateOf(Doing.UNKNOWN)]).isLessThan(0.1 * busy);
    }

    private static double sum(List<PoolLooks> looks, ToLongFunction<PoolLooks> nanos) {
        return looks.stream().mapToLong(nanos).sum() / SECOND;
    }

    /** {@return the seconds of each state in all lanes} */
    private static double[] seconds(Map<String, Object> page, String lanes) {
        double[] seconds = new double[Segments.NOTHING + 1];
        for (Object lane : (List<?>) page.get(lanes)) {
            List<Long> numbers = SegmentsTest.numbers((String) ((Map<?, ?>) lane).get("s"));
            for (int i = 0; i + 3 < numbers.size(); i += 3) {
                seconds[numbers.get(i + 1).intValue()] += numbers.get(i + 3) * 1e-4;
            }
        }
        return seconds;
    }
}
