package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** In simulated time, in which code is interpreted first, then compiled, then optimised: as measured on a real machine. */
class CostCalibrationTest {

    private static final int COMPILED = 500;
    private static final int OPTIMISED = 16_000;
    private static final double RECORD = 18;
    private static final double TIME_READ = 34;

    private final SplittableRandom random = new SplittableRandom(1);
    private double time;
    private long timeReads;
    private long records;
    private boolean workersHaveRun;
    private boolean isDisturbed;
    private Runnable others = () -> {};
    private final CostCalibration calibration =
            new CostCalibration(this::readTime, this::record, this::tick, () -> others.run());

    private void readTime(int times) {
        for (int i = 0; i < times; i++) {
            time += ++timeReads < OPTIMISED ? 70 : TIME_READ;
        }
    }

    private void record(int times) {
        for (int i = 0; i < times; i++) {
            records++;
            boolean compiled = workersHaveRun || records > COMPILED;
            time += records > OPTIMISED ? RECORD : compiled ? 340 : 2_000;
        }
        if (isDisturbed && random.nextInt(20) == 0) {
            time += 3_000_000;
        }
    }

    private long tick() {
        time += TIME_READ;
        return (long) time;
    }

    @Test
    void after_readAgainAndAgain_fallsToTheCostOfOptimisedCode() {
        double dearest = Double.MAX_VALUE;
        for (int reading = 0; reading < 100; reading++) {
            RecordingCost cost = calibration.after(1_000);
            assertThat(cost.recordNanos()).isLessThanOrEqualTo(dearest);
            dearest = cost.recordNanos();
        }

        assertIsOptimised(calibration.after(1_000));
    }

    @Test
    void after_readOnlyOnceAfterMillions_isTheCostOfOptimisedCode() {
        workersHaveRun = true;

        assertIsOptimised(calibration.after(5_000_000));
    }

    @Test
    void after_oftenInterrupted_isTheUndisturbedCost() {
        isDisturbed = true;
        for (int reading = 0; reading < 100; reading++) {
            calibration.after(5_000_000);
        }

        assertIsOptimised(calibration.after(5_000_000));
    }

    @Test
    void after_fewRecords_takesAMillisecond() {
        calibration.after(1_000);

        assertThat(time).isBetween(1e6, 1.2e6);
    }

    @Test
    void after_manyRecords_takesNoMoreThanRecordingDidAndTenMilliseconds() {
        calibration.after(60_000);
        assertThat(time).isBetween(3e6, 3.2e6);
        double before = time;

        calibration.after(60_000);
        assertThat(time - before).isBetween(1e6, 1.2e6);
        before = time;

        calibration.after(1_000_000_000);
        assertThat(time - before).isLessThan(10.2e6);
    }

    @Test
    void after_nothingCheaperFound_isOver() {
        for (int reading = 0; reading < 200; reading++) {
            calibration.after(1_000);
        }
        double before = time;
        RecordingCost known = calibration.after(1_000_000_000);

        assertThat(time).isEqualTo(before);
        assertThat(calibration.after(2_000_000_000)).isSameAs(known);
    }

    /** A virtual machine that does not compile at all. */
    @Test
    void after_neverCompiled_isOverToo() {
        CostCalibration interpreted = new CostCalibration(
                times -> time += times * 1_000, times -> time += times * 9_000, this::tick, () -> {});
        for (int reading = 0; reading < 500; reading++) {
            interpreted.after(1_000);
        }
        double before = time;

        assertThat(interpreted.after(1_000).recordNanos()).isCloseTo(9_000, within(50.0));
        assertThat(time).isEqualTo(before).isLessThan(200e6);
    }

    /** The second reader comes while the first calibrates: {@code others} is called in the middle of that. */
    @Test
    void after_otherReaderCalibrates_answersWithWhatIsKnown() {
        List<RecordingCost> meanwhile = new ArrayList<>();
        others = () -> meanwhile.add(CompletableFuture.supplyAsync(() -> calibration.after(1_000_000))
                .orTimeout(1, TimeUnit.MINUTES)
                .join());

        RecordingCost cost = calibration.after(1_000);

        assertThat(meanwhile).containsExactly(cost);
    }

    @Test
    void ofThisMachine_manyReadings_costsSomeNanoseconds() {
        RecordingCost cost = CostCalibration.ofThisMachine().after(1);
        for (int reading = 0; reading < 30; reading++) {
            cost = CostCalibration.ofThisMachine().after(100_000_000);
        }

        assertThat(cost.recordNanos()).isBetween(1.0, 10_000.0);
        assertThat(cost.timeReadNanos()).isBetween(1.0, 10_000.0);
    }

    private static void assertIsOptimised(RecordingCost cost) {
        assertThat(cost.recordNanos()).isCloseTo(RECORD, within(1.0));
        assertThat(cost.timeReadNanos()).isCloseTo(TIME_READ, within(1.0));
    }
}
