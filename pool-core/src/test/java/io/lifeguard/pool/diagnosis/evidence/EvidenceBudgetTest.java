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

    @Test
    void window_aQuarterOfASecond_hasTheSameForEachWindow() {
        budget.window(Duration.ofMillis(250));
        budget.begin();
        for (int window = 0; window < 1_000; window++) {
            clock.pass(Duration.ofMillis(250));
            while (budget.allows()) {
                cpu += 1_000_000;
            }
        }

        assertThat(cpu / 1_000e9).isBetween(0.0175, 0.0195);
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

    /** The JVM walks 2 ms of stacks for each 0.1 ms of this thread's. */
    @Test
    void spendWallTime_workOfOthers_countsToo() {
        budget.begin();
        int looks = 0;
        for (int window = 0; window < 1_000; window++) {
            clock.pass(Duration.ofSeconds(1));
            while (budget.allows()) {
                budget.spendWallTime(() -> {
                    clock.pass(Duration.ofMillis(2));
                    cpu += 100_000;
                });
                looks++;
            }
        }

        assertThat(looks * 2e-3 / 1_000).isBetween(0.0175, 0.0195);
    }

    /** A look that lasted a second did not work for a second. */
    @Test
    void spendWallTime_suspended_costsAsMuchAsALook() {
        budget.begin();
        budget.spendWallTime(() -> clock.pass(Duration.ofSeconds(1)));

        assertThat(budget.allows()).isTrue();
    }
}
