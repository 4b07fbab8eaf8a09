package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** In simulated time, in which code is interpreted first, then compiled, then optimised. */
class CalibrationTest {

    private static final long BUDGET = 2_000_000;
    private static final int QUESTIONS = 200;

    private final SplittableRandom random = new SplittableRandom(1);
    private long time;
    private long calls;

    private Calibration of(LongSupplier nanosPerCall) {
        return new Calibration(
                () -> {
                    calls++;
                    time += nanosPerCall.getAsLong();
                    return calls;
                },
                () -> time += 25);
    }

    private double askOften(Calibration calibration) {
        double last = Double.MAX_VALUE;
        for (int i = 0; i < QUESTIONS; i++) {
            assertThat(calibration.nanos(BUDGET)).isLessThanOrEqualTo(last);
            last = calibration.nanos(BUDGET);
        }
        return last;
    }

    @Test
    void nanos_steadyCall_isItsCostWithinTheBudget() {
        assertThat(of(() -> 500).nanos(BUDGET)).isCloseTo(500, within(5.0));
        assertThat(time).isBetween(2_000_000L, 2_100_000L);
    }

    @Test
    void nanos_askedOften_fallsToTheCostOfOptimisedCode() {
        assertThat(askOften(of(() -> calls < 500 ? 2_000 : calls < 16_000 ? 340 : 18)))
                .isCloseTo(18, within(1.0));
    }

    @Test
    void nanos_oftenPreempted_isTheUndisturbedCost() {
        assertThat(askOften(of(() -> 350 + (random.nextInt(200) == 0 ? 30_000 : 0))))
                .isCloseTo(350, within(20.0));
    }

    /** A virtual machine in which a read takes half a millisecond was seen in the wild. */
    @Test
    void nanos_verySlowCall_isFoundInAFewCalls() {
        assertThat(of(() -> 500_000).nanos(BUDGET)).isCloseTo(500_000, within(500.0));
        assertThat(calls).isLessThan(12);
    }

    @Test
    void nanos_firstCallLoadsClasses_doesNotShortenTheBatches() {
        assertThat(of(() -> calls == 1 ? 30_000_000 : 20).nanos(BUDGET)).isCloseTo(20, within(2.0));
    }

    @Test
    void nanos_nothingCheaperFound_costsNoMoreTime() {
        Calibration calibration = of(() -> 50);
        double known = askOften(calibration);
        long before = time;

        assertThat(calibration.nanos(BUDGET)).isEqualTo(known);
        assertThat(time).isEqualTo(before).isLessThan(12_000_000);
    }

    /** A virtual machine that does not compile at all. */
    @Test
    void nanos_neverCompiled_endsAfterLimitedTime() {
        Calibration calibration = of(() -> 9_000);
        askOften(calibration);
        long before = time;

        assertThat(calibration.nanos(BUDGET)).isCloseTo(9_000, within(50.0));
        assertThat(time).isEqualTo(before).isLessThan(160_000_000);
    }

    /** The second thread asks while the first one calibrates: the call itself waits for the second thread's answer. */
    @Test
    void nanos_whileAnotherThreadCalibrates_returnsTheKnownCost() {
        boolean[] asks = new boolean[1];
        double[] meanwhile = new double[1];
        Calibration[] calibration = new Calibration[1];
        calibration[0] = of(() -> {
            if (asks[0]) {
                asks[0] = false;
                meanwhile[0] = CompletableFuture.supplyAsync(() -> calibration[0].nanos(BUDGET))
                        .orTimeout(1, TimeUnit.MINUTES)
                        .join();
            }
            return 500;
        });
        double known = calibration[0].nanos(BUDGET);
        asks[0] = true;

        calibration[0].nanos(BUDGET);

        assertThat(meanwhile[0]).isEqualTo(known);
    }
}
