package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DelaysTest {

    @Test
    void nanosFor_manyJars_areLognormalAroundTheMean() {
        Delays delays = Delays.withMean(Duration.ofMillis(5));
        Random random = new Random(1);
        double[] millis = IntStream.range(0, 50_000)
                .mapToDouble(i -> delays.nanosFor(String.format("%016x", random.nextLong()) + "0".repeat(24)) / 1e6)
                .sorted()
                .toArray();
        assertThat(Arrays.stream(millis).average().orElseThrow()).isCloseTo(5, within(0.2));
        // exp(mu) with sigma 0.8, and exp(mu + 2.326 * sigma)
        assertThat(millis[25_000]).isCloseTo(3.63, within(0.15));
        assertThat(millis[49_500]).isCloseTo(23.3, within(2.0));
    }

    @Test
    void nanosFor_sameJar_isTheSame() {
        String sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
        assertThat(Delays.withMean(Duration.ofMillis(5)).nanosFor(sha1))
                .isEqualTo(Delays.withMean(Duration.ofMillis(5)).nanosFor(sha1))
                .isPositive();
    }

    @Test
    void nanosFor_meanOfZero_isZero() {
        assertThat(Delays.withMean(Duration.ZERO).nanosFor("f".repeat(40))).isZero();
    }
}
