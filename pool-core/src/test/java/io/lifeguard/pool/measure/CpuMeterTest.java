package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the meter with the truth, in simulated time. A read of the simulated clock costs half as much again as
 * calibration says, because caches are cold between tasks.
 */
class CpuMeterTest {

    private static final int SEEDS = 10;

    /** The mean error that two reads around a task may leave: the cost that could not be calibrated. */
    private static final long PER_TASK_NANOS = 150;

    interface Step {
        void run(SimulatedWorker worker, int task);
    }

    record Workload(String name, int tasks, Step step) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Workload> backlogs() {
        return Stream.of(
                new Workload("0.1 us", 400_000, (w, i) -> w.run(0, 60, 0)),
                new Workload("1 us", 200_000, (w, i) -> w.run(0, 1_000, 0)),
                new Workload("10 us", 40_000, (w, i) -> w.run(0, w.exponential(10_000), 0)),
                new Workload("100 us", 10_000, (w, i) -> w.run(0, w.exponential(100_000), 0)),
                new Workload("long", 1_000, (w, i) -> w.run(0, w.exponential(5_000_000), 0)),
                new Workload("half waiting", 3_000, (w, i) -> w.run(0, 500_000, w.exponential(500_000))));
    }

    static Stream<Workload> mixed() {
        return Stream.of(
                new Workload("alternating 1 and 9 us", 200_000, (w, i) -> w.run(i % 2, i % 2 == 0 ? 1_000 : 9_000, 0)),
                new Workload(
                        "alternating 1 and 150 us", 40_000, (w, i) -> w.run(i % 2, i % 2 == 0 ? 1_000 : 150_000, 0)),
                new Workload(
                        "a long one after 200 short ones",
                        100_000,
                        (w, i) -> w.run(i % 200 == 199 ? 1 : 0, i % 200 == 199 ? 150_000 : 1_000, 0)),
                new Workload(
                        "one that computes, one that sleeps",
                        40_000,
                        (w, i) -> w.run(i % 2, i % 2 == 0 ? 20_000 : 10_000, i % 2 == 0 ? 0 : 250_000)),
                new Workload(
                        "short ones that compute and that wait",
                        50_000,
                        (w, i) -> w.run(i % 2, i % 2 == 0 ? 20_000 : 5_000, i % 2 == 0 ? 0 : 35_000)),
                new Workload("long after short at random", 50_000, (w, i) -> {
                    boolean isLong = w.random.nextInt(10) == 0;
                    w.run(isLong ? 1 : 0, isLong ? 60_000 : 5_000, isLong ? 300_000 : 0);
                }));
    }

    static Stream<Workload> sparse() {
        return Stream.of(
                new Workload("10 us, parking", 100_000, (w, i) -> {
                    w.run(0, w.exponential(10_000), 0);
                    w.pause(w.exponential(300_000), 20_000, 0.8);
                }),
                new Workload("100 us, parking", 20_000, (w, i) -> {
                    w.run(0, w.exponential(100_000), 0);
                    w.pause(w.exponential(300_000), 20_000, 0.8);
                }),
                new Workload("1 ms, long parking", 5_000, (w, i) -> {
                    w.run(0, w.exponential(1_000_000), 0);
                    w.pause(w.exponential(3_000_000), 20_000, 0.8);
                }),
                new Workload("5 us, found while spinning", 100_000, (w, i) -> {
                    w.run(0, w.exponential(5_000), 0);
                    w.pause(w.exponential(2_000), 20_000, 0.8);
                }),
                new Workload("50 us, parking, on a machine that others use", 60_000, (w, i) -> {
                    w.isDisturbed = true;
                    w.run(0, w.exponential(50_000), 0);
                    w.pause(w.exponential(300_000), 20_000, 0.8);
                }),
                new Workload("bursts, the first task is heavy", 400_000, (w, i) -> {
                    w.run(i % 20 == 0 ? 1 : 0, i % 20 == 0 ? 30_000 : 3_000, 0);
                    if (i % 20 == 19) {
                        w.pause(w.exponential(200_000), 20_000, 0.8);
                    }
                }));
    }

    static Stream<Workload> unseen() {
        return Stream.of(
                new Workload("1 us, backlog in a queue that does not report", 100_000, (w, i) -> {
                    w.run(0, 1_000, 0);
                    w.rest(80 + w.random.nextInt(100));
                }),
                new Workload("20 us, a queue that does not report and is sometimes empty", 60_000, (w, i) -> {
                    w.run(0, w.exponential(20_000), 0);
                    w.rest(i % 3 == 0 ? w.exponential(300_000) + 30_000 : 120);
                }));
    }

    static Stream<Workload> all() {
        return Stream.of(backlogs(), mixed(), sparse(), unseen()).flatMap(workloads -> workloads);
    }

    @ParameterizedTest
    @MethodSource("all")
    void total_everyRun_isWithinTwoPercentOfTheTruth(Workload workload) {
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedWorker worker = run(workload, seed);
            PoolReading reading = worker.close();
            assertThat((double) reading.cpu().totalNanos() / worker.trueTotal())
                    .as("total, seed %d", seed)
                    .isBetween(0.98, 1.02);
        }
    }

    @ParameterizedTest
    @MethodSource("sparse")
    void idleCpu_everyRun_isWithinThreePercentOfTheTruth(Workload workload) {
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedWorker worker = run(workload, seed);
            PoolReading reading = worker.close();
            assertThat((double) reading.idleCpuNanos() / worker.trueIdleCpu)
                    .as("idle CPU, seed %d", seed)
                    .isBetween(0.97, 1.03);
        }
    }

    /** Unbiased: the error of the mean over many runs is far smaller than that of one, for each kind. */
    @ParameterizedTest
    @MethodSource("all")
    void kinds_onAverageOverRuns_getTheirTrueCpu(Workload workload) {
        double[] measured = new double[4];
        double[] truth = new double[4];
        double[] tasks = new double[4];
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedWorker worker = run(workload, seed);
            for (KindReading kind : worker.close().kinds()) {
                int number = Integer.parseInt(kind.kind().substring("kind-".length()));
                measured[number] += kind.cpuNanos();
                tasks[number] += kind.count();
                truth[number] += worker.trueCpu[number];
            }
        }
        for (int kind = 0; kind < 4 && tasks[kind] > 0; kind++) {
            assertThat(measured[kind] / tasks[kind])
                    .as("CPU per task of kind %d", kind)
                    .isCloseTo(truth[kind] / tasks[kind], within(PER_TASK_NANOS + 0.05 * truth[kind] / tasks[kind]));
        }
    }

    @ParameterizedTest
    @MethodSource("backlogs")
    void reads_backlog_takeLessThanOnePercentOfTheTime(Workload workload) {
        SimulatedWorker worker = run(workload, 1);
        PoolReading reading = worker.close();

        assertThat((double) reading.overhead().cpuClockReads() * SimulatedWorker.KNOWN_COST)
                .isLessThan(0.01 * reading.service().totalNanos());
    }

    @ParameterizedTest
    @MethodSource("backlogs")
    void wallTime_ofTasks_isNotInflatedByReads(Workload workload) {
        SimulatedWorker worker = run(workload, 1);
        HistogramSnapshot cpu = worker.close().cpu();
        HistogramSnapshot wall = worker.pool.read().service();

        if (workload.name.equals("1 us")) {
            // every task lasts 1,040 ns: a read of 700 ns would show in one of hundred
            assertThat(wall.percentileNanos(0.999)).isBetween(960L, 1_300L);
        }
        assertThat(wall.totalNanos()).isGreaterThanOrEqualTo(Math.round(0.99 * cpu.totalNanos()));
    }

    @Test
    void cpuDistribution_twoModes_hasBothInTheirProportion() {
        SimulatedWorker worker = new SimulatedWorker(5);
        for (int i = 0; i < 400_000; i++) {
            worker.run(0, i % 4 == 3 ? 20_000 : 2_000, 0);
        }

        HistogramSnapshot cpu = worker.close().cpu();

        assertThat((double) cpu.count()).isCloseTo(400_000, within(4_000.0));
        assertThat((double) cpu.percentileNanos(0.70)).isCloseTo(2_040, within(350.0));
        assertThat((double) cpu.percentileNanos(0.80)).isCloseTo(20_040, within(1_500.0));
    }

    @Test
    void cpuDistribution_afterClose_countsEveryShortTask() {
        SimulatedWorker worker = new SimulatedWorker(5);
        for (int i = 0; i < 12_345; i++) {
            worker.run(0, 1_000, 0);
        }

        assertThat(worker.close().cpu().count()).isEqualTo(12_345);
    }

    @Test
    void read_whileWorkerIsParked_showsAllItsCpuTime() {
        SimulatedWorker worker = new SimulatedWorker(9);
        for (int i = 0; i < 100; i++) {
            worker.run(0, 20_000, 0);
        }
        worker.pause(1_000_000, 20_000, 0.8);

        assertThat((double) worker.pool.read().cpu().totalNanos()).isCloseTo(worker.trueTotal(), within(20_000.0));
    }

    private static SimulatedWorker run(Workload workload, int seed) {
        SimulatedWorker worker = new SimulatedWorker(77L * seed + 5);
        for (int i = 0; i < workload.tasks; i++) {
            workload.step.run(worker, i);
        }
        return worker;
    }
}
