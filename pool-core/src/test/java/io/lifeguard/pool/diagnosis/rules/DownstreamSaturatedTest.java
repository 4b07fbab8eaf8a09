package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.testing.Simulated;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class DownstreamSaturatedTest {

    private final Rule rule = new DownstreamSaturated();

    /**
     * 20 windows of a pool of 40 in which concurrency rises from 5 to 40; in the last ones all are busy and tasks
     * queue.
     */
    private static PoolWindow rising(IntToDoubleFunction wait) {
        Windows[] all = new Windows[24];
        for (int i = 0; i < all.length; i++) {
            int busy = Math.min(40, 5 + 2 * i);
            double seconds = wait.applyAsDouble(busy);
            all[i] = Windows.of("orders")
                    .size(40)
                    .busy(busy)
                    .tasks(Math.round(10 * busy / seconds))
                    .seconds(10)
                    .queued(busy == 40 ? 50 : 0)
                    .blockedNow(busy == 40 ? 1 : 0)
                    .service(seconds)
                    .cpu(0.0005)
                    .system(0.0005 * 10 * busy / seconds, 0.001, 10, 10)
                    .process(2, 0.1, 0.02, 0.06)
                    .stacks(BlockedOnIoTest.doing(Doing.WAITING_OUTSIDE, 8));
        }
        return Windows.history(all);
    }

    @Test
    void examine_waitingGrowsAsConcurrencyDoes_growingWillNotHelp() {
        PoolWindow window = rising(busy -> 0.1 * Math.max(1, busy / 10.0));
        Finding finding = rule.examine(window).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("more calls at once only make each call slower: twice as many had 1.13× the throughput, and"
                        + " each waited 1.76× as long");
        assertThat(finding.advice())
                .startsWith("Growing the pool will not help; look at what the tasks wait for (399 ms a call)");
        assertThat(finding.recommendedSize().orElseThrow()).isBetween(9, 13);
        assertThat(new BlockedOnIo().examine(window).finding()).isEmpty();
    }

    @Test
    void examine_waitingDoesNotGrow_isBlockedOnIoInstead() {
        PoolWindow window = rising(busy -> 0.1);
        assertThat(rule.examine(window).finding()).isEmpty();
        assertThat(new BlockedOnIo().examine(window).finding().orElseThrow().advice())
                .endsWith("as calls got no slower when there were more of them");
    }

    @Test
    void examine_serviceGotSlowerByItself_isSilent() {
        PoolWindow window = rising(busy -> 0.001 * busy * busy);
        assertThat(rule.examine(window).finding()).isEmpty();
        assertThat(new BlockedOnIo().examine(window).finding()).isEmpty();
    }

    @Test
    void examine_workersStandInLine_saysWhere() {
        PoolWindow window = Simulated.saturated(8, 0.001, 0.05)
                .stacks(BlockedOnIoTest.doing(Doing.WAITING_IN_LINE, 5.2))
                .build();
        Finding finding = rule.examine(window).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("5 of 8 workers stand in line at com.example.Orders.load(Orders.java:42): what they wait"
                        + " for serves 3 at a time, whatever the number of workers");
        assertThat(finding.recommendedSize()).hasValue(3);
    }

    /** 4.6 in the mean: 5 in line and 4 being served would be one worker more than there are. */
    @Test
    void examine_partOfAWorkerStandsInLine_numbersAgree() {
        PoolWindow window = Simulated.saturated(8, 0.001, 0.05)
                .stacks(BlockedOnIoTest.doing(Doing.WAITING_IN_LINE, 4.6))
                .build();
        assertThat(rule.examine(window).finding().orElseThrow().summary())
                .startsWith("4 of 8 workers stand in line ")
                .contains("serves 4 at a time");
    }

    /** The line is there whatever the CPUs do. */
    @Test
    void examine_workersStandInLineWhileOthersUseTheCpu_saysWhere() {
        PoolWindow window = Simulated.saturated(8, 0.001, 0.05)
                .process(2, 0.2, 0.02, 1)
                .stacks(BlockedOnIoTest.doing(Doing.WAITING_IN_LINE, 5.2))
                .build();
        assertThat(rule.examine(window).finding()).isPresent();
    }

    @Test
    void examine_nothingWaits_isSilent() {
        assertThat(rule.examine(Windows.of("orders").cpu(0.001).times(20)).finding())
                .isEmpty();
    }
}
