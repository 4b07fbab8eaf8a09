package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.recording.JudgedWindow;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which rules a monitor asks that gets too little CPU time. */
class RuleBookTest {

    private static final PoolWindow WINDOW = Windows.of("orders").build();

    private final RuleBook rules = new RuleBook(new MonitorSettings(), new Guard());

    private static boolean wasAsked(RuleBook.Answer answer) {
        return !(answer.verdict() instanceof Verdict.Unknown unknown)
                || !unknown.missing().equals(JudgedWindow.STARVED_OF_CPU);
    }

    @Test
    void examine_withTime_asksAll() {
        rules.choose();

        assertThat(rules.examine(WINDOW)).allMatch(RuleBookTest::wasAsked);
    }

    @Test
    void examine_withoutTime_asksTheOneOfBusyCpusAndThreeOthersInTurn() {
        rules.choose();
        int all = rules.examine(WINDOW).size();
        Set<Rule> asked = new HashSet<>();

        for (int i = 0; i < (all + 2) / 3; i++) {
            List<RuleBook.Answer> answers = rules.examine(WINDOW, () -> false);

            assertThat(answers).hasSize(all);
            assertThat(answers).filteredOn(RuleBookTest::wasAsked).hasSizeBetween(3, 4);
            assertThat(answers)
                    .filteredOn(RuleBookTest::wasAsked)
                    .anyMatch(answer -> answer.rule().ids().contains("cpu-saturated"));
            answers.stream().filter(RuleBookTest::wasAsked).forEach(answer -> asked.add(answer.rule()));
        }

        assertThat(asked).hasSize(all);
    }
}
