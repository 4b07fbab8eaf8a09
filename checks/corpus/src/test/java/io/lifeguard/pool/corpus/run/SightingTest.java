package io.lifeguard.pool.corpus.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SightingTest {

    @Test
    void parse_ownLine_isTheSame() {
        Sighting sighting = new Sighting("oversized", "calls", 7, 3, "64 workers, {busy=3}");
        assertThat(Sighting.parse(sighting.line())).contains(sighting);
    }

    @Test
    void line_textWithTabsAndLines_staysOneLine() {
        Sighting sighting = new Sighting("oversized", "a\tb", 7, 3, "x\ny");
        assertThat(sighting.line()).doesNotContain("\n");
        assertThat(Sighting.parse(sighting.line())).map(Sighting::text).contains("x y");
    }

    @Test
    void parse_otherLine_isNone() {
        assertThat(Sighting.parse("a workload says something")).isEmpty();
    }
}
