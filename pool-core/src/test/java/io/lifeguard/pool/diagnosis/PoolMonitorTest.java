package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The monitor with its thread and the real clock. */
class PoolMonitorTest {

    @Test
    void monitor_ruleThatAlwaysFinds_raisesAndResolvesWhenThePoolEnds() {
        Rule complains = window -> Optional.of(Finding.of("too-blue", window)
                .summary("%s is blue", window.pool())
                .advice("paint it")
                .build());
        try (Fixture fixture = new Fixture();
                PoolMonitor monitor = PoolMonitor.builder()
                        .window(Duration.ofMillis(10))
                        .onlyRules(List.of(complains))
                        .build()) {
            InstrumentedThreadPoolExecutor pool =
                    fixture.closing(InstrumentedThreadPoolExecutor.named("blue").build());

            await().until(() -> !monitor.findings(pool).isEmpty());
            assertThat(monitor.findings("blue")).extracting(Finding::summary).containsExactly("blue is blue");
            assertThat(monitor.findings()).containsAll(monitor.findings(pool));
            assertThat(monitor.windows("blue")).isNotEmpty();

            pool.shutdown();
            await().until(() -> monitor.findings("blue").isEmpty());
        }
    }
}
