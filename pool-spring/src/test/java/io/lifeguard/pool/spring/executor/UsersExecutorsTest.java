package io.lifeguard.pool.spring.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.scheduling.concurrent.ConcurrentTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolExecutorFactoryBean;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** Executors of the application are watched and otherwise unchanged, whichever way their beans are declared. */
class UsersExecutorsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(TaskExecutionAutoConfiguration.class, LifeguardAutoConfiguration.class));

    private static List<String> watched(String prefix) {
        return PoolMonitor.global().pools().stream()
                .map(InstrumentedPool::name)
                .filter(name -> name.startsWith(prefix))
                .sorted()
                .toList();
    }

    @Test
    void scopedProxy_isUnchangedAndItsTargetIsWatchedUnderTheProxysName() {
        runner.withUserConfiguration(Scoped.class).run(context -> {
            ThreadPoolTaskExecutor proxy = context.getBean("inAScope", ThreadPoolTaskExecutor.class);
            assertThat(AopUtils.isAopProxy(proxy)).isTrue();
            assertThat(watched("inAScope")).isEmpty(); // nothing is made for the sake of watching

            proxy.submit(() -> {}).get(10, TimeUnit.SECONDS);

            assertThat(watched("inAScope")).containsExactly("inAScope");
            assertThat(watched("scopedTarget")).isEmpty();
            proxy.shutdown();
        });
    }

    @Test
    void factoryBean_productIsWatched() {
        runner.withUserConfiguration(Factory.class).run(context -> {
            ExecutorService made = context.getBean("factored", ExecutorService.class);
            assertThat(made).isInstanceOf(ThreadPoolExecutor.class).isNotInstanceOf(InstrumentedPool.class);
            assertThat(made).isSameAs(context.getBean("factored"));
            assertThat(watched("factored")).containsExactly("factored");
        });
    }

    @Test
    void concurrentTaskExecutor_executorBehindItIsWatchedOnce() {
        runner.withUserConfiguration(Around.class).run(context -> {
            assertThat(context.getBean("aroundOne").getClass()).isEqualTo(ConcurrentTaskExecutor.class);
            assertThat(watched("around")).containsExactly("aroundOne", "aroundTwosPool");
        });
    }

    @Test
    void prototypes_areWatchedEach() {
        runner.withUserConfiguration(Prototype.class).run(context -> {
            ExecutorService one = context.getBean("prototyped", ExecutorService.class);
            ExecutorService two = context.getBean("prototyped", ExecutorService.class);
            assertThat(one).isNotSameAs(two);
            assertThat(watched("prototyped")).containsExactly("prototyped", "prototyped#2");
            one.shutdown();
            two.shutdown();
        });
    }

    @Test
    void primaryAndQualifiers_chooseAsWithoutLifeguard() {
        runner.withUserConfiguration(Several.class)
                .withPropertyValues("lifeguard.pools.declared.size=1")
                .run(context -> {
                    assertThat(context.getBean(Client.class).any()).isSameAs(context.getBean("chosenFirst"));
                    assertThat(context.getBean(Client.class).named()).isSameAs(context.getBean("chosenSecond"));
                    assertThat(context.getBean(ExecutorService.class)).isSameAs(context.getBean("chosenFirst"));
                });
    }

    @Test
    void destruction_hasTheSameOrderAsWithoutLifeguard() {
        List<List<String>> orders = new ArrayList<>();
        for (String enabled : List.of("true", "false")) {
            runner.withUserConfiguration(Ending.class)
                    .withPropertyValues("lifeguard.enabled=" + enabled)
                    .run(context -> {
                        List<String> ended = context.getBean(Ending.class).ended;
                        context.close();
                        orders.add(ended);
                    });
        }
        assertThat(orders.get(0)).isEqualTo(orders.get(1)).containsExactly("client", "first pool", "second pool");
    }

    @Test
    void executorThatThrowsWhenAskedForItsPool_doesNotPreventTheStart() {
        runner.withUserConfiguration(Reluctant.class)
                .run(context ->
                        assertThat(context).hasNotFailed().hasBean("reluctant").hasBean("besideTheReluctant"));
        assertThat(watched("reluctant")).isEmpty();
    }

    @Test
    void executorOfParentContext_isWatchedOnce() {
        runner.withUserConfiguration(OfParent.class)
                .run(parent -> runner.withParent(parent).run(child -> {
                    assertThat(child.getBean("ofTheParent")).isSameAs(parent.getBean("ofTheParent"));
                    assertThat(watched("ofTheParent")).containsExactly("ofTheParent");
                }));
    }

    @Configuration(proxyBeanMethods = false)
    static class Scoped {
        @Bean
        static CustomScopeConfigurer scope() {
            CustomScopeConfigurer scopes = new CustomScopeConfigurer();
            scopes.addScope("thread", new SimpleThreadScope());
            return scopes;
        }

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        ThreadPoolTaskExecutor inAScope() {
            return new ThreadPoolTaskExecutor();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Factory {
        @Bean
        ThreadPoolExecutorFactoryBean factored() {
            return new ThreadPoolExecutorFactoryBean();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Around {
        @Bean
        ConcurrentTaskExecutor aroundOne() {
            return new ConcurrentTaskExecutor(Executors.newFixedThreadPool(1));
        }

        @Bean
        ExecutorService aroundTwosPool() {
            return Executors.newFixedThreadPool(1);
        }

        @Bean
        ConcurrentTaskExecutor aroundTwo(ExecutorService pool) {
            return new ConcurrentTaskExecutor(pool);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototype {
        @Bean
        @Scope("prototype")
        ExecutorService prototyped() {
            return Executors.newFixedThreadPool(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfParent {
        @Bean
        ExecutorService ofTheParent() {
            return Executors.newFixedThreadPool(1);
        }
    }

    record Client(ExecutorService any, ExecutorService named) {}

    @Configuration(proxyBeanMethods = false)
    static class Several {
        @Bean
        @Primary
        ExecutorService chosenFirst() {
            return Executors.newFixedThreadPool(1);
        }

        @Bean
        ExecutorService chosenSecond() {
            return Executors.newFixedThreadPool(1);
        }

        @Bean
        Client client(ExecutorService any, @Qualifier("chosenSecond") ExecutorService named) {
            return new Client(any, named);
        }
    }

    /** Each bean is destroyed before the beans that it depends on. */
    @Configuration(proxyBeanMethods = false)
    static class Ending {
        final List<String> ended = new CopyOnWriteArrayList<>();

        @Bean
        ExecutorService secondPool() {
            return recording("second pool");
        }

        @Bean
        ExecutorService firstPool(@Qualifier("secondPool") ExecutorService needed) {
            return recording(needed.isShutdown() ? "never" : "first pool");
        }

        @Bean
        DisposableBean endingClient(@Qualifier("firstPool") ExecutorService needed) {
            return () -> ended.add(needed.isShutdown() ? "client, too late" : "client");
        }

        private ExecutorService recording(String name) {
            return new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
                @Override
                public void shutdown() {
                    ended.add(name);
                    super.shutdown();
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Reluctant {
        @Bean
        ThreadPoolTaskExecutor reluctant() {
            return new ThreadPoolTaskExecutor() {
                @Override
                public ThreadPoolExecutor getThreadPoolExecutor() {
                    throw new UnsupportedOperationException("on purpose");
                }
            };
        }

        @Bean
        ThreadPoolTaskExecutor besideTheReluctant() {
            return new ThreadPoolTaskExecutor();
        }
    }
}
