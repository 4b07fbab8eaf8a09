package io.lifeguard.pool.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountedTest {

    @Test
    void of_one_isSingular() {
        assertThat(Counted.of(1, "task")).isEqualTo("1 task");
        assertThat(Counted.of(1, "task waits", "tasks wait")).isEqualTo("1 task waits");
        assertThat(Counted.of("1", "CPU", "CPUs")).isEqualTo("1 CPU");
    }

    @Test
    void of_noneManyOrAPart_isPlural() {
        assertThat(Counted.of(0, "task")).isEqualTo("0 tasks");
        assertThat(Counted.of(1_340, "task")).isEqualTo("1,340 tasks");
        assertThat(Counted.of(2, "task waits", "tasks wait")).isEqualTo("2 tasks wait");
        assertThat(Counted.of("0.5", "CPU", "CPUs")).isEqualTo("0.5 CPUs");
    }
}
