package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** In simulated time. */
class CalibrationTest {

    private static final long BUDGET = 2_000_000;

    private final SplittableRandom random = new SplittableRandom(1);
    private long time;
    private long calls;

    @Test
    void cheapest_steadyCall_isItsCost() {
        double cost = cheapest(500);

        assertThat(cost).isCloseTo(500, within(5.0));
        assertThat(time).isLessThan(BUDGET + 100_000);
    }

    @Test
    void cheapest_slowUntilCompiledAndOftenPreempted_isTheUndisturbedCost() {
        double cost = Calibration.cheapest(
                () -> {
                    boolean compiled = ++calls > 300;
                    boolean preempted = random.nextInt(200) == 0;
                    time += (compiled ? 350 : 1_200) + (preempted ? 30_000 : 0);
                    return calls;
                },
                BUDGET,
                this::readTime);

        assertThat(cost).isCloseTo(350, within(20.0));
    }

    /** A virtual machine in which a read takes half a millisecond was seen in the wild. */
    @Test
    void cheapest_verySlowCall_isFoundInAFewCalls() {
        double cost = cheapest(500_000);

        assertThat(cost).isCloseTo(500_000, within(500.0));
        assertThat(calls).isLessThan(12);
    }

    @Test
    void cheapest_firstCallLoadsClasses_doesNotShortenTheBatches() {
        double cost = Calibration.cheapest(
                () -> {
                    time += ++calls == 1 ? 30_000_000 : 20;
                    return calls;
                },
                BUDGET,
                this::readTime);

        assertThat(cost).isCloseTo(20, within(2.0));
    }

    private double cheapest(long callNanos) {
        return Calibration.cheapest(
                () -> {
                    time += callNanos;
                    return ++calls;
                },
                BUDGET,
                this::readTime);
    }

    private long readTime() {
        time += 25;
        return time;
    }
}
