package io.lifeguard.pool.report.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The colours of causes differ for people with each kind of colour-blindness. */
class CauseColoursTest {

    /** Two colours of large areas are told apart at a glance from about this distance on (CIE 1976). */
    private static final double LEAST_DISTANCE = 10;

    /**
     * What a colour looks like in linear RGB, from G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A
     * Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1.0.
     */
    private static final double[][][] SIGHTS = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
    };

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void colours_forAnySight_differ(boolean isDark) {
        List<String> colours = Pattern.compile("color: '#([0-9a-f]{6})'(?:, dark: '#([0-9a-f]{6})')?")
                .matcher(Page.resource("causes.js"))
                .results()
                .map(found -> isDark && found.group(2) != null ? found.group(2) : found.group(1))
                .toList();
        assertThat(colours).hasSize(11);
        for (int sight = 0; sight < SIGHTS.length; sight++) {
            for (int i = 0; i < colours.size(); i++) {
                for (int j = 0; j < i; j++) {
                    assertThat(distance(seen(colours.get(i), sight), seen(colours.get(j), sight)))
                            .as("%s and %s for sight %d", colours.get(i), colours.get(j), sight)
                            .isGreaterThan(LEAST_DISTANCE);
                }
            }
        }
    }

    /** Shows that the test can fail: this pair differs for most people and not for those without green cones. */
    @Test
    void distance_purpleAndGreyWithoutGreenCones_isTooSmall() {
        assertThat(distance(seen("cc79a7", 0), seen("a9afb7", 0))).isGreaterThan(3 * LEAST_DISTANCE);
        assertThat(distance(seen("cc79a7", 2), seen("a9afb7", 2))).isLessThan(LEAST_DISTANCE);
    }

    private static double[] seen(String colour, int sight) {
        double[] linear = new double[3];
        for (int i = 0; i < 3; i++) {
            double value = Integer.parseInt(colour.substring(2 * i, 2 * i + 2), 16) / 255.0;
            linear[i] = value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
        }
        double[] seen = new double[3];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                seen[i] += SIGHTS[sight][i][j] * linear[j];
            }
            seen[i] = Math.max(0, Math.min(1, seen[i]));
        }
        return lab(seen);
    }

    private static double[] lab(double[] rgb) {
        double x = (0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / 0.95047;
        double y = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2];
        double z = (0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / 1.08883;
        return new double[] {116 * root(y) - 16, 500 * (root(x) - root(y)), 200 * (root(y) - root(z))};
    }

    private static double root(double value) {
        return value > 216.0 / 24389 ? Math.cbrt(value) : (24389.0 / 27 * value + 16) / 116;
    }

    private static double distance(double[] one, double[] other) {
        List<Double> squares = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            squares.add((one[i] - other[i]) * (one[i] - other[i]));
        }
        return Math.sqrt(squares.stream().mapToDouble(each -> each).sum());
    }
}
