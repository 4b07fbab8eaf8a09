package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A bad value fails at start-up with an analysis that names the key, the value, the bound and the remedy. */
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
                "lifeguard.enabled=maybe | lifeguard.enabled must be true or false (was maybe)",
                "lifeguard.window=1ms | lifeguard.window must be between 10ms and 10m (was 1ms)",
                "lifeguard.log-reminder=2d | lifeguard.log-reminder must be between 1s and 1d (was 2d)",
                "lifeguard.pools.orders.size=0 | lifeguard.pools.orders.size must be between 1 and 32767 (was 0)",
                "lifeguard.pools.orders.queue-capacity=-5 | lifeguard.pools.orders.queue-capacity must be at least 0 (was -5)",
                "lifeguard.pools.orders.max-wait=-1s | lifeguard.pools.orders.max-wait must not be negative (was -1s)",
                "lifeguard.pools.orders.shutdown-wait=-1s | lifeguard.pools.orders.shutdown-wait must not be negative (was -1s)",
                "lifeguard.pools.orders.shutdown-wait=400000d | lifeguard.pools.orders.shutdown-wait must be at most 365d (was 400000d)",
                "lifeguard.pools.orders.task-decorator=lifeguardDeclaredPools | lifeguard.pools.orders.task-decorator must name a bean of type TaskDecorator (was \"lifeguardDeclaredPools\")",
                "lifeguard.pools.orders.task-decorator=nobody | lifeguard.pools.orders.task-decorator must name a bean of type TaskDecorator (was \"nobody\")",
                "lifeguard.endpoint.max-threads=0 | lifeguard.endpoint.max-threads must be between 1 and 10000 (was 0)",
                "lifeguard.endpoint.max-pools=0 | lifeguard.endpoint.max-pools must be between 1 and 10000 (was 0)",
                "lifeguard.endpoint.max-stack-depth=0 | lifeguard.endpoint.max-stack-depth must be between 1 and 1000 (was 0)",
                "lifeguard.endpoint.max-pool-size=0 | lifeguard.endpoint.max-pool-size must be between 1 and 32767 (was 0)",
                "lifeguard.health.status=UP | lifeguard.health.status must name a status other than UP (was \"UP\")",
                "lifeguard.rules.cpu-satturated=false | lifeguard.rules.cpu-satturated must end with the id of a finding (was false)",
                "lifeguard.thresholds.cpu-saturated.dealy=1 | lifeguard.thresholds.cpu-saturated.dealy must end with the key of a threshold (was 1.0)",
                "lifeguard.thresholds.cpu-throttled.share=5 | lifeguard.thresholds.cpu-throttled.share must be between 0 and 1 (was 5.0)",
                "lifeguard.thresholds.stuck-task.first-seconds=-1 | lifeguard.thresholds.stuck-task.first-seconds must not be negative (was -1.0)",
                "lifeguard.thresholds.cpu-saturated.delay=NaN | lifeguard.thresholds.cpu-saturated.delay must be a finite number (was NaN)",
            })
    void start_valueOutOfBounds_saysKeyValueBoundAndRemedy(String property, String said, CapturedOutput output) {
        assertThatThrownBy(() -> start(Application.class, property)).isInstanceOf(Exception.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(said)
                .contains("Action:")
                .containsPattern("Action:\\s+\\S+");
    }

    @Test
    void start_maxWaitWithoutWaiting_saysWhichOfTheTwoToChange(CapturedOutput output) {
        assertThatThrownBy(() -> start(
                        Application.class,
                        "lifeguard.pools.orders.max-wait=5s",
                        "lifeguard.pools.orders.when-saturated=caller-runs"))
                .isInstanceOf(Exception.class);

        assertThat(output)
                .contains("lifeguard.pools.orders.max-wait must not be set with when-saturated=caller-runs")
                .contains("(was 5s)")
                .contains("Remove it, or choose when-saturated=wait.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lifeguard.pools.orders.size=many | lifeguard.pools.orders.size",
                "lifeguard.pools.orders.when-saturated=explode | lifeguard.pools.orders.when-saturated",
                "lifeguard.metrics.percentiles[1]=0.5 | lifeguard.metrics.percentiles[1]",
            })
    void start_wrongType_saysTheKey(String property, String key, CapturedOutput output) {
        assertThatThrownBy(() -> start(Application.class, property)).isInstanceOf(Exception.class);

        assertThat(output).contains("APPLICATION FAILED TO START").contains(key);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lifeguard.pools.orders.sise=3 | (was 3), set in | lifeguard.pools.orders.size, lifeguard.pools.orders.queue-capacity, lifeguard.pools.orders.when-saturated,",
                "lifeguard.pools.order-mail.queue-capacity.x=3 | (was 3), set in | lifeguard.pools.order-mail.size, lifeguard.pools.order-mail.queue-capacity,",
                "lifeguard.windows=1s | (was 1s), set in | lifeguard.enabled, lifeguard.window, lifeguard.log-reminder, lifeguard.rules.*,",
                "lifeguard.task-execution.enable=true | (was true), set in | Remove it, or write one of lifeguard.task-execution.enabled.",
                "lifeguard.pools.a.b.size=3 | (was 3), set in | lifeguard.pools.a.size,",
            })
    void start_unknownKey_saysWhereItWasSetAndWhichKeysThereAre(
            String property, String said, String keys, CapturedOutput output) {
        String key = property.split("=")[0];
        refuses(
                property,
                output,
                key + " must be a property that exists, and there is none of this name " + said,
                keys);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lifeguard.pools.orders=16 | lifeguard.pools.orders must have no value, but properties of its own (was 16) | Write lifeguard.pools.orders.size=16 for a pool of 16 threads",
                "lifeguard.pools.orders=many | lifeguard.pools.orders must have no value, but properties of its own (was many) | Write lifeguard.pools.orders.size=16 for",
                "lifeguard.metrics=false | lifeguard.metrics must have no value, but properties of its own (was false) | lifeguard.metrics.enabled",
                "lifeguard.watch=false | lifeguard.watch must have no value, but properties of its own (was false) | Write one of lifeguard.watch.beans, lifeguard.watch.web-server, lifeguard.watch.exclude.",
            })
    void start_valueInPlaceOfASection_saysKeyValueAndWhatToWrite(
            String property, String said, String remedy, CapturedOutput output) {
        refuses(property, output, said, remedy);
    }

    private static void refuses(String property, CapturedOutput output, String... said) {
        assertThatThrownBy(() -> start(Application.class, property)).isInstanceOf(BadPropertyException.class);

        assertThat(output).contains("APPLICATION FAILED TO START").contains(said);
    }

    @Test
    void start_valueBesidePropertiesOfASection_isNotOverlooked(CapturedOutput output) {
        assertThatThrownBy(() -> start(
                        Application.class, "lifeguard.pools.orders=16", "lifeguard.pools.orders.queue-capacity=4"))
                .isInstanceOf(BadPropertyException.class);

        assertThat(output).contains("Write lifeguard.pools.orders.size=16").contains("set in");
    }

    @Test
    void start_everythingGood_warnsOfNothing(CapturedOutput output) {
        start(Application.class, "lifeguard.pools.orders.size=1").close();

        assertThat(output).doesNotContain(" WARN ");
    }

    @Test
    void start_unknownIdThatAnOwnRuleMayFind_isGood() {
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
