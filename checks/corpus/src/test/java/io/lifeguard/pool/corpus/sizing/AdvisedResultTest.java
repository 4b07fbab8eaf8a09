package io.lifeguard.pool.corpus.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class AdvisedResultTest {

    private static final List<String> LINES = List.of(
            "@said\t2\t3000\tblocked-on-io\t0",
            "@said\t48\t3000\tcpu-saturated\t10",
            "@said\t48\t3250\tcpu-saturated\t12",
            "@said\t48\t3500\tcpu-saturated\t10",
            "from 48: shrink",
            "@comparison\t10\t95",
            "@comparison\t14\t100",
            "@comparison\t10\t93",
            "@comparison\t10\t94",
            "@comparison\t20\t100.5",
            "@done");

    @Test
    void parse_aRun_tellsSizesAndLoss() {
        AdvisedResult result = AdvisedResult.parse("files", LINES);
        assertThat(result.advice(2)).isZero();
        assertThat(result.ids(2)).containsExactly("blocked-on-io");
        assertThat(result.deviation(2)).isNaN();
        assertThat(result.sizes(48)).containsExactly(10, 12, 10);
        assertThat(result.advice(48)).isEqualTo(10);
        assertThat(result.firstAdvice(48)).isEqualTo(10);
        assertThat(result.firstAdvice(2)).isZero();
        assertThat(result.deviation(48)).isCloseTo(0.2, within(1e-9));
        assertThat(result.bestSize()).isEqualTo(14);
        assertThat(result.lost(10)).isCloseTo(1 - 94 / 100.5, within(1e-9));
        assertThat(result.log()).containsExactly("from 48: shrink");
    }

    @Test
    void isGood_moreThanFivePercentLostInOneOfOne_isNot() {
        AdvisedReport report = new AdvisedReport(List.of(AdvisedResult.parse("files", LINES)));
        assertThat(report.isGood()).isFalse();
        assertThat(report.markdown()).contains("6.5 %").contains("1 were given a size");
    }

    @Test
    void parse_withoutAnEnd_fails() {
        assertThatThrownBy(() -> AdvisedResult.parse("files", LINES.subList(0, 5)))
                .hasMessageContaining("files failed");
    }
}
