package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.RuleBook.Answer;
import io.lifeguard.pool.diagnosis.bottleneck.Circumstances;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Simulated;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Text and data of what all rules say of many pools have the same size, or both have none. */
class SizesOfAllRulesTest {

    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final double ALL_OF_TWO = 1.9; // CPUs that other processes have

    private final Set<String> sized = new TreeSet<>();

    private List<PoolWindow> pools(boolean haveOthersTheCpus) {
        List<Windows> pools = new ArrayList<>(List.of(
                Simulated.saturated(8, 0.001, 0.05),
                Simulated.saturated(64, 0.001, 0.002),
                Simulated.saturated(50, 0.0001, 0.25)
                        .doing(Breakdowns.of(50).line(46, 4).with(Doing.WAITING_OUTSIDE, 4)),
                Simulated.saturated(40, 0.001, 0.05)
                        .doing(Breakdowns.of(40).lock(35, "a.Lock@1").with(Doing.WAITING_OUTSIDE, 5)),
                Windows.of("orders").size(50).busy(4).tasks(80).service(0.05),
                Windows.of("mails")
                        .size(4)
                        .limits(4, 32)
                        .busy(4)
                        .tasks(80)
                        .queued(50)
                        .service(0.05)));
        for (Doing doing : Doing.values()) {
            pools.add(Simulated.saturated(32, 0.002, 0.02).doing(Breakdowns.doing(doing, 31, 32)));
        }
        List<PoolWindow> windows = new ArrayList<>();
        for (Windows pool : pools) {
            if (haveOthersTheCpus) {
                pool.process(2, 0.02, 0.02, ALL_OF_TWO / 2);
            }
            windows.add(pool.times(60));
            for (Bottleneck bottleneck : Bottleneck.values()) {
                windows.add(pool.bottleneck(bottleneck).times(60));
            }
        }
        return windows;
    }

    @Test
    void enter_findingsOfAllRules_haveTheSizeInTextAndData() {
        pools(false).forEach(this::judge);
        assertThat(sized)
                .contains("blocked-on-io", "cpu-saturated", "downstream-saturated", "lock-contention", "oversized");
    }

    @Test
    void enter_otherProcessesHaveTheCpus_noFindingOfAFullPoolHasASize() {
        pools(true).forEach(this::judge);
        assertThat(sized).isSubsetOf("oversized", "max-size-unreachable");
    }

    /** Five windows: a size is named once two of them agree. */
    private void judge(PoolWindow window) {
        FindingLedger ledger = new FindingLedger();
        FindingListener listener = new FindingListener() {
            @Override
            public void raised(Finding finding) {
                check(finding);
            }

            @Override
            public void updated(Finding finding) {
                check(finding);
            }
        };
        List<Answer> answers = PoolMonitor.standardRules().stream()
                .map(rule -> new Answer(rule, rule.examine(window), 1))
                .toList();
        for (int i = 0; i < 5; i++) {
            ledger.enter(answers, new Circumstances(WINDOW, WINDOW, Bottleneck.UNKNOWN, true, true), listener);
        }
    }

    private void check(Finding finding) {
        Set<String> names = finding.evidence().keySet();
        if (finding.recommendedSize().isEmpty()) {
            assertThat(names)
                    .as("%s", finding)
                    .doesNotContain(Finding.SIZE_LOW, Finding.SIZE_HIGH, SaidSize.UNSIZED_ADVICE);
            assertThat(finding.advice()).as("%s", finding).doesNotContainPattern("(Shrink|Grow) the pool to \\d");
            return;
        }
        sized.add(finding.id());
        assertThat(finding.advice())
                .as("%s", finding)
                .containsPattern("\\b" + finding.recommendedSize().getAsInt() + "\\b");
        assertThat(names).as("%s", finding).doesNotContain(SaidSize.UNSIZED_ADVICE);
    }
}
