package io.lifeguard.pool.spring.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import io.lifeguard.pool.spring.LifeguardConnectionsAutoConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.Ordered;

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

    /** Aspects are for the application, and the container destroys what is behind them. */
    @Test
    void dataSource_behindAProxy_isKnownUntilTheContextEnds() {
        runner.withUserConfiguration(Two.class, Proxying.class)
                .withPropertyValues("app.db.hikari.pool-name=orders-db")
                .run(context -> {
                    assertThat(AopUtils.isAopProxy(context.getBean("orders"))).isTrue();
                    assertThat(Neighbours.lender("orders-db")).isPresent();
                    assertThat(known()).hasSize(2);
                });
        assertThat(Neighbours.lenders()).isEmpty();
    }

    /** A scope may not tell of the end of a bean, and its proxy is no pool. */
    @Test
    void dataSource_ofAScope_isKnownOnceUntilTheContextEnds() {
        runner.withUserConfiguration(Scoped.class).run(context -> {
            context.getBean("scoped", HikariDataSource.class).setPoolName("scoped-db");
            assertThat(known()).extracting(Lender::name).containsExactly("scoped-db");
        });
        assertThat(Neighbours.lenders()).isEmpty();
    }

    /** Nobody tells of the end of a prototype, which must not be held by what it is known to. */
    @Test
    void dataSource_prototype_isNotHeld() {
        runner.withUserConfiguration(Prototype.class).run(context -> {
            assertThat(context.getBean("each")).isNotSameAs(context.getBean("each"));
            assertThat(known()).isEmpty();
        });
    }

    @Test
    void dataSource_disabledOrWithoutHikari_isNotKnown() {
        runner.withPropertyValues("lifeguard.enabled=false")
                .withUserConfiguration(Two.class)
                .run(context -> assertThat(Neighbours.lenders()).isEmpty());
        runner.withClassLoader(new FilteredClassLoader("com.zaxxer.hikari"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HikariPools.class));
    }

    private static List<Lender> known() {
        return Neighbours.lenders().stream()
                .filter(lender -> lender.library().equals("HikariCP"))
                .toList();
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

    @Configuration(proxyBeanMethods = false)
    static class Proxying {
        @Bean
        static BeanPostProcessor proxying() {
            return new Proxies();
        }
    }

    /** As those of Spring, in the middle of the order. */
    static class Proxies implements BeanPostProcessor, Ordered {
        @Override
        public int getOrder() {
            return 0;
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (!(bean instanceof HikariDataSource)) {
                return bean;
            }
            ProxyFactory proxy = new ProxyFactory(bean);
            proxy.setProxyTargetClass(true);
            return proxy.getProxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Scoped {
        @Bean
        static CustomScopeConfigurer scopes() {
            CustomScopeConfigurer scopes = new CustomScopeConfigurer();
            scopes.addScope("thread", new SimpleThreadScope());
            return scopes;
        }

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        HikariDataSource scoped() {
            return new HikariDataSource();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototype {
        @Bean
        @Scope("prototype")
        HikariDataSource each() {
            return new HikariDataSource();
        }
    }
}
