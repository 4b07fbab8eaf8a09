package io.lifeguard.pool.spring.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.concurrent.ConcurrentTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The executors of the application are watched and otherwise unchanged. */
class PoolWatcherTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(TaskExecutionAutoConfiguration.class, LifeguardAutoConfiguration.class));

    private static List<String> watched() {
        return PoolMonitor.global().pools().stream().map(InstrumentedPool::name).toList();
    }

    @Test
    void executors_ofAllKinds_areWatchedUnderTheirBeanNames() {
        runner.withUserConfiguration(AllKinds.class).run(context -> {
            assertThat(watched()).contains("kindTask", "kindScheduler", "kindRaw", "kindService", "kindForkJoin");
            assertThat(context.getBean("kindTask").getClass()).isEqualTo(ThreadPoolTaskExecutor.class);
            assertThat(context.getBean("kindRaw").getClass()).isEqualTo(ThreadPoolExecutor.class);
            assertThat(context.getBean("kindRaw")).isSameAs(AllKinds.RAW.get(0));
            assertThat(context).doesNotHaveBean("applicationTaskExecutor"); // as without us
        });
    }

    @Test
    void executors_ofTheApplicationAndDeclared_sayHowTheyAreSet() {
        runner.withUserConfiguration(AllKinds.class)
                .withPropertyValues("lifeguard.pools.keyed.size=2")
                .run(context -> {
                    assertThat(context).hasBean("keyed");
                    assertThat(context.getBean("keyed")).isInstanceOf(InstrumentedPool.class);
                    assertThat(Neighbours.settingOf("keyed"))
                            .hasValue(new Neighbours.Setting(
                                    "lifeguard.pools.keyed.size",
                                    "lifeguard.pools.keyed.queue-capacity",
                                    "lifeguard.pools.keyed.when-saturated",
                                    ""));
                    assertThat(Neighbours.settingOf("kindTask"))
                            .hasValue(new Neighbours.Setting(
                                    "setCorePoolSize and setMaxPoolSize of the bean kindTask",
                                    "setQueueCapacity of the bean kindTask",
                                    "setRejectedExecutionHandler of the bean kindTask",
                                    ""));
                });
    }

    @Test
    void executor_lazy_isNotInitializedByWatching() {
        runner.withUserConfiguration(LazyOne.class).run(context -> {
            assertThat(context.getBeanFactory().containsSingleton("lazyRaw")).isFalse();
            assertThat(watched()).doesNotContain("lazyRaw");
            context.getBean("lazyRaw");
            assertThat(watched()).contains("lazyRaw");
        });
    }

    @Test
    void executor_proxied_isWatchedBehindTheProxy() {
        runner.withUserConfiguration(Proxied.class).run(context -> {
            assertThat(AopUtils.isAopProxy(context.getBean("proxiedRaw"))).isTrue();
            assertThat(watched()).contains("proxiedRaw");
        });
    }

    @Test
    void executor_excluded_isNotWatched() {
        runner.withUserConfiguration(Two.class)
                .withPropertyValues("lifeguard.watch.exclude=excludedOne")
                .run(context -> assertThat(watched()).contains("otherOne").doesNotContain("excludedOne"));
    }

    @Test
    void executors_watchingSwitchedOff_areNotWatched() {
        runner.withUserConfiguration(Off.class)
                .withPropertyValues("lifeguard.watch.beans=false")
                .run(context -> assertThat(watched()).doesNotContain("offTask", "offRaw"));
    }

    /** All threads have the same name: the default of Java, or of a library. */
    @Test
    void executors_withThreadsLikeOthers_areNotBlind() {
        runner.withUserConfiguration(Alike.class).run(context -> {
            ThreadPoolExecutor first = (ThreadPoolExecutor) context.getBean("alikeFirst");
            ThreadPoolExecutor second = (ThreadPoolExecutor) context.getBean("alikeSecond");
            first.prestartAllCoreThreads();
            second.prestartAllCoreThreads();
            Map<String, InstrumentedPool> pools = PoolMonitor.global().pools().stream()
                    .collect(Collectors.toMap(InstrumentedPool::name, pool -> pool, (one, other) -> other));
            assertThat(pools.get("alikeFirst").workers())
                    .hasSize(1)
                    .doesNotContainAnyElementsOf(pools.get("alikeSecond").workers());
            assertThat(PoolMonitor.blindness(pools.get("alikeFirst"))).isEmpty();
        });
    }

    @Test
    void executors_whosePoolIsHidden_areMentioned() {
        runner.withUserConfiguration(Hidden.class).run(context -> {
            assertThat(watched()).doesNotContain("hiddenClock", "hiddenWrapped", "hiddenOwn");
            Map<String, String> unseen = context.getBean(UnseenExecutors.class).all();
            assertThat(unseen.keySet()).containsExactlyInAnyOrder("hiddenClock", "hiddenWrapped", "hiddenOwn");
            assertThat(unseen.get("hiddenClock"))
                    .startsWith("its class java.util.concurrent.Executors$DelegatedScheduledExecutorService hides");
            assertThat(unseen.get("hiddenWrapped")).startsWith("its class java.util.concurrent.Executors$");
            assertThat(unseen.get("hiddenOwn")).endsWith("PoolWatcherTest$Inline is not known as a pool");
        });
    }

    /** A fork-join pool in a wrapper is watched, and not replaced. */
    @Test
    void executors_instrumentAllWrapsAForkJoinPool_isMentioned() {
        runner.withPropertyValues("lifeguard.instrument=all")
                .withUserConfiguration(WrappedForkJoin.class)
                .run(context -> {
                    assertThat(watched()).contains("wrappedForkJoin");
                    assertThat(context.getBean(UnseenExecutors.class).all())
                            .containsExactly(Map.entry(
                                    "wrappedForkJoin", "not instrumented, only watched: its pool is a ForkJoinPool"));
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Alike {
        @Bean
        ScheduledExecutorService alikeFirst() {
            return Executors.newScheduledThreadPool(1, body -> new Thread(body, "alike"));
        }

        @Bean
        ScheduledExecutorService alikeSecond() {
            return Executors.newScheduledThreadPool(1, body -> new Thread(body, "alike"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Hidden {
        @Bean
        ScheduledExecutorService hiddenClock() {
            return Executors.newSingleThreadScheduledExecutor();
        }

        /** Spring's wrapper has no lifecycle, so the bean inside ends the thread. */
        @Bean
        ConcurrentTaskExecutor hiddenWrapped(ScheduledExecutorService hiddenClock) {
            return new ConcurrentTaskExecutor(hiddenClock);
        }

        @Bean
        Inline hiddenOwn() {
            return new Inline();
        }

        @Bean(destroyMethod = "shutdown")
        ExecutorService instrumentedSingle() {
            return InstrumentedExecutors.newSingleThreadScheduledExecutor("instrumentedSingle");
        }
    }

    /** Runs tasks in the caller. */
    static class Inline extends AbstractExecutorService {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return true;
        }

        @Override
        public boolean isTerminated() {
            return true;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WrappedForkJoin {
        @Bean
        ConcurrentTaskExecutor wrappedForkJoin() {
            return new ConcurrentTaskExecutor(new ForkJoinPool(1));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Two {
        @Bean
        ExecutorService excludedOne() {
            return Executors.newFixedThreadPool(1);
        }

        @Bean
        ExecutorService otherOne() {
            return Executors.newFixedThreadPool(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Off {
        @Bean
        ThreadPoolTaskExecutor offTask() {
            return new ThreadPoolTaskExecutor();
        }

        @Bean
        ExecutorService offRaw() {
            return Executors.newFixedThreadPool(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AllKinds {
        static final List<ThreadPoolExecutor> RAW = new ArrayList<>();

        @Bean
        ThreadPoolTaskExecutor kindTask() {
            return new ThreadPoolTaskExecutor();
        }

        @Bean
        ThreadPoolTaskScheduler kindScheduler() {
            return new ThreadPoolTaskScheduler();
        }

        @Bean
        ThreadPoolExecutor kindRaw() {
            RAW.clear();
            RAW.add(new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()));
            return RAW.get(0);
        }

        @Bean
        ExecutorService kindService() {
            return Executors.newFixedThreadPool(2);
        }

        @Bean
        ForkJoinPool kindForkJoin() {
            return new ForkJoinPool(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyOne {
        @Bean
        @Lazy
        ExecutorService lazyRaw() {
            return Executors.newFixedThreadPool(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Proxied {
        @Bean
        ExecutorService proxiedRaw() {
            return Executors.newFixedThreadPool(1);
        }

        @Bean
        static BeanPostProcessor tracer() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    if (name.equals("proxiedRaw")) {
                        ProxyFactory proxy = new ProxyFactory(bean);
                        return proxy.getProxy();
                    }
                    return bean;
                }
            };
        }
    }
}
