package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolDiagnosis;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PoolFullTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Rule rule = new PoolFull();

    private static Windows full() {
        return Windows.of("prices").size(8).busy(8).tasks(40).service(0.2).queued(90);
    }

    private static Breakdowns outside(double workers) {
        return Breakdowns.of(8)
                .error(0.8)
                .with(Doing.WAITING_OUTSIDE, workers, "com.example.Soap.price(Soap.java:9)", null);
    }

    @Test
    void examine_allBusyAndTasksWait_saysWhereTheWorkersAre() {
        Finding finding =
                rule.examine(full().doing(outside(6)).build()).finding().orElseThrow();

        assertThat(finding.summary())
                .isEqualTo(
                        "all 8 workers are busy and 90 tasks wait; where they are: 6 waiting for something outside at"
                                + " com.example.Soap.price(Soap.java:9), 2 unknown");
        assertThat(finding.severity()).isEqualTo(Severity.INFO);
        assertThat(finding.recommendedSize()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void examine_fullPool_isSaidWhateverTheBottleneck(Bottleneck bottleneck) {
        PoolWindow window =
                full().doing(Breakdowns.of(8)).bottleneck(bottleneck).build();

        assertThat(rule.examine(window).finding()).isPresent();
    }

    @Test
    void examine_nothingWaits_isClear() {
        assertThat(rule.examine(full().queued(0).doing(outside(8)).build())).isEqualTo(Verdict.clear());
    }

    /** A batch in a pool of the right size is full until it ends. */
    @Test
    void examine_poolDoesWhatTheCpusCan_isClear() {
        Windows batch = Windows.of("batch")
                .size(2)
                .busy(2)
                .tasks(100)
                .queued(900)
                .process(2, 1.95, 0, 0.98)
                .doing(Breakdowns.doing(Doing.COMPUTING, 2, 2))
                .bottleneck(Bottleneck.CPU);

        assertThat(rule.examine(batch.build())).isEqualTo(Verdict.clear());
        assertThat(rule.examine(batch.process(8, 1.95, 0, 0.3).build()).finding())
                .as("six CPUs are idle")
                .isPresent();
    }

    /** Clients wait for their answers, so no task queues, and the CPUs are others'. */
    @Test
    void examine_mostWaitInLineAndNoTaskQueues_isSaid() {
        Windows line = Windows.of("web").size(40).busy(38).queued(0);
        Finding finding = rule.examine(line.doing(Breakdowns.of(40).line(30, 8)).build())
                .finding()
                .orElseThrow();

        assertThat(finding.summary())
                .startsWith("most of 40 workers wait for what others of them hold; where they are: 30 queueing for"
                        + " java.util.concurrent.Semaphore@1a2b at " + Breakdowns.PLACE + ", 10 unknown");
        assertThat(rule.examine(line.doing(Breakdowns.of(40).line(15, 8)).build()))
                .isEqualTo(Verdict.clear());
    }

    // ---- with the other rules ----

    private final List<String> news = new ArrayList<>();
    private final PoolDiagnosis diagnosis = new PoolDiagnosis(new FindingListener() {
        @Override
        public void raised(Finding finding) {
            news.add("raised " + finding.id());
        }

        @Override
        public void ended(Finding finding, String why) {
            news.add("ended " + finding.id() + ": " + why);
        }

        @Override
        public void resolved(Finding finding) {
            news.add("resolved " + finding.id());
        }
    });

    /** Enters windows of one second in a row. */
    private void enter(Windows... inOrder) {
        PoolWindow last = Windows.history(inOrder);
        for (int i = last.windows() - 1; i >= 0; i--) {
            diagnosis.enter(last.parts(last.windows()).get(i), SECOND, true);
        }
    }

    /** Neither share is ever enough to decide, and every rule answers unknown. */
    @Test
    void enter_looksAlternateBetweenOutsideAndUnknown_isSaidWithinEightWindows() {
        Windows some = full().doing(outside(3));
        Windows none = full().doing(Breakdowns.of(8).taken(0));

        enter(some, none, some, none, some, none, some, none);

        assertThat(news).containsExactly("raised pool-full");
    }

    /** Growing would gain less than 1.2 times, so blocked-on-io is clear. */
    @Test
    void enter_growingWouldGainLittle_isSaid() {
        Windows nearlyFull = Windows.of("prices")
                .size(8)
                .busy(8)
                .tasks(157)
                .service(0.051)
                .cpu(0.0115)
                .system(1.8, 0, 300, 10)
                .process(2, 1.85, 0, 0.93)
                .queued(90)
                .doing(Breakdowns.of(8).with(Doing.WAITING_OUTSIDE, 6).with(Doing.COMPUTING, 2));

        enter(nearlyFull, nearlyFull, nearlyFull, nearlyFull, nearlyFull, nearlyFull);

        assertThat(news).containsExactly("raised pool-full");
    }

    @Test
    void enter_anotherFindingSaysWhy_isSilentAndEndsWhenItComesLater() {
        Windows lock = full().doing(Breakdowns.of(8).lock(7, "com.example.Orders@1a2b"));
        Windows unknown = full().doing(Breakdowns.of(8));

        enter(lock, lock, lock, lock, lock, lock, lock);
        assertThat(news).containsExactly("raised lock-contention");

        diagnosis.end("another test");
        news.clear();
        enter(unknown, unknown, unknown, unknown, unknown, lock, lock, lock);
        assertThat(news)
                .containsExactly(
                        "raised pool-full", "raised lock-contention", "ended pool-full: another finding says why");
    }
}
