package io.lifeguard.pool.spring.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.scheduling.concurrent.ConcurrentTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** With {@code lifeguard.instrument=all} the application's own executors measure, and are otherwise unchanged. */
class InstrumentAllTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TaskExecutionAutoConfiguration.class,
                    TaskSchedulingAutoConfiguration.class,
                    LifeguardAutoConfiguration.class));

    private final ApplicationContextRunner all = runner.withPropertyValues("lifeguard.instrument=all");

    private static boolean isInstrumented(ThreadPoolTaskExecutor bean) {
        return bean.getThreadPoolExecutor() instanceof InstrumentedPool;
    }

    @Test
    void executor_all_keepsSizesQueuePolicyFactoryAndHooks() {
        all.withUserConfiguration(Own.class).run(context -> {
            ThreadPoolTaskExecutor bean = context.getBean("shipping", ThreadPoolTaskExecutor.class);
            ThreadPoolExecutor pool = bean.getThreadPoolExecutor();

            assertThat(pool).isInstanceOf(InstrumentedPool.class);
            assertThat(((InstrumentedPool) pool).name()).isEqualTo("shipping");
            assertThat(bean.getClass()).isEqualTo(Hooked.class);
            assertThat(pool.getCorePoolSize()).isEqualTo(2);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(3);
            assertThat(pool.getKeepAliveTime(TimeUnit.SECONDS)).isEqualTo(7);
            assertThat(pool.allowsCoreThreadTimeOut()).isTrue();
            assertThat(pool.getQueue().remainingCapacity()).isEqualTo(5);
            assertThat(pool.getRejectedExecutionHandler()).isInstanceOf(ThreadPoolExecutor.CallerRunsPolicy.class);

            List<String> seen = context.getBean(Own.class).seen;
            bean.submit(() -> seen.add(Thread.currentThread().getName())).get(10, TimeUnit.SECONDS);
            await().until(() -> seen.size() == 4);
            assertThat(seen).containsExactly("before", "decorated", "ship-1", "after");
            assertThat(bean.getActiveCount()).isZero();
            assertThat(((InstrumentedPool) pool).snapshot().serviceTime().count())
                    .isEqualTo(1);
            bean.setCorePoolSize(1);
            assertThat(pool.getCorePoolSize()).isEqualTo(1);
        });
    }

    @Test
    void executor_prestarted_isReplacedAndPrestarted() {
        all.withUserConfiguration(Prestarted.class).run(context -> {
            ThreadPoolTaskExecutor bean = context.getBean("prestarted", ThreadPoolTaskExecutor.class);

            assertThat(isInstrumented(bean)).isTrue();
            assertThat(bean.getThreadPoolExecutor().getPoolSize()).isEqualTo(2);
            await().until(() -> Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().startsWith("prestarted-thread-"))
                            .count()
                    == 2);
        });
    }

    @Test
    void scheduler_all_keepsPoliciesAndRuns() {
        all.withUserConfiguration(OwnScheduler.class).run(context -> {
            ThreadPoolTaskScheduler bean = context.getBean("reports", ThreadPoolTaskScheduler.class);
            ScheduledThreadPoolExecutor pool = bean.getScheduledThreadPoolExecutor();
            CountDownLatch runs = new CountDownLatch(2);

            assertThat(pool).isInstanceOf(InstrumentedPool.class);
            assertThat(pool.getRemoveOnCancelPolicy()).isTrue();
            assertThat(pool.getCorePoolSize()).isEqualTo(2);
            bean.scheduleAtFixedRate(runs::countDown, Duration.ofMillis(1));
            assertThat(runs.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(((InstrumentedPool) pool).name()).isEqualTo("reports");
        });
    }

    @Test
    void close_replacedExecutor_waitsForItsTasks() {
        Future<?>[] task = new Future<?>[1];
        ThreadPoolExecutor[] pool = new ThreadPoolExecutor[1];
        CountDownLatch running = new CountDownLatch(1);
        all.withUserConfiguration(Waiting.class).run(context -> {
            ThreadPoolTaskExecutor bean = context.getBean("waiting", ThreadPoolTaskExecutor.class);
            pool[0] = bean.getThreadPoolExecutor();
            task[0] = bean.submit(() -> {
                running.countDown();
                TimeUnit.MILLISECONDS.sleep(100);
                return null;
            });
            running.await();
        });

        assertThat(pool[0]).isInstanceOf(InstrumentedPool.class);
        assertThat(pool[0].isTerminated()).isTrue();
        assertThat(task[0]).isDone().isNotCancelled();
        assertThat(Pools.find("waiting")).isEmpty();
    }

    @Test
    void stopAndStart_replacedExecutor_pausesAndResumes() {
        all.withUserConfiguration(Waiting.class).run(context -> {
            ThreadPoolTaskExecutor bean = context.getBean("waiting", ThreadPoolTaskExecutor.class);
            bean.stop();
            assertThat(bean.isRunning()).isFalse();
            Future<?> task = bean.submit(() -> {});
            bean.start();

            task.get(10, TimeUnit.SECONDS);
            assertThat(bean.isRunning()).isTrue();
        });
    }

    @Test
    void concurrentTaskExecutor_all_isReplacedAndEndsWithTheBean() {
        ThreadPoolExecutor[] pool = new ThreadPoolExecutor[1];
        all.withUserConfiguration(Wrappers.class).run(context -> {
            ConcurrentTaskExecutor alone = context.getBean("wrapsAlone", ConcurrentTaskExecutor.class);
            ConcurrentTaskExecutor shared = context.getBean("wrapsBean", ConcurrentTaskExecutor.class);
            pool[0] = (ThreadPoolExecutor) alone.getConcurrentExecutor();

            assertThat(alone.submit(() -> 42).get(10, TimeUnit.SECONDS)).isEqualTo(42);
            assertThat(pool[0]).isInstanceOf(InstrumentedPool.class);
            assertThat(shared.getConcurrentExecutor()).isSameAs(context.getBean("sharedPool"));
            assertThat(context.getBean(UnseenExecutors.class).all())
                    .containsEntry(
                            "wrapsBean",
                            "not instrumented, only watched: its pool is a bean, to which others may submit");
        });
        assertThat(pool[0].isShutdown()).isTrue();
    }

    /** Otherwise twice as many threads would run as the application wants. */
    @Test
    void concurrentTaskExecutors_ofOnePool_shareTheNewOneUntilTheLastIsDestroyed() {
        all.withUserConfiguration(TwoOfOne.class).run(context -> {
            ConcurrentTaskExecutor first = context.getBean("first", ConcurrentTaskExecutor.class);
            ConcurrentTaskExecutor second = context.getBean("second", ConcurrentTaskExecutor.class);
            ThreadPoolExecutor pool = (ThreadPoolExecutor) first.getConcurrentExecutor();

            assertThat(pool).isInstanceOf(InstrumentedPool.class).isSameAs(second.getConcurrentExecutor());
            context.getBeanFactory().destroyBean("first", first);
            assertThat(second.submit(() -> 42).get(10, TimeUnit.SECONDS)).isEqualTo(42);
            context.getBeanFactory().destroyBean("second", second);
            assertThat(pool.isShutdown()).isTrue();
        });
    }

    @Test
    void concurrentTaskExecutor_ofABeanOfTheParentOrAnExcludedBean_isLeft() {
        all.withUserConfiguration(SharedPool.class)
                .run(parent -> all.withParent(parent)
                        .withUserConfiguration(WrapsShared.class)
                        .run(context -> assertThat(context.getBean("wrapsBean", ConcurrentTaskExecutor.class)
                                        .getConcurrentExecutor())
                                .isSameAs(parent.getBean("sharedPool"))));
        all.withPropertyValues("lifeguard.watch.exclude=sharedPool")
                .withUserConfiguration(SharedPool.class, WrapsShared.class)
                .run(context -> assertThat(context.getBean("wrapsBean", ConcurrentTaskExecutor.class)
                                .getConcurrentExecutor())
                        .isSameAs(context.getBean("sharedPool")));
    }

    @Test
    void executor_thatCannotBeReplaced_isLeftAndTheReasonShown() {
        all.withUserConfiguration(Unusual.class).run(context -> {
            assertThat(isInstrumented(context.getBean("prioritised", ThreadPoolTaskExecutor.class)))
                    .isFalse();
            assertThat(isInstrumented(context.getBean("usedEarly", ThreadPoolTaskExecutor.class)))
                    .isFalse();
            assertThat(context.getBean(UnseenExecutors.class).all())
                    .containsEntry(
                            "prioritised",
                            "not instrumented, only watched: its queue is of the class "
                                    + PriorityBlockingQueue.class.getName())
                    .containsEntry(
                            "usedEarly", "not instrumented, only watched: its pool was used before the bean was ready")
                    .hasSize(2);
        });
    }

    /** Spring itself makes the lazy executors that have a lifecycle when the context starts. */
    @Test
    void executor_lazy_isReplacedWhenItIsMade() {
        all.withUserConfiguration(LazyOne.class).run(context -> {
            assertThat(Pools.find("lazyOne")).isEmpty();
            ConcurrentTaskExecutor made = context.getBean("lazyOne", ConcurrentTaskExecutor.class);
            assertThat(made.getConcurrentExecutor()).isInstanceOf(InstrumentedPool.class);
            assertThat(Pools.find("lazyOne")).isPresent();
        });
    }

    @Test
    void executor_behindAScopedProxy_isReplacedUnderTheProxysName() {
        all.withUserConfiguration(Scoped.class).run(context -> {
            ThreadPoolTaskExecutor proxy = context.getBean("inThread", ThreadPoolTaskExecutor.class);

            assertThat(AopUtils.isAopProxy(proxy)).isTrue();
            assertThat(proxy.getThreadPoolExecutor()).isInstanceOf(InstrumentedPool.class);
            assertThat(Pools.find("inThread")).isPresent();
            proxy.shutdown();
        });
    }

    @Test
    void executor_declaredOrNoneOrDisabledOrExcluded_isLeft() {
        for (String property : List.of(
                "lifeguard.instrument=declared",
                "lifeguard.instrument=none",
                "lifeguard.enabled=false",
                "lifeguard.watch.exclude=shipping")) {
            ApplicationContextRunner how = property.contains("exclude") ? all : runner;
            how.withPropertyValues(property).withUserConfiguration(Own.class).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(isInstrumented(context.getBean("shipping", ThreadPoolTaskExecutor.class)))
                        .as(property)
                        .isFalse();
            });
        }
    }

    @Test
    void bootsExecutor_none_isLeftAndDeclaredPoolsRemain() {
        runner.withPropertyValues("lifeguard.instrument=none", "lifeguard.pools.orders.size=1")
                .run(context -> {
                    assertThat(isInstrumented(context.getBean("applicationTaskExecutor", ThreadPoolTaskExecutor.class)))
                            .isFalse();
                    assertThat(context.getBean("orders")).isInstanceOf(InstrumentedPool.class);
                });
    }

    /** A subclass of the application, whose hooks stay in use. */
    static final class Hooked extends ThreadPoolTaskExecutor {
        private final transient List<String> seen;

        Hooked(List<String> seen) {
            this.seen = seen;
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            super.beforeExecute(thread, task);
            seen.add("before");
        }

        @Override
        protected void afterExecute(Runnable task, Throwable thrown) {
            super.afterExecute(task, thrown);
            seen.add("after");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {
        final List<String> seen = new CopyOnWriteArrayList<>();

        @Bean("shipping")
        ThreadPoolTaskExecutor ofAnotherName() {
            Hooked executor = new Hooked(seen);
            executor.setCorePoolSize(2);
            executor.setMaxPoolSize(3);
            executor.setQueueCapacity(5);
            executor.setKeepAliveSeconds(7);
            executor.setAllowCoreThreadTimeOut(true);
            executor.setThreadNamePrefix("ship-");
            executor.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
            executor.setTaskDecorator(task -> () -> {
                seen.add("decorated");
                task.run();
            });
            return executor;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Prestarted {
        @Bean
        ThreadPoolTaskExecutor prestarted() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setCorePoolSize(2);
            executor.setThreadNamePrefix("prestarted-thread-");
            executor.setPrestartAllCoreThreads(true);
            return executor;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnScheduler {
        @Bean
        ThreadPoolTaskScheduler reports() {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setPoolSize(2);
            scheduler.setRemoveOnCancelPolicy(true);
            return scheduler;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Waiting {
        @Bean
        ThreadPoolTaskExecutor waiting() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setWaitForTasksToCompleteOnShutdown(true);
            executor.setAwaitTerminationSeconds(10);
            return executor;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({SharedPool.class, WrapsShared.class})
    static class Wrappers {
        @Bean
        ConcurrentTaskExecutor wrapsAlone() {
            return new ConcurrentTaskExecutor(Executors.newFixedThreadPool(1));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SharedPool {
        @Bean
        ExecutorService sharedPool() {
            return Executors.newFixedThreadPool(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WrapsShared {
        @Bean
        ConcurrentTaskExecutor wrapsBean(ExecutorService sharedPool) {
            return new ConcurrentTaskExecutor(sharedPool);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoOfOne {
        private final ExecutorService pool = Executors.newFixedThreadPool(1);

        @Bean
        ConcurrentTaskExecutor first() {
            return new ConcurrentTaskExecutor(pool);
        }

        @Bean
        ConcurrentTaskExecutor second() {
            return new ConcurrentTaskExecutor(pool);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Unusual {
        @Bean
        ThreadPoolTaskExecutor prioritised() {
            return new ThreadPoolTaskExecutor() {
                @Override
                protected BlockingQueue<Runnable> createQueue(int capacity) {
                    return new PriorityBlockingQueue<>();
                }
            };
        }

        @Bean
        ThreadPoolTaskExecutor usedEarly() {
            return new ThreadPoolTaskExecutor() {
                @Override
                public void initialize() {
                    super.initialize();
                    execute(() -> {});
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyOne {
        @Bean
        @Lazy
        ConcurrentTaskExecutor lazyOne() {
            return new ConcurrentTaskExecutor(Executors.newFixedThreadPool(1));
        }
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
        ThreadPoolTaskExecutor inThread() {
            return new ThreadPoolTaskExecutor();
        }
    }
}
