package io.lifeguard.pool.report.drawing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.Process;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Lanes of one window of 1 s agree with the counters of the pool and the times of the system. */
class CalibrationTest {

    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;
    private static final OptionalLong EMPTY = OptionalLong.empty();

    private final Ticks ticks = new Ticks(0, SECOND, MILLI);
    private final Lane lane = new Lane("worker-1");
    private double processCpu = 1.5;
    private double others;
    private Map<Doing, Double> shares = Map.of(Doing.COMPUTING, 1.0);

    /** {@return the seconds of each state that the lane shows} */
    private double[] laid(OptionalLong busy, OptionalLong cpu) {
        PoolLooks looks = new PoolLooks(0, SECOND, "p", busy, cpu, EMPTY, EMPTY, EMPTY, 0, "");
        Calibration.of(List.of(looks), List.of(window()), ticks)
                .lay(List.of(lane), moment -> moment + SECOND, new ToldLater());
        return seconds();
    }

    private double[] seconds() {
        int[] states = SegmentsTest.states(lane.segments(), 1000);
        double[] seconds = new double[Segments.NOTHING + 1];
        for (int state : states) {
            seconds[state] += 0.001;
        }
        return seconds;
    }

    private WindowSummary window() {
        return window(0);
    }

    private WindowSummary window(long start) {
        return new WindowSummary(
                start,
                SECOND,
                "p",
                new Load(1, 1, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(0), OptionalInt.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                shares,
                "NONE",
                new Process(
                        2,
                        OptionalDouble.of(processCpu),
                        OptionalDouble.of(others),
                        OptionalLong.empty(),
                        OptionalLong.empty()),
                Optional.empty(),
                "");
    }

    private static double of(double[] seconds, Doing doing) {
        return seconds[Segments.stateOf(doing)];
    }

    private void looks(Doing... doing) {
        for (int i = 0; i < doing.length; i++) {
            lane.look(i * SECOND / doing.length, doing[i], 0);
        }
    }

    @Test
    void lay_systemTellsTheWorkersTimes_splitsRunnableTimeByThem() {
        looks(Doing.COMPUTING, Doing.COMPUTING, Doing.COMPUTING, Doing.COMPUTING);
        lane.times(0, 100 * MILLI, 700 * MILLI);

        double[] seconds = laid(OptionalLong.of(SECOND), OptionalLong.of(100 * MILLI));

        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.1, within(0.01));
        assertThat(of(seconds, Doing.WAITING_FOR_CPU)).isCloseTo(0.7, within(0.01));
        assertThat(of(seconds, Doing.UNKNOWN)).isCloseTo(0.2, within(0.01));
    }

    /** Linux adds a wait for a CPU when it ends, so a long one is missing from the times. */
    @Test
    void lay_computingWorkerOnFullCpusHasFewTimes_waitsForACpu() {
        others = 0.2;
        looks(Doing.COMPUTING, Doing.COMPUTING, Doing.COMPUTING, Doing.UNKNOWN);
        lane.times(0, 100 * MILLI, 100 * MILLI);

        double[] seconds = laid(OptionalLong.of(SECOND), OptionalLong.of(100 * MILLI));

        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.1, within(0.01));
        assertThat(of(seconds, Doing.WAITING_FOR_CPU)).isCloseTo(0.65, within(0.01));
        assertThat(of(seconds, Doing.UNKNOWN)).as("of this no stack tells").isCloseTo(0.25, within(0.01));
    }

    /** Times of hundreds of workers are read in turn, and may be of a short time in which a worker had a CPU. */
    @Test
    void lay_timesOfTheWorkersAreMoreThanThoseOfTheProcess_computesAsLongAsTheProcess() {
        processCpu = 0.25;
        looks(Doing.COMPUTING, Doing.COMPUTING);
        lane.times(0, 900 * MILLI, 0);

        double[] seconds = laid(OptionalLong.of(SECOND), EMPTY);

        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.25, within(0.01));
        assertThat(of(seconds, Doing.UNKNOWN)).as("the CPUs had room").isCloseTo(0.75, within(0.01));
    }

    /** A thread that was woken looks as if it waited, until it gets a CPU. */
    @Test
    void lay_workerUsedMoreCpuThanWasSeen_takesItFromWaits() {
        looks(Doing.SLEEPING, Doing.SLEEPING, Doing.SLEEPING, Doing.COMPUTING);
        lane.times(0, 400 * MILLI, 200 * MILLI);

        double[] seconds = laid(OptionalLong.of(SECOND), OptionalLong.of(400 * MILLI));

        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.4, within(0.01));
        assertThat(of(seconds, Doing.WAITING_FOR_CPU)).isCloseTo(0.2, within(0.01));
        assertThat(of(seconds, Doing.SLEEPING)).isCloseTo(0.4, within(0.01));
    }

    /** Thread times are read behind the counters. */
    @Test
    void lay_threadTimesAreLessThanTheTasks_computesAsLongAsTheTasks() {
        looks(Doing.COMPUTING, Doing.COMPUTING);
        lane.times(0, 400 * MILLI, 0);

        double[] seconds = laid(OptionalLong.of(SECOND), OptionalLong.of(460 * MILLI));

        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.46, within(0.01));
    }

    /** A task that ended in the window counts the CPU time that it used long before. */
    @Test
    void lay_threadTimesAreFarLessThanTheTasks_trustsThemUpToAQuarter() {
        looks(Doing.COMPUTING, Doing.COMPUTING);
        lane.times(0, 400 * MILLI, 0);

        double[] seconds = laid(OptionalLong.of(SECOND), OptionalLong.of(4 * SECOND));

        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.5, within(0.01));
    }

    @Test
    void lay_noTimesOfTheWorkerAndNoLookSawItCompute_takesItFromWaits() {
        looks(Doing.SLEEPING, Doing.SLEEPING);

        double[] seconds = laid(OptionalLong.of(SECOND), OptionalLong.of(300 * MILLI));

        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.3, within(0.01));
        assertThat(of(seconds, Doing.SLEEPING)).isCloseTo(0.7, within(0.01));
    }

    @Test
    void lay_noTimesOfTheWorker_neverComputesLongerThanTheTasks() {
        looks(Doing.COMPUTING, Doing.COMPUTING);

        double[] seconds = laid(OptionalLong.of(SECOND), OptionalLong.of(250 * MILLI));

        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.25, within(0.01));
        assertThat(of(seconds, Doing.UNKNOWN)).isCloseTo(0.75, within(0.01));
    }

    /** Looks are rare while the monitor waits for a CPU, so lanes are filled up to the counters. */
    @Test
    void lay_looksHoldLessWorkThanTheCounters_addsWorkButNoCpuTime() {
        looks(Doing.IDLE, Doing.COMPUTING, Doing.IDLE, Doing.IDLE);

        double[] seconds = laid(OptionalLong.of(900 * MILLI), OptionalLong.of(100 * MILLI));

        assertThat(of(seconds, Doing.IDLE)).isCloseTo(0.1, within(0.01));
        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.1, within(0.03));
    }

    @Test
    void lay_nothingButTheProcessIsKnown_neverComputesLongerThanIt() {
        processCpu = 0.3;
        others = 0.8;
        looks(Doing.COMPUTING, Doing.COMPUTING);
        Calibration fitted = Calibration.of(List.of(), List.of(window()), ticks);
        fitted.lay(List.of(lane), moment -> moment + SECOND, new ToldLater());

        assertThat(of(seconds(), Doing.COMPUTING)).isCloseTo(0.3, within(0.01));
        assertThat(of(seconds(), Doing.WAITING_FOR_CPU))
                .as("others use the rest")
                .isCloseTo(0.7, within(0.01));
    }

    /** The monitor had no CPU: the pool counted its busy workers, and nobody saw what they did. */
    @Test
    void lay_windowWithoutLooks_isAsBusyAsItsFigures() {
        shares = Map.of(Doing.UNKNOWN, 0.8, Doing.IDLE, 0.2);
        looks(Doing.IDLE);
        PoolLooks later = new PoolLooks(5 * SECOND, SECOND, "p", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, 0, "");
        Calibration.of(List.of(later), List.of(window()), ticks)
                .lay(List.of(lane), moment -> moment + SECOND, new ToldLater());

        assertThat(of(seconds(), Doing.UNKNOWN)).isCloseTo(0.8, within(0.01));
    }

    @Test
    void shares_nothingButTheProcessIsKnown_areCappedToo() {
        processCpu = 0.3;
        WindowSummary window = window();
        double[] shares = Calibration.of(List.of(), List.of(window), ticks).shares(window);

        assertThat(of(shares, Doing.COMPUTING)).isCloseTo(0.3, within(1e-9));
        assertThat(of(shares, Doing.UNKNOWN)).as("the CPUs had room").isCloseTo(0.7, within(1e-9));
    }

    @Test
    void lay_looksHoldMoreWorkThanTheCounters_endsIt() {
        looks(Doing.WAITING_FOR_LOCK, Doing.WAITING_FOR_LOCK, Doing.IDLE, Doing.WAITING_FOR_LOCK);

        double[] seconds = laid(OptionalLong.of(300 * MILLI), OptionalLong.of(0));

        assertThat(of(seconds, Doing.WAITING_FOR_LOCK)).isCloseTo(0.3, within(0.01));
        assertThat(of(seconds, Doing.IDLE)).isCloseTo(0.7, within(0.01));
    }

    @Test
    void lay_looksHoldLessWorkThanTheCounters_beginsItEarlier() {
        looks(Doing.IDLE, Doing.WAITING_FOR_LOCK, Doing.IDLE, Doing.IDLE);

        double[] seconds = laid(OptionalLong.of(600 * MILLI), OptionalLong.of(0));

        assertThat(of(seconds, Doing.WAITING_FOR_LOCK) + of(seconds, Doing.UNKNOWN))
                .isCloseTo(0.6, within(0.01));
        assertThat(of(seconds, Doing.WAITING_FOR_LOCK)).isGreaterThan(0.4);
    }

    @Test
    void lay_recordedTask_keepsItsLengthWhateverElseIsCut() {
        looks(Doing.WAITING_FOR_LOCK, Doing.WAITING_FOR_LOCK, Doing.IDLE, Doing.IDLE);
        lane.task(new TaskRun(0, 300 * MILLI, "p", "worker-1", "k", OptionalLong.empty(), OptionalLong.empty(), false));

        double[] seconds = laid(OptionalLong.of(310 * MILLI), OptionalLong.of(0));

        assertThat(of(seconds, Doing.WAITING_FOR_LOCK)).isCloseTo(0.31, within(0.01));
        assertThat(SegmentsTest.states(lane.segments(), 290))
                .as("the task")
                .containsOnly(Segments.stateOf(Doing.WAITING_FOR_LOCK));
    }

    /** The first time that the system's times of a worker are read, nothing is known of the time before. */
    @Test
    void lay_allTimesOfWorkersAreZeroButTheTasksComputed_trustsTheTasks() {
        looks(Doing.COMPUTING, Doing.COMPUTING);
        lane.times(0, 0, 0);

        double[] seconds = laid(OptionalLong.of(SECOND), OptionalLong.of(400 * MILLI));

        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.4, within(0.01));
    }

    /** The times of hundreds of workers are read in turn, and Linux adds a long wait for a CPU when it ends. */
    @Test
    void lay_timesOfWorkersAreOfAnotherMoment_trustsTheTasksAndTheFullCpus() {
        others = 0.2;
        looks(Doing.COMPUTING, Doing.COMPUTING);
        lane.times(0, 10 * MILLI, 0);

        double[] seconds = laid(OptionalLong.of(SECOND), OptionalLong.of(400 * MILLI));

        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.4, within(0.01));
        assertThat(of(seconds, Doing.WAITING_FOR_CPU)).isCloseTo(0.6, within(0.01));
    }

    /** Rare looks at short tasks nearly always find a worker idle, whose task ran between them. */
    @Test
    void lay_workThatNoLookSawOnFullCpus_computesNoLongerThanTheTasks() {
        others = 0.2;
        looks(Doing.IDLE, Doing.IDLE);

        double[] seconds = laid(OptionalLong.of(800 * MILLI), OptionalLong.of(100 * MILLI));

        assertThat(of(seconds, Doing.IDLE)).isCloseTo(0.2, within(0.01));
        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.1, within(0.01));
        assertThat(of(seconds, Doing.WAITING_FOR_CPU)).isCloseTo(0.7, within(0.01));
    }

    @Test
    void lay_workThatNoLookSaw_isLikeThatOfOtherWorkers() {
        Lane seen = new Lane("worker-2");
        for (int i = 0; i < 4; i++) {
            seen.look(i * SECOND / 4, i == 0 ? Doing.WAITING_IN_LINE : Doing.WAITING_FOR_LOCK, 0);
        }
        looks(Doing.IDLE, Doing.IDLE, Doing.IDLE, Doing.IDLE);
        PoolLooks looks = new PoolLooks(
                0, SECOND, "p", OptionalLong.of(1_500 * MILLI), OptionalLong.of(0), EMPTY, EMPTY, EMPTY, 0, "");
        Calibration.of(List.of(looks), List.of(window()), ticks)
                .lay(List.of(seen, lane), moment -> moment + SECOND, new ToldLater());

        double[] seconds = seconds();
        assertThat(of(seconds, Doing.IDLE)).isCloseTo(0.5, within(0.01));
        assertThat(of(seconds, Doing.WAITING_IN_LINE)).isCloseTo(0.083, within(0.01));
        assertThat(of(seconds, Doing.WAITING_FOR_LOCK)).isCloseTo(0.417, within(0.01));
    }

    /** They are recorded, and tell begin and end. Too few looks at such tasks tell what they did. */
    @Test
    void lay_recordedTaskThatNoLookSawOnFullCpus_computesAndWaitsForACpu() {
        others = 0.2;
        looks(Doing.IDLE, Doing.IDLE);
        lane.task(new TaskRun(
                100 * MILLI, 300 * MILLI, "p", "worker-1", "k", OptionalLong.empty(), OptionalLong.empty(), false));

        double[] seconds = laid(OptionalLong.of(300 * MILLI), OptionalLong.of(100 * MILLI));

        assertThat(of(seconds, Doing.COMPUTING)).isCloseTo(0.1, within(0.01));
        assertThat(of(seconds, Doing.WAITING_FOR_CPU)).isCloseTo(0.2, within(0.01));
    }

    @Test
    void lay_stackTellsAfterALook_countsForThatLook() {
        ToldLater told = new ToldLater();
        told.add(new ToldLater.Window(
                300 * MILLI, List.of(), List.of(new ToldLater.Told(Segments.stateOf(Doing.SLEEPING), 7))));
        told.add(new ToldLater.Window(
                9 * SECOND, List.of(new ToldLater.Told(Segments.stateOf(Doing.COMPUTING), 8)), List.of()));
        lane.looks(new long[] {0, 200 * MILLI}, 0, 2, Lane.UNTOLD, 0, false);
        lane.looks(new long[] {500 * MILLI}, 0, 1, Lane.UNTOLD, 0, true);
        Calibration.of(List.of(), List.of(), ticks).lay(List.of(lane), moment -> moment + SECOND, told);

        assertThat(of(seconds(), Doing.SLEEPING)).as("told within five seconds").isCloseTo(0.5, within(0.01));
        assertThat(of(seconds(), Doing.UNKNOWN))
                .as("not told within five seconds")
                .isCloseTo(0.5, within(0.01));
    }

    @Test
    void lay_stackToldLongBeforeTheLooks_leavesThemUnknown() {
        ToldLater told = new ToldLater();
        told.add(new ToldLater.Window(0, List.of(), List.of(new ToldLater.Told(Segments.stateOf(Doing.SLEEPING), 7))));
        long[] moments = LongStream.range(0, 60).map(second -> second * SECOND).toArray();
        lane.looks(moments, 0, moments.length, Lane.UNTOLD, 0, false);
        Ticks tenths = new Ticks(0, 60 * SECOND, 100 * MILLI);
        Calibration.of(List.of(), List.of(), tenths).lay(List.of(lane), moment -> moment + SECOND, told);

        int[] states = SegmentsTest.states(lane.segments(), 600);
        assertThat(Arrays.copyOf(states, 60))
                .as("the looks of 0 to 5 s")
                .containsOnly(Segments.stateOf(Doing.SLEEPING));
        assertThat(Arrays.copyOfRange(states, 60, 600)).as("the others").containsOnly(Segments.stateOf(Doing.UNKNOWN));
    }

    /** A flight recording tells the figures when they are written: 150 ms after the looks, on a busy machine. */
    @Test
    void looks_figuresOfTheWindowAreToldLate_belongToItAndNotToTheNext() {
        PoolLooks late = looksOf(-150 * MILLI, SECOND);
        PoolLooks other = looksOf(600 * MILLI, SECOND - MILLI);
        WindowSummary window = window();

        assertThat(Calibration.of(List.of(late, other), List.of(window), ticks).looks(window))
                .isSameAs(late);
        assertThat(Calibration.of(List.of(other), List.of(window), ticks).looks(window))
                .as("of another length")
                .isNull();
    }

    /** A starved monitor records them seconds later, after the rules of that window. */
    @Test
    void lay_latestLooksHaveNoFiguresYet_areFittedToTheirCounters() {
        PoolLooks first = looksOf(-SECOND, SECOND);
        PoolLooks latest = new PoolLooks(
                0, SECOND, "p", OptionalLong.of(300 * MILLI), OptionalLong.of(0), EMPTY, EMPTY, EMPTY, 0, "");
        looks(Doing.WAITING_FOR_LOCK, Doing.WAITING_FOR_LOCK, Doing.IDLE, Doing.WAITING_FOR_LOCK);
        Calibration.of(List.of(first, latest), List.of(window(-SECOND)), ticks)
                .lay(List.of(lane), moment -> moment + SECOND, new ToldLater());

        assertThat(of(seconds(), Doing.WAITING_FOR_LOCK)).isCloseTo(0.3, within(0.01));
    }

    private static PoolLooks looksOf(long start, long length) {
        return new PoolLooks(start, length, "p", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, 0, "");
    }
}
