package io.lifeguard.pool.spring.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A bad property fails the start. Boot's failure analysis names the key, the value, the origin, the bound and the
 * remedy.
 */
@ExtendWith(OutputCaptureExtension.class)
class BadPropertiesTest {

    private static ConfigurableApplicationContext start(Class<?> application, String... properties) {
        SpringApplication spring = new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(properties)
                .build();
        return spring.run();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lifeguard.enabled | maybe | Invalid boolean value 'maybe'",
                "lifeguard.window | 1ms | must be between 10ms and 10m",
                "lifeguard.log-reminder | 2d | must be between 1s and 1d",
                "lifeguard.metrics.percentiles | 0.5,1.5 | must be between 0 and 1",
                "lifeguard.metrics.kinds | 1001 | must be between 0 and 1000",
                "lifeguard.metrics.keep-after-termination | -1s | must be between 0s and 365d",
                "lifeguard.pools.orders.size | 0 | must be between 1 and 32767",
                "lifeguard.pools.orders.size | many | java.lang.NumberFormatException: For input string: \"many\"",
                "lifeguard.pools.orders.when-saturated | explode | No enum constant",
                "lifeguard.pools.orders.queue-capacity | -5 | must be between 0 and 2147483647",
                "lifeguard.pools.orders.max-wait | -1s | must be between 0s and 365d",
                "lifeguard.pools.orders.shutdown-wait | -1s | must be between 0s and 365d",
                "lifeguard.pools.orders.shutdown-wait | 400000d | must be between 0s and 365d",
                "lifeguard.pools.orders.task-decorator | lifeguardMonitorSetup | must name a bean of type Task",
                "lifeguard.pools.orders.task-decorator | nobody | must name a bean of type TaskDecorator: declare one",
                "lifeguard.endpoint.max-threads | 0 | must be between 1 and 10000",
                "lifeguard.endpoint.max-pools | 0 | must be between 1 and 10000",
                "lifeguard.endpoint.max-stack-depth | 0 | must be between 1 and 1000",
                "lifeguard.endpoint.max-pool-size | 0 | must be between 1 and 32767",
                "lifeguard.rules.cpu-satturated | false | must end with the id of a finding: blocked-on-io,",
                "lifeguard.thresholds.cpu-saturated.dealy | 1 | must end with the key of a threshold: blocked-on-io",
                "lifeguard.thresholds.cpu-throttled.share | 5 | must be between 0 and 1; the default is 0.05",
                "lifeguard.thresholds.stuck-task.first-seconds | -1 | must not be negative; the default is 600.0",
                "lifeguard.thresholds.cpu-saturated.delay | NaN | must be a finite number, for instance 0.25",
                "lifeguard.pools.orders | 16 | no value, but properties of its own: lifeguard.pools.orders.size=16",
                "lifeguard.watch | false | lifeguard.watch.beans, lifeguard.watch.web-server, lifeguard.watch.exclude",
                "lifeguard.pools.orders.sise | 3 | must be a property that exists: lifeguard.pools.orders.size,",
                "lifeguard.pools.order-mail.queue-capacity.x | 3 | exists: lifeguard.pools.order-mail.size,",
                "lifeguard.pools.a.b.size | 3 | must be a property that exists: lifeguard.pools.a.size,",
                "lifeguard.windows | 1s | exists: lifeguard.enabled, lifeguard.instrument, lifeguard.window, lifeguard.log-reminder,",
                "lifeguard.task-execution.enable | true | a property that exists: lifeguard.task-execution.enabled",
                "lifeguard.metrics.percentiles[1] | 0.5 | left unbound",
            })
    void start_badPropertyAlone_saysKeyValueOriginAndReason(
            String key, String value, String reason, CapturedOutput output) {
        assertThatThrownBy(() -> start(Application.class, key + "=" + value)).isInstanceOf(Exception.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("Property: " + key)
                .contains("Value: \"" + value + "\"")
                .contains("Origin: \"" + key + "\" from property source")
                .contains(reason)
                .contains("Action:");
    }

    @Test
    void start_maxWaitWithoutWaiting_saysWhichOfTheTwoToChange(CapturedOutput output) {
        assertThatThrownBy(() -> start(
                        Application.class,
                        "lifeguard.pools.orders.max-wait=5s",
                        "lifeguard.pools.orders.when-saturated=caller-runs"))
                .isInstanceOf(Exception.class);

        assertThat(output)
                .contains("Failed to bind properties under 'lifeguard.pools.orders'")
                .contains("max-wait must not be set with when-saturated=caller-runs (was 5000ms)")
                .contains("remove it, or choose when-saturated=wait");
    }

    @Test
    void start_healthStatusUp_saysWhatToChoose(CapturedOutput output) {
        assertThatThrownBy(() -> start(Application.class, "lifeguard.health.status=UP"))
                .isInstanceOf(Exception.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("lifeguard.health.status must name a status other than UP (was \"UP\"): choose DEGRADED");
    }

    @Test
    void start_valueOfSectionThatAlsoHasProperties_isRefused(CapturedOutput output) {
        assertThatThrownBy(() -> start(
                        Application.class, "lifeguard.pools.orders=16", "lifeguard.pools.orders.queue-capacity=4"))
                .isInstanceOf(BindException.class);

        assertThat(output).contains("lifeguard.pools.orders.size=16").contains("Origin:");
    }

    /** YAML writes the name alone; another source may add to it. */
    @Test
    void start_nameAloneAndProperty_isPoolWithThatProperty() {
        try (ConfigurableApplicationContext context =
                start(Application.class, "lifeguard.pools.orders=", "lifeguard.pools.orders.size=3")) {
            assertThat(context.getBean("orders", ThreadPoolExecutor.class).getCorePoolSize())
                    .isEqualTo(3);
        }
    }

    @Test
    void start_goodProperties_logsNoWarning(CapturedOutput output) {
        start(Application.class, "lifeguard.pools.orders.size=1").close();

        assertThat(output).doesNotContain(" WARN ");
    }

    @Test
    void start_idOfUsersRule_isAccepted() {
        start(OwnRule.class, "lifeguard.rules.too-blue=false").close();
        assertThatThrownBy(() -> start(OwnRule.class, "lifeguard.rules.too-red=false"))
                .hasStackTraceContaining("too-red");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LifeguardAutoConfiguration.class)
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LifeguardAutoConfiguration.class)
    static class OwnRule {
        @Bean
        Rule blue() {
            return new Rule() {
                @Override
                public Verdict examine(PoolWindow window) {
                    return Verdict.clear();
                }

                @Override
                public Set<String> ids() {
                    return Set.of("too-blue");
                }
            };
        }
    }
}
