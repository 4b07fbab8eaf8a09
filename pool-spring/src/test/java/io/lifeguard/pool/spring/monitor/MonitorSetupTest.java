package io.lifeguard.pool.spring.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Properties, and beans that are rules or listeners, take effect in the monitor until the context closes. */
class MonitorSetupTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LifeguardAutoConfiguration.class))
            .withUserConfiguration(Blue.class)
            .withPropertyValues(
                    "lifeguard.window=20ms", "lifeguard.pools.blue.size=1", "lifeguard.pools.blue.shutdown-wait=0s");

    private static List<String> ids() {
        return PoolMonitor.global().findings().stream()
                .map(Finding::id)
                .filter(id -> id.equals("too-blue"))
                .toList();
    }

    @Test
    void place_packageOfTheApplication_comesBeforeUnknownFrameworks() {
        StackTraceElement framework = new StackTraceElement("org.unknown.Flow", "step", "Flow.java", 402);
        StackTraceElement own = new StackTraceElement("net.shop.orders.Orders", "load", "Orders.java", 42);
        runner.withInitializer(
                        context -> AutoConfigurationPackages.register((BeanDefinitionRegistry) context, "net.shop.web"))
                .run(context -> assertThat(UserFrames.place(List.of(framework, own)))
                        .isEqualTo("net.shop.orders.Orders.load(Orders.java:42)"));
    }

    @Test
    void rulesAndListeners_asBeans_areUsedUntilTheContextCloses() {
        runner.run(context -> {
            Blue blue = context.getBean(Blue.class);
            await().untilAsserted(() -> assertThat(blue.raised).isNotEmpty());
            await().untilAsserted(
                            () -> assertThat(ids()).isNotEmpty()); // listeners hear of a finding before it is listed
            Finding finding = blue.raised.get(0);
            assertThat(finding.evidence()).containsEntry("limit", 0.5);
            assertThat(PoolMonitor.global().window()).isEqualTo(Duration.ofMillis(20));
            assertThat(PoolMonitor.global().windows(finding.pool())).isNotEmpty();
        });
        try (InstrumentedThreadPoolExecutorHandle after = new InstrumentedThreadPoolExecutorHandle()) {
            assertThat(after.name()).isNotNull();
            await().untilAsserted(() -> assertThat(ids()).isEmpty());
        }
    }

    @Test
    void threshold_relaxedKey_changesTheRulesThreshold() {
        runner.withPropertyValues("lifeguard.thresholds.too-blue.blue-limit=0.75")
                .run(context -> {
                    Blue blue = context.getBean(Blue.class);
                    await().untilAsserted(() -> assertThat(blue.raised)
                            .isNotEmpty()
                            .last()
                            .satisfies(finding -> assertThat(finding.evidence()).containsEntry("limit", 0.75)));
                });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void logReminder_oneSecond_isLoggedWithinTheDefaultMinute(CapturedOutput output) {
        runner.withPropertyValues("lifeguard.log-reminder=1s")
                .run(context -> await().untilAsserted(
                                () -> assertThat(output).containsPattern("pool 'blue[^']*': seen in .*\\[too-blue]")));
    }

    @Test
    void blackBoxDirectory_criticalFinding_isWrittenThere(@TempDir Path directory) {
        runner.withPropertyValues("lifeguard.black-box.directory=" + directory).run(context -> {
            context.getBean(Blue.class).severity = Severity.CRITICAL;
            await().untilAsserted(() -> assertThat(directory).isDirectoryContaining("glob:**/lifeguard-*.jfr"));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"too-blue", "tooblue"}) // the latter is all that an environment variable can say
    void rule_switchedOff_findsNothing(String id) {
        runner.withPropertyValues("lifeguard.rules." + id + "=off").run(context -> {
            Blue blue = context.getBean(Blue.class);
            String pool = context.getBean("blue", InstrumentedThreadPoolExecutor.class)
                    .name();
            await().until(() -> PoolMonitor.global().windows(pool).size() > 20);
            assertThat(blue.raised).isEmpty();
        });
    }

    /** Keeps the monitor's thread alive. */
    private static final class InstrumentedThreadPoolExecutorHandle implements AutoCloseable {
        private final InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("after").size(1).build();

        String name() {
            return pool.name();
        }

        @Override
        public void close() {
            pool.shutdown();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Blue {
        final List<Finding> raised = new CopyOnWriteArrayList<>();
        volatile Severity severity = Severity.WARNING;

        /** A monitor without CPU time leaves pools without tasks unjudged. */
        @Bean
        InitializingBean task(@Qualifier("blue") InstrumentedThreadPoolExecutor pool) {
            return () -> pool.execute(() -> {
                try {
                    new CountDownLatch(1).await(); // until the context closes
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        @Bean
        Rule tooBlue() {
            Threshold limit = new Threshold("too-blue.blueLimit", 0.5, "how blue a pool may be");
            return new Rule() {
                @Override
                public Verdict examine(PoolWindow window) {
                    return Verdict.found(Finding.of("too-blue", window)
                            .severity(severity)
                            .summary("blue")
                            .advice("paint it")
                            .evidence("limit", window.threshold(limit))
                            .build());
                }

                @Override
                public Set<String> ids() {
                    return Set.of("too-blue");
                }

                @Override
                public Set<Threshold> thresholds() {
                    return Set.of(limit);
                }

                @Override
                public int windowsToRaise() {
                    return 1;
                }
            };
        }

        @Bean
        FindingListener listener() {
            return finding -> {
                if (finding.id().equals("too-blue")) {
                    raised.add(finding);
                }
            };
        }
    }
}
