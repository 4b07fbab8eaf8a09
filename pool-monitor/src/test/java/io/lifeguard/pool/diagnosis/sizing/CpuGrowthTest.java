package io.lifeguard.pool.diagnosis.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuGrowthTest {

    /** Tasks that only compute, on two CPUs, and get slower the more of them there are. */
    private static final Demand COMPUTING = Demand.of(0.01, 0, 2);

    @Test
    void knee_cpuTimeGrows_isAFewWorkersOfTheBestSize() {
        assertThat(CpuGrowth.LIKELY.knee(COMPUTING, 64)).isBetween(1, 4);
    }

    /** The model goes up to 10,000 workers; a pool may have more threads. */
    @ParameterizedTest
    @ValueSource(ints = {10_000, 10_001, 50_000})
    void knee_moreThreadsThanTheModelKnows_isASizeToo(int workers) {
        assertThat(CpuGrowth.LIKELY.knee(COMPUTING, workers)).isBetween(1, 4);
    }

    @Test
    void knee_noWorker_isOne() {
        assertThat(CpuGrowth.LIKELY.knee(COMPUTING, 0)).isOne();
    }
}
