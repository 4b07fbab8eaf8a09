package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.micrometer.InstrumentedPoolMetrics;
import io.lifeguard.pool.spring.endpoint.ThreadPoolsEndpoint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The properties that switch parts of Lifeguard on and off. */
class SwitchesTest {

    private static final String DECLARED_POOLS = "io.lifeguard.pool.spring.executor.DeclaredPools";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LifeguardAutoConfiguration.class,
                    LifeguardEndpointAutoConfiguration.class,
                    LifeguardHealthAutoConfiguration.class,
                    LifeguardMetricsAutoConfiguration.class,
                    LifeguardWebServerAutoConfiguration.class))
            .withPropertyValues("management.endpoints.web.exposure.include=*");

    private ApplicationContextRunner all(String value) {
        return runner.withPropertyValues(
                "lifeguard.enabled=" + value,
                "lifeguard.metrics.enabled=" + value,
                "lifeguard.watch.web-server=" + value,
                "management.health.threadpools.enabled=" + value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "TRUE", "on", "yes", "1"})
    void switches_on_areOn(String value) {
        all(value)
                .run(context -> assertThat(context)
                        .hasBean(DECLARED_POOLS)
                        .hasBean("lifeguardPoolMetrics")
                        .hasBean("lifeguardWebServerPools")
                        .hasBean("threadpoolsHealthIndicator"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0"})
    void switches_off_areOff(String value) {
        all(value)
                .withPropertyValues("lifeguard.enabled=true")
                .run(context -> assertThat(context)
                        .hasBean(DECLARED_POOLS)
                        .hasSingleBean(ThreadPoolsEndpoint.class)
                        .doesNotHaveBean("lifeguardPoolMetrics")
                        .doesNotHaveBean("lifeguardWebServerPools")
                        .doesNotHaveBean("threadpoolsHealthIndicator"));
        all(value)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(DECLARED_POOLS)
                        .doesNotHaveBean(ThreadPoolsEndpoint.class));
    }

    @Test
    void health_byDefault_isOff() {
        runner.run(context ->
                assertThat(context).hasBean("lifeguardPoolMetrics").doesNotHaveBean("threadpoolsHealthIndicator"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void openTelemetryNames_areMetersOnRequest(boolean isOn) {
        runner.withPropertyValues("lifeguard.pools.named.size=1", "lifeguard.metrics.open-telemetry-names=" + isOn)
                .run(context -> {
                    SimpleMeterRegistry registry = new SimpleMeterRegistry();
                    context.getBean(InstrumentedPoolMetrics.class).bindTo(registry);

                    assertThat(registry.find("executor.pool.size")
                                    .tag("name", "named")
                                    .meters())
                            .hasSize(1);
                    assertThat(registry.find("jvm.executor.thread.core")
                                    .tag("jvm.executor.name", "named")
                                    .meters())
                            .hasSize(isOn ? 1 : 0);
                });
    }

    @Test
    void mainConfiguration_excluded_switchesAllOthersOff() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LifeguardEndpointAutoConfiguration.class,
                        LifeguardHealthAutoConfiguration.class,
                        LifeguardMetricsAutoConfiguration.class,
                        LifeguardWebServerAutoConfiguration.class))
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=*", "management.health.threadpools.enabled=true")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(ThreadPoolsEndpoint.class)
                        .doesNotHaveBean("lifeguardPoolMetrics")
                        .doesNotHaveBean("lifeguardWebServerPools")
                        .doesNotHaveBean("threadpoolsHealthIndicator"));
    }

    /** The beans of a parent context must not switch on a child that is switched off. */
    @Test
    void child_switchedOff_addsNoBeans() {
        runner.run(parent -> runner.withParent(parent)
                .withPropertyValues("lifeguard.enabled=false")
                .run(child -> {
                    assertThat(child).hasNotFailed();
                    assertThat(child.getBeanFactory().containsLocalBean("lifeguardPoolMetrics"))
                            .isFalse();
                    assertThat(child.getBeanFactory().containsLocalBean("lifeguardWebServerPools"))
                            .isFalse();
                }));
    }
}
