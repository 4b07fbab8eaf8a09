package io.lifeguard.pool.tools.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Only on a machine with many threads for each CPU does the program ask for more than its turn. */
class PriorityTest {

    @Test
    void isCrowded_threadsThatWantCpus_areComparedWithTheCpus() {
        assertThat(Priority.isCrowded("17.58 18.99 14.27 5/208 7907\n", 2)).isTrue();
        assertThat(Priority.isCrowded("17.58 18.99 14.27 4/208 7907\n", 2)).isFalse();
        assertThat(Priority.isCrowded("17.58 18.99 14.27 66/208 7907\n", 33)).isFalse();
    }

    @Test
    void isCrowded_anotherSystemsText_isNot() {
        assertThat(Priority.isCrowded("", 1)).isFalse();
    }
}
