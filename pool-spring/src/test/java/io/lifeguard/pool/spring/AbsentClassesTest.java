package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.spring.endpoint.ThreadPoolsEndpoint;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application starts without the optional classes. */
class AbsentClassesTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TaskExecutionAutoConfiguration.class,
                    LifeguardAutoConfiguration.class,
                    LifeguardEndpointAutoConfiguration.class,
                    LifeguardHealthAutoConfiguration.class,
                    LifeguardMetricsAutoConfiguration.class,
                    LifeguardWebServerAutoConfiguration.class))
            .withPropertyValues(
                    "management.health.threadpools.enabled=true",
                    "management.endpoints.web.exposure.include=*",
                    "lifeguard.pools.bare.size=1");

    private void startsWithout(String... packages) {
        runner.withClassLoader(new FilteredClassLoader(packages)).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean("bare")).isInstanceOf(InstrumentedPool.class);
        });
    }

    @Test
    void start_withoutActuator_hasNeitherEndpointNorHealth() {
        String[] actuator = {"org.springframework.boot.actuate", "org.springframework.boot.health"};
        startsWithout(actuator);
        runner.withClassLoader(new FilteredClassLoader(actuator))
                .run(context -> assertThat(context)
                        .doesNotHaveBean("lifeguardThreadPoolsEndpoint")
                        .doesNotHaveBean("threadpoolsHealthIndicator")
                        .hasBean("lifeguardPoolMetrics"));
    }

    @Test
    void start_withoutMicrometer_hasNoMeters() {
        startsWithout("io.micrometer");
        runner.withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context)
                        .doesNotHaveBean("lifeguardPoolMetrics")
                        .hasBean("threadpoolsHealthIndicator"));
    }

    @Test
    void start_withoutServers_hasNoCustomizers() {
        String[] servers = {"org.apache.catalina", "org.apache.coyote", "org.apache.tomcat", "org.eclipse.jetty"};
        startsWithout(servers);
        runner.withClassLoader(new FilteredClassLoader(servers))
                .run(context -> assertThat(context)
                        .doesNotHaveBean("lifeguardTomcatCustomizer")
                        .doesNotHaveBean("lifeguardJettyCustomizer"));
    }

    @Test
    void start_withoutAllOfThem_works() {
        startsWithout(
                "org.springframework.boot.actuate",
                "org.springframework.boot.health",
                "io.micrometer",
                "org.apache.catalina",
                "org.apache.coyote",
                "org.apache.tomcat",
                "org.eclipse.jetty",
                "com.fasterxml.jackson",
                "tools.jackson");
    }

    @Test
    void start_monitorOff_makesPoolsAndWatchesNothing() {
        String before = System.getProperty(PoolMonitor.PROPERTY);
        System.setProperty(PoolMonitor.PROPERTY, "off");
        try {
            runner.run(context -> {
                assertThat(context).hasNotFailed();
                ThreadPoolsEndpoint endpoint = new ThreadPoolsEndpoint(
                        context.getBean(LifeguardProperties.class).endpoint(),
                        context.getBean(UnseenExecutors.class),
                        context);
                assertThat(endpoint.pools(null, null).toString()).contains("bare");
            });
        } finally {
            if (before == null) {
                System.clearProperty(PoolMonitor.PROPERTY);
            } else {
                System.setProperty(PoolMonitor.PROPERTY, before);
            }
        }
    }
}
