package io.lifeguard.pool.diagnosis.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.testing.Simulated;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recommended sizes come with an interval, and suit what stands at the pool and what more threads cost. */
class SizeRangeTest {

    private static Sizing sizing(PoolWindow window) {
        return Sizing.of(window).orElseThrow();
    }

    @Test
    void of_numbersOutOfOrder_intervalHoldsTheSize() {
        assertThat(new SizeRange(9, 4, 3)).isEqualTo(new SizeRange(4, 4, 4));
        assertThat(new SizeRange(0, -1, 2)).isEqualTo(new SizeRange(1, 1, 2));
    }

    /** With fewer tasks the mean is less certain. */
    @Test
    void range_fewerTasks_isWider() {
        SizeRange many = sizing(Simulated.saturated(8, 0.001, 0.02).build()).range();
        SizeRange few = sizing(Simulated.saturated(8, 0.001, 0.02)
                        .seconds(0.25)
                        .tasks(95)
                        .build())
                .range();
        assertThat(few.high() - few.low()).isGreaterThan(2 * (many.high() - many.low()));
        assertThat(many.size()).isBetween(many.low(), many.high());
        assertThat((double) many.high() / many.low()).isLessThan(1.2);
    }

    /** Sixty looks at one load, with the noise of 400 tasks in a second: each interval holds the same number. */
    @Test
    void range_sixtyWindowsOfOneLoad_allHoldTheFirstSize() {
        Random random = new Random(5);
        int first = 0;
        int excluded = 0;
        Windows[] all = new Windows[70];
        for (int i = 0; i < all.length; i++) {
            double noise = 1 + 0.05 * random.nextGaussian();
            all[i] = Simulated.saturated(8, 0.001 * noise, 0.02)
                    .seconds(1)
                    .tasks(380)
                    .busy(8)
                    .system(0.38 * noise, 0.01, 400, 50);
        }
        for (int i = 10; i <= all.length; i++) {
            SizeRange range = sizing(Windows.history(Arrays.copyOf(all, i))).saturatedRange();
            first = first == 0 ? range.size() : first;
            excluded += first < range.low() || first > range.high() ? 1 : 0;
        }
        assertThat(excluded).isLessThanOrEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"24, 32", "56, 64"})
    void recommendedSize_clientsWaitForAnswers_isAtMostTheStandingWork(int queued, int standing) {
        Windows closed = Simulated.saturated(8, 0.0001, 0.05)
                .queued(queued)
                .capacity(Integer.MAX_VALUE)
                .blockedNow(0)
                .blockedSubmits(0, 0);
        assertThat(sizing(closed.times(5)).recommendedSize()).isEqualTo(standing);
        assertThat(sizing(closed.times(5)).range().high()).isEqualTo(standing);
    }

    /** Submitters that wait for room, or a queue that grows, show that there is more work than stands there. */
    @Test
    void recommendedSize_openLoop_isNotBoundedByTheStandingWork() {
        Windows blocked = Simulated.saturated(8, 0.0001, 0.05).queued(24);
        assertThat(sizing(blocked.times(5)).recommendedSize()).isGreaterThan(100);
        Windows full = Simulated.saturated(8, 0.0001, 0.05)
                .queued(24)
                .capacity(24)
                .blockedNow(0)
                .blockedSubmits(0, 0);
        assertThat(sizing(full.times(5)).recommendedSize()).isGreaterThan(100);
    }

    /** Lucene: 2.4 ms at 2 threads, 6.1 ms at 64. */
    private static PoolWindow indexing(int... threads) {
        Windows[] all = new Windows[24];
        for (int i = 0; i < all.length; i++) {
            int busy = threads[i * threads.length / all.length];
            double cpu = 0.0024 * Math.pow(busy / 2.0, Math.log(6.1 / 2.4) / Math.log(32));
            double rate = 1.95 / cpu;
            all[i] = Windows.of("index")
                    .size(busy)
                    .busy(busy)
                    .tasks(Math.round(rate))
                    .queued(50)
                    .blockedNow(1)
                    .service(busy / rate)
                    .cpu(cpu)
                    .system(1.95, busy - 1.95, 2000, 2000)
                    .process(2, 1.9, 0.05, 1);
        }
        return Windows.history(all);
    }

    @Test
    void change_cpuTimeRisesWithTheThreads_fewerThreadsDoMore() {
        Sizing sizing = sizing(indexing(4, 8, 16, 32, 64));
        int size = sizing.saturatedSize();
        assertThat(sizing.cpuGrowth()).isBetween(0.25, 0.29);
        assertThat(size).isBetween(2, 4);
        double gain = sizing.expected(size).throughput() / sizing.throughput();
        assertThat(gain).isBetween(1.8, 2.6);
        assertThat(sizing.change(size))
                .startsWith("64 → " + size + " threads: ")
                .doesNotContain("the same");
    }

    /** Where only one size was seen, the two cannot be told apart. */
    @ParameterizedTest
    @ValueSource(ints = {16, 64})
    void change_onlyOneSizeSeen_saysAtLeast(int threads) {
        Sizing sizing = sizing(indexing(threads));
        assertThat(sizing.cpuGrowth()).isZero();
        assertThat(sizing.change(3)).contains("at least the same");
    }

    @Test
    void whyNone_quietOrBusyOrUnknownMachine_saysWhich() {
        Windows quiet = Windows.of("orders").process(2, 1, 0.1, 0.6);
        assertThat(Sizing.whyNone(quiet.build())).isEmpty();
        assertThat(Sizing.sharing(quiet.build())).isEmpty();
        PoolWindow shared = quiet.process(2, 0.4, 0.1, 0.9).build();
        assertThat(Sizing.sharing(shared)).hasValue("while other processes use 1.3 of 2 CPUs");
        PoolWindow stopped = quiet.process(2, 0.4, 0.1, 0.3, 0.3).build();
        assertThat(Sizing.sharing(stopped))
                .hasValue("while the container's quota stops the process for 30% of the time");
        assertThat(Sizing.whyNone(shared)).hasValue("other processes use 1.3 of 2 CPUs");
        assertThat(Sizing.whyNone(stopped)).isEmpty();
        assertThat(Sizing.whyNone(quiet.cores(2).build()))
                .hasValue("it is unknown how much of the CPUs other processes use");
    }

    /**
     * Beside four processes that compute, 64 threads that only hash have 1.88 of 2 CPUs by fair shares, and 3 have
     * 0.86.
     */
    @Test
    void change_otherProcessesCompute_saysThatFewerThreadsMayGetFewerCpus() {
        Windows beside = Simulated.saturated(64, Demand.of(0.0005, 0, 1.88)).process(2, 1.86, 0.02, 1);
        Sizing sizing = sizing(beside.times(3));
        assertThat(sizing.saturatedRange()).isEqualTo(new SizeRange(2, 3, 3));
        assertThat(sizing.leastThroughput(3) / sizing.throughput()).isBetween(0.45, 0.75);
        assertThat(sizing.change(3)).contains("because other processes leave less CPU time to fewer threads");
    }

    /** 8 workers have one of two CPUs: the size is between that for one and that for two. */
    @Test
    void range_otherProcessesUseHalfOfTheCpus_reachesFromTheirShareToAll() {
        SizeRange alone = sizing(Simulated.saturated(8, 0.001, 0.02).times(3)).range();
        SizeRange beside = sizing(Simulated.saturated(8, 0.001, 0.02)
                        .process(2, 0.38, 0.02, 0.7)
                        .times(3))
                .range();
        assertThat(beside.high()).isBetween(alone.size(), alone.high());
        assertThat(beside.size()).isLessThan(alone.low());
        assertThat(beside.low()).isLessThan(beside.size());
    }

    /** Tasks took 1.1 ms of CPU time before they were compiled, and 0.45 ms afterwards. */
    @Test
    void whyNone_codeIsBeingCompiled_saysSo() {
        assertThat(Sizing.whyNone(compiling(0.11))).hasValue("the JVM still compiles the code that runs");
        assertThat(Sizing.whyNone(compiling(0.09))).isEmpty();
    }

    private static PoolWindow compiling(double cpus) {
        return Windows.of("orders")
                .process(new ProcessWindow(
                        2,
                        OptionalDouble.of(1.8),
                        OptionalDouble.of(0.1),
                        OptionalDouble.of(cpus),
                        OptionalDouble.of(0.95),
                        Optional.of(Duration.ZERO),
                        Optional.of(Duration.ZERO),
                        Duration.ZERO))
                .build();
    }
}
