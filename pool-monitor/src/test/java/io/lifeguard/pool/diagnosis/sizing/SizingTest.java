package io.lifeguard.pool.diagnosis.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Simulated;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizingTest {

    private static final Percentage CLOSE = Percentage.withPercentage(2);

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16, 24, 32, 64, 200})
    void of_saturatedAtAnySize_recommendsTheSame(int workers) {
        Sizing sizing = sizing(Simulated.saturated(workers, 0.00056, 0.0046));
        assertThat(sizing.recommendedSize()).isBetween(26, 28);
        assertThat(sizing.certainty()).isEqualTo(Certainty.GOOD);
        assertThat(sizing.doubts()).isEmpty();
        assertThat(sizing.now().throughput()).isCloseTo(sizing.throughput(), CLOSE);
        assertThat(sizing.now().serviceTime()).isCloseTo(sizing.serviceTime(), CLOSE);
        assertThat(sizing.curve().at(12).throughput()).isCloseTo(2230, CLOSE);
    }

    @Test
    void of_tasksOfVeryDifferentLength_needsMoreWorkersThanOfOne() {
        // (1 + c²) / 2 is 2.4 for the two kinds, and 0.5 where all are the same
        ServiceCurve mixed = curve(Simulated.saturated(8, 0.00058, 0.0046).cpuOfTwoKinds(0.0002, 0.004, 0.1));
        ServiceCurve same = curve(Simulated.saturated(8, 0.00058, 0.0046).cpuOfTwoKinds(0.00058, 0.00058, 0.5));
        assertThat(mixed.variability()).isBetween(2.2, 2.6);
        assertThat(same.variability()).isBetween(0.5, 0.6);
        assertThat(mixed.smallestReaching(0.95)).isGreaterThan(same.smallestReaching(0.95) + 4);
    }

    @Test
    void of_longTasksThatShareCpusInSlices_countAsExponentialOnes() {
        assertThat(curve(Simulated.saturated(8, 0.145, 0.9).cpuOfTwoKinds(0.05, 1, 0.1))
                        .variability())
                .isCloseTo(1, CLOSE);
    }

    @Test
    void of_sameTimes_recommendedSizeIsThatForExponentialOnes() {
        Windows window = Simulated.saturated(8, 0.00056, 0.0046);
        int size = sizing(window).recommendedSize();
        assertThat(sizing(window.cpuOfTwoKinds(0.00056, 0.00056, 0.5)).recommendedSize())
                .isBetween(size - 1, size);
    }

    /** The two moments of a window tell little of a pool that does not measure its tasks: here all work at both. */
    @Test
    void of_unmeasuredPool_isAsBusyAsTheLooksAtItsWorkersSay() {
        PoolWindow known = Windows.of("io")
                .size(12)
                .busy(10)
                .system(1.44, 8.5, 80, 80)
                .process(2, 1.5, 0.1, 1)
                .build();
        Sizing sizing = Sizing.of(PoolWindow.between(moment(1, 0), moment(2, 80))
                        .workers(known.workers())
                        .process(known.process())
                        .breakdown(Breakdowns.of(12)
                                .with(Doing.COMPUTING, 1.44)
                                .with(Doing.WAITING_FOR_CPU, 8.5)
                                .with(Doing.IDLE, 2.06)
                                .build())
                        .build())
                .orElseThrow();
        assertThat(sizing.serviceTime()).isCloseTo(9.94 / 80, CLOSE);
        assertThat(sizing.curve().demand().outside()).isZero();
        assertThat(sizing.saturatedRange().high()).isEqualTo(3);
    }

    private static PoolSnapshot moment(int second, int completed) {
        return ExternalPool.unmeasured("io", 12, 12, 0, completed, new PoolSnapshot.Limits(12, 12, 100)).toBuilder()
                .nanoTime(second * 1_000_000_000L)
                .build();
    }

    private static ServiceCurve curve(Windows window) {
        return sizing(window).curve();
    }

    @Test
    void of_collectionsWhileTheCpuIsFull_areNotWaitingOutside() {
        Windows calm = tooMany(0, 0);
        Windows collecting = tooMany(0.0035, 0.004);
        int size = sizing(calm.times(10)).recommendedSize();
        PoolWindow mixed = Windows.history(
                collecting, calm, collecting, calm, calm, collecting, collecting, calm, calm, collecting);
        assertThat(sizing(mixed).recommendedSize()).isBetween(size - 1, size + 1);
        assertThat(sizing(collecting.times(10)).recommendedSize())
                .as("nothing to compare with")
                .isGreaterThan(2 * size);
    }

    /** What no stack shows while threads queue for the CPUs is no wait of the tasks'. */
    @Test
    void of_restThatNoStackShowsWhileTheCpuIsFull_isNotWaitingOutside() {
        Breakdowns none = Breakdowns.of(64).with(Doing.COMPUTING, 2).with(Doing.WAITING_FOR_CPU, 40);
        Windows resting = tooMany(0.0035, 0.004);
        Sizing unseen = sizing(resting.doing(none.taken(0)).times(10));
        assertThat(unseen.saturatedRange().low()).as("they may only compute").isBetween(2, 3);

        Sizing seen = sizing(resting.doing(none.taken(60)).times(10));
        assertThat(seen.saturatedRange().high()).isLessThan(6);
        assertThat(seen.saturatedSize()).isBetween(3, 4).isLessThan(unseen.saturatedSize() / 3);
    }

    /** Fewer workers shorten the line. */
    @Test
    void of_lineWhileTheCpuIsFull_isNotWaitingOutside() {
        Breakdowns inLine = Breakdowns.of(64)
                .with(Doing.COMPUTING, 2)
                .with(Doing.WAITING_FOR_CPU, 40)
                .with(Doing.WAITING_IN_LINE, 20);
        Sizing sizing = sizing(tooMany(0.0035, 0.004).doing(inLine.taken(60)).times(10));
        assertThat(sizing.saturatedSize()).isBetween(3, 4);
    }

    @Test
    void of_waitThatStacksShowWhileTheCpuIsFull_counts() {
        Windows calm = tooMany(0, 0);
        int size = sizing(calm.times(10)).saturatedSize();
        double waiting = ServiceCurve.of(Demand.of(0.0005, 0.002, 2)).at(64).throughput() * 0.002;
        Breakdowns shown = Breakdowns.of(64)
                .with(Doing.WAITING_OUTSIDE, waiting)
                .with(Doing.COMPUTING, 2)
                .with(Doing.WAITING_FOR_CPU, 62 - waiting);
        assertThat(sizing(calm.doing(shown).times(10)).saturatedSize()).isBetween(size - 1, size + 1);
    }

    /**
     * A second of 64 workers on two CPUs, that wait 2 ms outside; each task also sleeps so long, instead of waiting for
     * a CPU.
     */
    private static Windows tooMany(double asleep, double collecting) {
        ServiceCurve.Point point = ServiceCurve.of(Demand.of(0.0005, 0.002, 2)).at(64);
        double throughput = point.throughput();
        double delay = point.serviceTime() - 0.0025 - asleep;
        return Windows.of("orders")
                .size(64)
                .busy(64)
                .tasks(Math.round(throughput))
                .queued(100)
                .blockedNow(1)
                .service(point.serviceTime())
                .cpu(0.0005)
                .system(throughput * 0.0005, throughput * delay, Math.round(throughput), 10)
                .process(new ProcessWindow(
                        2,
                        OptionalDouble.of(throughput * 0.0005),
                        OptionalDouble.of(0.01),
                        OptionalDouble.empty(),
                        OptionalDouble.of(1),
                        Optional.of(Duration.ZERO),
                        Optional.of(Duration.ofNanos(Math.round(collecting * 1e9))),
                        Duration.ZERO));
    }

    @Test
    void bookFormula_poolTooLarge_isThePresentSize() {
        assertThat(sizing(Simulated.saturated(64, 0.00056, 0.0046)).bookFormula())
                .isCloseTo(64, CLOSE);
        assertThat(sizing(Simulated.saturated(4, 0.00056, 0.0046)).bookFormula())
                .isCloseTo(18.4, Percentage.withPercentage(5));
    }

    @Test
    void of_compilersAtWork_areNotCountedForTasks() {
        Sizing warm = sizing(halfBusy(0, OptionalDouble.of(0)));
        Sizing cold = sizing(halfBusy(0.6, OptionalDouble.of(0.6)));

        assertThat(cold.curve().ceiling()).isCloseTo(warm.curve().ceiling(), Percentage.withPercentage(1));
        assertThat(cold.recommendedSize()).isEqualTo(warm.recommendedSize());
        assertThat(cold.certainty()).isEqualTo(Certainty.FAIR);
        assertThat(sizing(halfBusy(0.6, OptionalDouble.empty())).curve().ceiling())
                .isLessThan(0.7 * warm.curve().ceiling());
    }

    /** A second of 64 workers that use two CPUs to less than a half, while others of the process use some more. */
    private static Windows halfBusy(double others, OptionalDouble compilers) {
        double own = 4_200 * 0.0002;
        return Windows.of("orders")
                .size(64)
                .busy(64)
                .tasks(4_200)
                .queued(100)
                .blockedNow(1)
                .service(0.0152)
                .cpu(0.0002)
                .system(own, 0.042, 4_200, 10)
                .process(new ProcessWindow(
                        2,
                        OptionalDouble.of(own + others + 0.02),
                        OptionalDouble.of(0.01),
                        compilers,
                        OptionalDouble.of((own + others + 0.03) / 2),
                        Optional.of(Duration.ZERO),
                        Optional.of(Duration.ZERO),
                        Duration.ZERO));
    }

    @Test
    void of_cpuOnly_recommendsOneMoreThanCores() {
        assertThat(sizing(Simulated.saturated(48, 0.001, 0)).recommendedSize()).isEqualTo(3);
        assertThat(sizing(Simulated.saturated(1, 0.001, 0)).recommendedSize()).isEqualTo(3);
    }

    @Test
    void of_runQueueDelayUnknown_waitIsCalculatedWhereThatIsPossible() {
        Sizing sizing = sizing(withoutSystem(8));
        assertThat(sizing.runQueueDelay()).isEmpty();
        assertThat(sizing.recommendedSize()).isBetween(26, 28);
        assertThat(sizing.certainty()).isEqualTo(Certainty.FAIR);
        assertThat(sizing.doubts()).anyMatch(doubt -> doubt.contains("wait for a CPU"));
    }

    @Test
    void of_runQueueDelayUnknownAndCpuFull_isPoor() {
        Sizing sizing = sizing(withoutSystem(64));
        assertThat(sizing.certainty()).isEqualTo(Certainty.POOR);
        assertThat(sizing.now().throughput()).isCloseTo(sizing.throughput(), CLOSE);
    }

    /** The submitter is short of CPU as well. Whoever it wakes is idle until there is a CPU for it. */
    @ParameterizedTest
    @ValueSource(doubles = {0.73, 0.85, 0.95, 1})
    void of_wokenWorkersWaitForCpuAsIdleOnes_tasksStillWaitOutside(double busy) {
        double workers = 96;
        double tasks = 3_000; // in a second
        double cpu = 1.95;
        double outside = tasks * 0.0046;
        double waits = busy * workers - cpu - outside;
        Windows window = Windows.of("orders")
                .size((int) workers)
                .busy(busy * workers)
                .tasks(Math.round(tasks))
                .queued(100)
                .service(busy * workers / tasks)
                .cpu(cpu / tasks)
                .system(cpu, waits + (1 - busy) * workers, (long) (2 * tasks), 100)
                .process(2, cpu + 0.02, 0, 1);
        assertThat(sizing(window).saturatedSize()).isBetween(18, 30);
    }

    /** Most workers of a pool that is too large sleep, and it is the others that wait for a CPU. */
    @Test
    void of_mostWorkersAsleep_waitsAreMostlyThoseOfTasks() {
        Windows window = Windows.of("orders")
                .size(1_000)
                .busy(20)
                .tasks(1_000)
                .service(0.02)
                .cpu(0.001)
                .system(1, 14, 4_000, 100)
                .process(2, 1.02, 0, 1);
        assertThat(sizing(window).runQueueDelay().orElseThrow()).isBetween(0.009, 0.014);
    }

    private static Windows withoutSystem(int workers) {
        ServiceCurve.Point point =
                ServiceCurve.of(Demand.of(0.00056, 0.0046, 2)).at(workers);
        return Windows.of("orders")
                .size(workers)
                .busy(workers)
                .tasks(Math.round(point.throughput()))
                .queued(9)
                .cpu(0.00056)
                .service(point.serviceTime());
    }

    @Test
    void of_nothingKnownOfCpu_isEmpty() {
        assertThat(Sizing.of(Windows.of("orders").size(4).busy(4).tasks(1000).build()))
                .isEmpty();
    }

    @Test
    void of_onlyTheProcessCpuKnown_saysSo() {
        Sizing sizing = sizing(Windows.of("orders").busy(2).process(2, 0.2, 0.1, 0.15));
        assertThat(sizing.certainty()).isEqualTo(Certainty.POOR);
        assertThat(sizing.doubts()).anyMatch(doubt -> doubt.contains("that of the process was used"));
        assertThat(sizing.cpuTime()).isCloseTo(0.003, CLOSE);
    }

    @Test
    void of_tooFewTasks_isEmpty() {
        assertThat(Sizing.of(Windows.of("orders").tasks(15).cpu(0.001).build())).isEmpty();
    }

    @Test
    void of_tasksLongerThanTheWindow_countsWhatIsBusy() {
        // 40 workers on tasks of 10 s: 4 tasks end in each second
        PoolWindow window = Windows.of("orders")
                .size(40)
                .busy(40)
                .tasks(4)
                .queued(100)
                .blockedNow(1)
                .service(9.1)
                .cpu(0)
                .system(0.4, 0.01, 40, 0)
                .times(10);
        Sizing sizing = Sizing.of(window).orElseThrow();
        assertThat(sizing.serviceTime()).isCloseTo(10, CLOSE);
        assertThat(sizing.cpuTime()).isCloseTo(0.1, CLOSE);
    }

    @Test
    void recommendedSize_unsaturated_hasHeadroomForItsArrivals() {
        // 100 tasks/s of 50 ms: 5 busy; 5 + 2 * sqrt(5)
        Windows window = Windows.of("orders")
                .size(64)
                .busy(5)
                .tasks(100)
                .service(0.05)
                .cpu(0.001)
                .cores(2);
        assertThat(sizing(window).recommendedSize()).isBetween(9, 10);
    }

    @Test
    void recommendedSize_queueGrowsUnboundedly_isForTheArrivalsNotForTheCeiling() {
        // 100/s arrive, 8 workers do 80/s, waiting for nothing but the outside; the ceiling is at 2,000/s
        Windows window = Windows.of("orders")
                .size(8)
                .busy(8)
                .tasks(1000, 800)
                .seconds(10)
                .queued(100, 300)
                .capacity(Integer.MAX_VALUE)
                .service(0.1)
                .cpu(0.001)
                .system(0.8, 0.01, 800, 10)
                .process(2, 0.08, 0.01, 0.05);
        assertThat(sizing(window).recommendedSize()).isBetween(16, 18);
        assertThat(sizing(window).saturatedSize()).isGreaterThan(150);
    }

    @Test
    void of_otherProcessesBusy_leavesFewerCores() {
        Windows window = Windows.of("orders")
                .size(4)
                .busy(4)
                .tasks(100)
                .queued(5)
                .service(0.04)
                .cpu(0.01)
                .system(1, 1, 100, 100)
                .process(2, 1, 0, 1);
        Sizing sizing = sizing(window);
        assertThat(sizing.curve().ceiling()).isCloseTo(100, CLOSE);
        assertThat(sizing.doubts()).anyMatch(doubt -> doubt.contains("other processes use 1.0 of 2.0 CPUs"));
    }

    @Test
    void of_serviceInTheSameProcess_countsItsCpuToo() {
        // each task burns 1 ms, and a service in the same process 3 ms while the task waits 7 ms for it
        Demand whole = Demand.of(0.004, 0.004, 2);
        ServiceCurve truth = ServiceCurve.of(whole);
        double throughput = truth.at(4).throughput();
        double wall = 4 / throughput;
        Windows window = Windows.of("orders")
                .size(4)
                .busy(4)
                .tasks(Math.round(throughput * 10))
                .seconds(10)
                .queued(9)
                .blockedNow(1)
                .service(wall)
                .cpu(0.001)
                .system(throughput * 0.01, throughput * 10 * (wall - 0.008) / 4, 10, 10)
                .process(2, throughput * 0.004 + 0.1, 0, Math.min(1, throughput * 0.002));
        Sizing sizing = sizing(window);
        assertThat(sizing.curve().ceiling()).isCloseTo(500, Percentage.withPercentage(6));
        assertThat(sizing.now().throughput()).isCloseTo(throughput, Percentage.withPercentage(10));
    }

    @Test
    void change_poolTooLarge_saysWhatToExpect() {
        assertThat(sizing(Simulated.saturated(64, 0.0015, 0.012)).change(26))
                .isEqualTo("64 → 26 threads: at least the same 1,300 tasks/s, service time 48 ms → 20 ms");
    }

    private static Sizing sizing(Windows window) {
        return sizing(window.build());
    }

    private static Sizing sizing(PoolWindow window) {
        return Sizing.of(window).orElseThrow();
    }
}
