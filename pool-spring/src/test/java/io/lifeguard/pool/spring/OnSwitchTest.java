package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What is switched on and off as a whole. */
class OnSwitchTest {

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
                        .hasBean("lifeguardDeclaredPools")
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
                        .hasBean("lifeguardDeclaredPools")
                        .hasSingleBean(ThreadPoolsEndpoint.class)
                        .doesNotHaveBean("lifeguardPoolMetrics")
                        .doesNotHaveBean("lifeguardWebServerPools")
                        .doesNotHaveBean("threadpoolsHealthIndicator"));
        all(value)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("lifeguardDeclaredPools")
                        .doesNotHaveBean(ThreadPoolsEndpoint.class));
    }

    @Test
    void health_byDefault_isOff() {
        runner.run(context ->
                assertThat(context).hasBean("lifeguardPoolMetrics").doesNotHaveBean("threadpoolsHealthIndicator"));
    }

    @Test
    void configuration_excluded_takesAllTheOthersWithIt() {
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

    /** What a parent has is no reason for a child that wants nothing of it. */
    @Test
    void child_switchedOff_addsNothingToWhatItsParentHas() {
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
