package io.lifeguard.pool.spring.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import io.lifeguard.pool.spring.LifeguardConnectionsAutoConfiguration;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** An R2DBC pool that is a bean is known, with the calls that wait for a connection. */
class R2dbcPoolsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LifeguardAutoConfiguration.class, LifeguardConnectionsAutoConfiguration.class));

    @Test
    void pool_allConnectionsInUse_showsWaitingCallsUntilTheContextEnds() {
        runner.withUserConfiguration(One.class).run(context -> {
            ConnectionPool pool = context.getBean(ConnectionPool.class);
            Lender lender = Neighbours.lender("ledger").orElseThrow();
            assertThat(lender.library()).isEqualTo("R2DBC");
            assertThat(lender.isOnStacks()).isFalse();
            assertThat(lender.capacity()).isEqualTo(2);
            assertThat(lender.inUse()).isZero();
            assertThat(lender.waiting()).isZero();
            assertThat(lender.setting()).isEqualTo("maxSize of the ConnectionPoolConfiguration of the bean ledger");

            assertThat(pool.create().block(PATIENCE)).isNotNull();
            assertThat(pool.create().block(PATIENCE)).isNotNull();
            Disposable third = pool.create().subscribe();

            assertThat(lender.inUse()).isEqualTo(2);
            assertThat(lender.waiting()).isEqualTo(1);
            third.dispose();
        });
        assertThat(Neighbours.lenders()).noneMatch(lender -> lender.library().equals("R2DBC"));
    }

    /** Boot's own method needs a driver, so this is one of the same kind. */
    @Test
    void pool_ofSpringBoot_hasItsProperty() {
        String configuration = "org.springframework.boot.r2dbc.ConnectionFactoryConfigurations";
        GenericBeanDefinition pool = new GenericBeanDefinition();
        pool.setFactoryBeanName(configuration);
        pool.setFactoryMethodName("ledger");
        runner.withInitializer(context -> {
                    DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
                    beans.registerSingleton(configuration, new One());
                    beans.registerBeanDefinition("connectionFactory", pool);
                })
                .run(context -> assertThat(Neighbours.lender("connectionFactory")
                                .orElseThrow()
                                .setting())
                        .isEqualTo("spring.r2dbc.pool.max-size"));
    }

    @Test
    void pool_libraryIsAbsent_isNotKnown() {
        runner.withClassLoader(new FilteredClassLoader("io.r2dbc"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(R2dbcPools.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class One {
        @Bean
        ConnectionPool ledger() {
            return new ConnectionPool(ConnectionPoolConfiguration.builder(new Database())
                    .initialSize(0)
                    .maxSize(2)
                    .build());
        }
    }

    /** A database whose connections do nothing. */
    private static final class Database implements ConnectionFactory {
        @Override
        public Publisher<? extends Connection> create() {
            return Mono.just((Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (connection, method, arguments) -> method.getReturnType() == Publisher.class
                            ? Mono.empty()
                            : method.getReturnType() == boolean.class ? Boolean.TRUE : null));
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return () -> "nothing";
        }
    }
}
