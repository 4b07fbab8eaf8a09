package io.lifeguard.pool.diagnosis.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PowerLawTest {

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 1, 3.7, 1e9 / 3})
    void through_allHaveTheSameX_isNone(double x) {
        List<double[]> points = new ArrayList<>();
        for (int y = 1; y <= PowerLaw.FEWEST_POINTS + 1; y++) {
            points.add(new double[] {x, y});
        }
        assertThat(PowerLaw.through(points)).isNull();
    }
}
