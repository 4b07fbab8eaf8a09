package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.log.Guard;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import org.junit.jupiter.api.Test;

/** Which rules a monitor asks that gets too little CPU time. */
class RuleBookTest {

    private static final PoolWindow WINDOW = Windows.of("orders").build();

    private final RuleBook rules = new RuleBook(new MonitorSettings(), new Guard());

    private static boolean wasAsked(RuleBook.Answer answer) {
        return !(answer.verdict() instanceof Verdict.Unknown unknown)
                || !unknown.missing().equals(RuleBook.STARVED_OF_CPU);
    }

    @Test
    void examine_withTime_asksAll() {
        rules.choose();

        assertThat(rules.examine(WINDOW, false)).allMatch(RuleBookTest::wasAsked);
    }

    @Test
    void examine_starved_asksFourMoreRulesInEachWindowAndThoseOfThePlainCasesFirst() {
        rules.choose();

        assertThat(rules.examine(WINDOW, true))
                .filteredOn(RuleBookTest::wasAsked)
                .flatExtracting(answer -> answer.rule().ids())
                .containsExactly("pool-full", "cpu-saturated", "lock-contention", "downstream-saturated");
        assertThat(rules.examine(WINDOW, true))
                .filteredOn(RuleBookTest::wasAsked)
                .hasSize(8);
    }

    /** A suspicion must not get lost because its rule is asked only now and then. */
    @Test
    void examine_starvedWithRulesThatWereAskedBefore_asksAll() {
        rules.choose();
        rules.examine(WINDOW, false);

        assertThat(rules.examine(WINDOW, true)).allMatch(RuleBookTest::wasAsked);
    }
}
