package io.lifeguard.pool.corpus.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.Tasks;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.recording.Recorders;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The rules raise on the windows of a monitor once more what they raised in it. */
class JudgedAgainTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String POOL = "judged-again";

    @Test
    void findings_ofASickPool_areTheSame() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named(POOL).size(2).build();
        JudgedAgain again = new JudgedAgain();
        try (PoolMonitor monitor = PoolMonitor.builder()
                .window(Duration.ofMillis(100))
                .grace(Duration.ZERO)
                .threshold("stuck-task.seconds", 0.2)
                .threshold("stuck-task.firstSeconds", 0.2)
                .build()) {
            Recorders.of(monitor).windowListener(again);
            pool.execute(Tasks.named("stuck one", () -> {
                try {
                    assertThat(released.await(5, TimeUnit.MINUTES)).isTrue();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
            await().atMost(PATIENCE).until(() -> !monitor.findings(POOL).isEmpty());
            Finding live = monitor.findings(POOL).get(0);
            monitor.close();

            assertThat(again.windows()).isPositive();
            List<Finding> raised = again.findings().stream()
                    .filter(each -> each.pool().equals(POOL))
                    .toList();
            assertThat(raised).singleElement().satisfies(finding -> {
                assertThat(finding.id()).isEqualTo(live.id()).isEqualTo("stuck-task");
                assertThat(finding.severity()).isEqualTo(live.severity());
                assertThat(finding.advice()).isEqualTo(live.advice());
                assertThat(finding.evidence()).containsEntry("kind", "stuck one");
            });
        } finally {
            released.countDown();
            pool.shutdown();
            assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }
}
