package io.lifeguard.pool.spring.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.lifeguard.pool.diagnosis.window.Lender;
import io.lifeguard.pool.diagnosis.window.Neighbours;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import io.lifeguard.pool.spring.LifeguardConnectionsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Connection pools that are beans are known under their names and properties, and not started. */
class HikariPoolsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LifeguardAutoConfiguration.class, LifeguardConnectionsAutoConfiguration.class));

    @Test
    void dataSource_boundToProperties_isKnownWithThemUntilTheContextEnds() {
        runner.withUserConfiguration(Two.class)
                .withPropertyValues("app.db.hikari.maximum-pool-size=4", "app.db.hikari.pool-name=orders-db")
                .run(context -> {
                    Lender orders = Neighbours.lender("orders-db").orElseThrow();
                    assertThat(orders.library()).isEqualTo("HikariCP");
                    assertThat(orders.capacity()).isEqualTo(4);
                    assertThat(orders.inUse()).isZero();
                    assertThat(orders.waiting()).isZero();
                    assertThat(orders.setting()).isEqualTo("app.db.hikari.maximum-pool-size");
                    assertThat(Neighbours.lender("plain").orElseThrow().setting())
                            .isEqualTo("setMaximumPoolSize of the bean plain");
                    assertThat(context.getBean("orders", HikariDataSource.class).isRunning())
                            .isFalse();
                });
        assertThat(Neighbours.lenders()).isEmpty();
    }

    @Test
    void dataSource_disabledOrWithoutHikari_isNotKnown() {
        runner.withPropertyValues("lifeguard.enabled=false")
                .withUserConfiguration(Two.class)
                .run(context -> assertThat(Neighbours.lenders()).isEmpty());
        runner.withClassLoader(new FilteredClassLoader("com.zaxxer.hikari"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HikariPools.class));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties
    static class Two {
        @Bean
        @ConfigurationProperties("app.db.hikari")
        HikariDataSource orders() {
            return new HikariDataSource();
        }

        @Bean
        HikariDataSource plain() {
            return new HikariDataSource();
        }
    }
}
