package io.lifeguard.pool.diagnosis.evidence.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.testing.FakeClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EvidenceBudgetTest {

    private final FakeClock clock = new FakeClock();
    private long cpu;
    private final EvidenceBudget budget = new EvidenceBudget(() -> cpu, clock::nanoTime);

    /** An investigation that takes what it gets spends the share over time, however dear a single step is. */
    @Test
    void allows_greedyWork_keepsToTheShare() {
        budget.begin();
        for (int window = 0; window < 1_000; window++) {
            clock.pass(Duration.ofSeconds(1));
            cpu += 2_000_000; // the round itself
            while (budget.allows()) {
                cpu += 7_000_000;
            }
        }

        assertThat(cpu / 1_000e9).isBetween(0.0175, 0.0185);
    }

    /** Four times as many rounds in a second have four times the budget, so that each gets the same. */
    @Test
    void allows_shortWindowsWereSet_eachHasTheSameShare() {
        budget.window(Duration.ofMillis(250));
        budget.begin();
        for (int window = 0; window < 1_000; window++) {
            clock.pass(Duration.ofMillis(250));
            cpu += 2_000_000; // the round itself
            while (budget.allows()) {
                cpu += 7_000_000;
            }
        }

        assertThat(cpu / 250e9).isBetween(0.070, 0.074);
    }

    @Test
    void allows_longRest_savesUpTwoSecondsOnly() {
        budget.begin();
        clock.pass(Duration.ofHours(1));
        while (budget.allows()) {
            cpu += 1_000_000;
        }

        assertThat(cpu).isBetween(36_000_000L, 37_000_000L);
    }

    /** Start-up, where the monitor's own code is interpreted and compiled, is no debt. */
    @Test
    void allows_hugeExpense_isForgottenAfterASecond() {
        budget.begin();
        cpu += Duration.ofHours(1).toNanos();
        assertThat(budget.allows()).isFalse();

        clock.pass(Duration.ofMillis(1_001));
        assertThat(budget.allows()).isTrue();
    }

    @Test
    void begin_otherThread_countsAnew() {
        cpu = Duration.ofHours(1).toNanos();
        budget.begin();
        cpu = 0;
        budget.begin();

        assertThat(budget.allows()).isTrue();
    }

    /** The JVM walks 40 stacks of 30 frames, 2.4 ms, for each 0.1 ms of this thread's. */
    @Test
    void spendOnStacks_workOfOthers_countsToo() {
        budget.begin();
        int looks = 0;
        for (int moment = 0; moment < 20_000; moment++) {
            clock.pass(Duration.ofMillis(50));
            if (budget.allowsStacks()) {
                spend(40, Duration.ofNanos(2_500_000), 100_000);
                looks++;
            }
        }

        assertThat(looks * 2.5e-3 / 1_000).isBetween(0.0165, 0.0195);
    }

    /**
     * Beside other programs a look lasts for a second, because the JVM waits for a CPU. It did not work for so long.
     */
    @Test
    void spendOnStacks_machineIsBusy_costsNoMoreThanTheCheapestOfLate() {
        budget.begin();
        spend(16, Duration.ofMillis(1), 0);

        assertThat(spend(16, Duration.ofSeconds(1), 0)).isBetween(1_000_000L, 1_100_000L);
        assertThat(budget.allows()).isTrue();
    }

    /** The cost is learnt anew where stacks have become deeper. */
    @Test
    void spendOnStacks_stacksGetDeeper_isLearnt() {
        budget.begin();
        spend(16, Duration.ofMillis(1), 0);
        for (int i = 0; i < 40; i++) {
            clock.pass(Duration.ofSeconds(2));
            spend(16, Duration.ofMillis(4), 0);
        }

        assertThat(spend(16, Duration.ofMillis(4), 0)).isEqualTo(4_000_000);
    }

    /** All threads stand still meanwhile, so 10 ms of it are followed by 200 ms without. */
    @Test
    void allowsStacks_longPause_restsUntilItIsATwentiethOfTheTime() {
        budget.begin();
        spend(16, Duration.ofMillis(10), 0);
        clock.pass(Duration.ofMillis(199));
        assertThat(budget.allowsStacks()).isFalse();

        clock.pass(Duration.ofMillis(2));
        assertThat(budget.allowsStacks()).isTrue();
    }

    /** Otherwise a machine that was busy for a moment would blind the monitor. */
    @Test
    void allowsStacks_veryLongPause_restsForASecond() {
        budget.begin();
        spend(16, Duration.ofMillis(1), 0);
        spend(16, Duration.ofMinutes(1), 0);
        clock.pass(Duration.ofMillis(1_001));

        assertThat(budget.allowsStacks()).isTrue();
    }

    private long spend(int stacks, Duration wall, long own) {
        long start = budget.beginStacks();
        clock.pass(wall);
        cpu += own;
        return budget.spendOnStacks(stacks, start);
    }

    /** The system's times are still read when there is nothing left for stacks. */
    @Test
    void allowsStacks_littleIsLeft_leavesItToTheSystemsTimes() {
        budget.begin();
        while (budget.allowsStacks()) {
            cpu += 100_000;
        }

        assertThat(budget.allows()).isTrue();
    }
}
