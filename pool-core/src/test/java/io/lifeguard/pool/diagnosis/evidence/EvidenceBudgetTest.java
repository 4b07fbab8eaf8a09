package io.lifeguard.pool.diagnosis.evidence;

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
    void allows_warmUp_isFreeOnce() {
        EvidenceBudget young = new EvidenceBudget(
                () -> cpu, clock::nanoTime, Duration.ofMillis(300).toNanos());
        young.begin();
        cpu += Duration.ofMillis(300).toNanos();
        assertThat(young.allows()).isTrue();

        cpu += Duration.ofMillis(300).toNanos();
        assertThat(young.allows()).isFalse();
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

    @Test
    void allows_hugeDebt_isForgivenInSeconds() {
        budget.begin();
        cpu += Duration.ofHours(1).toNanos();
        assertThat(budget.allows()).isFalse();

        clock.pass(Duration.ofSeconds(21));
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
        for (int window = 0; window < 1_000; window++) {
            clock.pass(Duration.ofSeconds(1));
            while (budget.allowsStacks()) {
                budget.spendOnStacks(40, () -> {
                    clock.pass(Duration.ofNanos(2_500_000));
                    cpu += 100_000;
                    return 40 * 30;
                });
                looks++;
            }
        }

        assertThat(looks * 2.5e-3 / 1_000).isBetween(0.0175, 0.0195);
    }

    /** A look that lasted a second did not work for a second. */
    @Test
    void spendOnStacks_suspended_costsAsMuchAsTheWalk() {
        budget.begin();
        long cost = budget.spendOnStacks(16, () -> {
            clock.pass(Duration.ofSeconds(1));
            return 16 * 30;
        });

        assertThat(cost).isEqualTo(16 * 70_000);
        assertThat(budget.allows()).isTrue();
    }

    /** The census goes on when there is nothing left for stacks. */
    @Test
    void allowsStacks_littleIsLeft_leavesItToTheCensus() {
        budget.begin();
        while (budget.allowsStacks()) {
            cpu += 100_000;
        }

        assertThat(budget.allows()).isTrue();
    }
}
