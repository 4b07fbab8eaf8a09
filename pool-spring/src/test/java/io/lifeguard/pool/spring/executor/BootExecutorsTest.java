package io.lifeguard.pool.spring.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.aot.BeanInstanceSupplier;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.task.ThreadPoolTaskExecutorBuilder;
import org.springframework.boot.task.ThreadPoolTaskExecutorCustomizer;
import org.springframework.boot.task.ThreadPoolTaskSchedulerCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Boot's executors are instrumented, and otherwise work as Boot configures them. */
class BootExecutorsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TaskExecutionAutoConfiguration.class,
                    TaskSchedulingAutoConfiguration.class,
                    LifeguardAutoConfiguration.class));

    private static InstrumentedThreadPoolExecutor pool(ThreadPoolTaskExecutor executor) {
        assertThat(executor).isInstanceOf(InstrumentedThreadPoolTaskExecutor.class);
        return (InstrumentedThreadPoolExecutor) executor.getThreadPoolExecutor();
    }

    // ---- applicationTaskExecutor ----

    @Test
    void applicationTaskExecutor_byDefault_isInstrumentedUnderBootsNames() {
        runner.run(context -> {
            ThreadPoolTaskExecutor executor = context.getBean("applicationTaskExecutor", ThreadPoolTaskExecutor.class);

            assertThat(context).hasSingleBean(Executor.class);
            assertThat(context.getAliases("applicationTaskExecutor"))
                    .isEqualTo(aliasesWithoutLifeguard("applicationTaskExecutor"));
            assertThat(pool(executor).name()).startsWith("applicationTaskExecutor");
            assertThat(executor.submit(() -> Thread.currentThread().getName()).get(10, TimeUnit.SECONDS))
                    .startsWith("task-");
            await().until(() -> pool(executor).snapshot().completed() == 1);
            assertThat(pool(executor).snapshot().queueWait().isKnown()).isTrue();
        });
    }

    private String[] aliasesWithoutLifeguard(String bean) {
        String[][] aliases = new String[1][];
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .run(context -> aliases[0] = context.getAliases(bean));
        return aliases[0];
    }

    @Test
    void applicationTaskExecutor_everyProperty_worksAsInBoot() {
        String[] properties = {
            "spring.task.execution.pool.core-size=3",
            "spring.task.execution.pool.max-size=5",
            "spring.task.execution.pool.queue-capacity=7",
            "spring.task.execution.pool.keep-alive=11s",
            "spring.task.execution.pool.allow-core-thread-timeout=false",
            "spring.task.execution.pool.shutdown.accept-tasks-after-context-close=true",
            "spring.task.execution.shutdown.await-termination=true",
            "spring.task.execution.shutdown.await-termination-period=9s",
            "spring.task.execution.thread-name-prefix=mine-"
        };
        runner.withPropertyValues(properties).run(context -> {
            ThreadPoolTaskExecutor executor = context.getBean(ThreadPoolTaskExecutor.class);
            ThreadPoolExecutor pool = pool(executor);

            assertThat(pool.getCorePoolSize()).isEqualTo(3);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(5);
            assertThat(pool.getQueue().remainingCapacity()).isEqualTo(7);
            assertThat(pool.getKeepAliveTime(TimeUnit.SECONDS)).isEqualTo(11);
            assertThat(pool.allowsCoreThreadTimeOut()).isFalse();
            assertThat(executor.getThreadNamePrefix()).isEqualTo("mine-");
            assertThat(executor)
                    .extracting(
                            "acceptTasksAfterContextClose",
                            "waitForTasksToCompleteOnShutdown",
                            "awaitTerminationMillis")
                    .containsExactly(true, true, 9_000L);
        });
    }

    @Test
    void applicationTaskExecutor_unboundedByDefault_growsToCoreSizeAndTimesOut() {
        runner.run(context -> {
            ThreadPoolExecutor pool = pool(context.getBean(ThreadPoolTaskExecutor.class));

            assertThat(pool.getCorePoolSize()).isEqualTo(8);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(Integer.MAX_VALUE);
            assertThat(pool.getQueue().remainingCapacity()).isEqualTo(Integer.MAX_VALUE);
            assertThat(pool.allowsCoreThreadTimeOut()).isTrue();
        });
    }

    @Test
    void applicationTaskExecutor_decoratorAndCustomizer_areApplied() {
        runner.withUserConfiguration(Decorated.class).run(context -> {
            ThreadPoolTaskExecutor executor = context.getBean(ThreadPoolTaskExecutor.class);
            Decorated decorated = context.getBean(Decorated.class);

            executor.submit(() -> decorated.seen.add("task")).get(10, TimeUnit.SECONDS);

            assertThat(decorated.seen).containsExactly("before", "task");
            assertThat(executor.getMaxPoolSize()).isEqualTo(99);
        });
    }

    @Test
    void applicationTaskExecutor_isAsLazyAsInBoot() {
        List<Boolean> lazy = new CopyOnWriteArrayList<>();
        for (String enabled : List.of("true", "false")) {
            runner.withPropertyValues("lifeguard.enabled=" + enabled).run(context -> {
                lazy.add(context.getBeanFactory()
                        .getBeanDefinition("applicationTaskExecutor")
                        .isLazyInit());
                lazy.add(context.getBeanFactory().containsSingleton("applicationTaskExecutor"));
            });
        }
        assertThat(lazy.subList(0, 2)).isEqualTo(lazy.subList(2, 4));
        assertThat(lazy.get(0)).isTrue();
    }

    @Test
    void async_byDefault_runsOnTheInstrumentedPool() {
        runner.withUserConfiguration(AsyncUser.class).run(context -> {
            String thread = context.getBean(AsyncUser.class).where().get(10, TimeUnit.SECONDS);

            assertThat(thread).startsWith("task-");
            InstrumentedThreadPoolExecutor pool = pool(context.getBean(ThreadPoolTaskExecutor.class));
            await().until(() -> pool.snapshot().completed() == 1);
        });
    }

    @Test
    void applicationTaskExecutor_usersExecutor_backsOffAsInBoot() {
        runner.withUserConfiguration(OwnExecutor.class).run(context -> {
            assertThat(context).doesNotHaveBean("applicationTaskExecutor");
            assertThat(context.getBean(ExecutorService.class)).isNotInstanceOf(InstrumentedPool.class);
        });
    }

    @Test
    void applicationTaskExecutor_usersExecutorAndModeForce_isInstrumented() {
        runner.withUserConfiguration(OwnExecutor.class)
                .withPropertyValues("spring.task.execution.mode=force")
                .run(context -> pool(context.getBean("applicationTaskExecutor", ThreadPoolTaskExecutor.class)));
    }

    @Test
    void applicationTaskExecutor_usersBeanOfThatName_isLeftAlone() {
        runner.withUserConfiguration(OwnApplicationTaskExecutor.class).run(context -> {
            assertThat(context.getBean("applicationTaskExecutor").getClass()).isEqualTo(ThreadPoolTaskExecutor.class);
        });
    }

    @Test
    void applicationTaskExecutor_severalBuilders_isMadeByBootsChoice() {
        runner.withUserConfiguration(TwoBuilders.class).run(context -> {
            ThreadPoolTaskExecutor executor = context.getBean("applicationTaskExecutor", ThreadPoolTaskExecutor.class);
            pool(executor);
            assertThat(executor.getCorePoolSize()).isEqualTo(3);
        });
    }

    @Test
    void applicationTaskExecutor_switchedOff_isBootsOwn() {
        runner.withPropertyValues("lifeguard.task-execution.enabled=false")
                .run(context -> assertThat(
                                context.getBean("applicationTaskExecutor").getClass())
                        .isEqualTo(ThreadPoolTaskExecutor.class));
    }

    @Test
    void lifeguard_switchedOff_addsNothing() {
        runner.withPropertyValues("lifeguard.enabled=false").run(context -> {
            assertThat(context.getBean("applicationTaskExecutor").getClass()).isEqualTo(ThreadPoolTaskExecutor.class);
            assertThat(context).doesNotHaveBean(LifeguardAutoConfiguration.class);
        });
    }

    @Test
    void applicationTaskExecutor_lateTasksAfterClose_runAsInBoot() {
        CompletableFuture<String> late = new CompletableFuture<>();
        runner.withPropertyValues(
                        "spring.task.execution.pool.shutdown.accept-tasks-after-context-close=true",
                        "spring.task.execution.shutdown.await-termination=true",
                        "spring.task.execution.shutdown.await-termination-period=20s")
                .run(context -> {
                    AsyncTaskExecutor executor = context.getBean(AsyncTaskExecutor.class);
                    CountDownLatch closing = new CountDownLatch(1);
                    context.getSourceApplicationContext(
                                    org.springframework.context.support.GenericApplicationContext.class)
                            .addApplicationListener(event -> {
                                if (event instanceof org.springframework.context.event.ContextClosedEvent) {
                                    executor.execute(() -> late.complete("ran"));
                                    closing.countDown();
                                }
                            });
                    context.close();
                    assertThat(closing.getCount()).isZero();
                    assertThat(late.get(10, TimeUnit.SECONDS)).isEqualTo("ran");
                });
    }

    // ---- taskScheduler ----

    @Test
    void taskScheduler_withScheduling_isInstrumentedAndRunsTasks() {
        runner.withUserConfiguration(Scheduling.class)
                .withPropertyValues(
                        "spring.task.scheduling.pool.size=3", "spring.task.scheduling.thread-name-prefix=timer-")
                .run(context -> {
                    ThreadPoolTaskScheduler scheduler = context.getBean("taskScheduler", ThreadPoolTaskScheduler.class);

                    assertThat(scheduler).isInstanceOf(InstrumentedThreadPoolTaskScheduler.class);
                    ScheduledThreadPoolExecutor pool = scheduler.getScheduledThreadPoolExecutor();
                    assertThat(pool.getCorePoolSize()).isEqualTo(3);
                    Scheduling scheduling = context.getBean(Scheduling.class);
                    assertThat(scheduling.ran.await(10, TimeUnit.SECONDS)).isTrue();
                    assertThat(scheduling.threads).allMatch(name -> name.startsWith("timer-"));
                    await().until(() -> ((InstrumentedPool) pool).snapshot().completed() >= 1);
                });
    }

    @Test
    void taskScheduler_everyProperty_worksAsInBoot() {
        runner.withUserConfiguration(Scheduling.class)
                .withPropertyValues(
                        "spring.task.scheduling.pool.size=4",
                        "spring.task.scheduling.thread-name-prefix=clock-",
                        "spring.task.scheduling.shutdown.await-termination=true",
                        "spring.task.scheduling.shutdown.await-termination-period=7s")
                .run(context -> {
                    ThreadPoolTaskScheduler scheduler = context.getBean("taskScheduler", ThreadPoolTaskScheduler.class);

                    assertThat(scheduler).isInstanceOf(InstrumentedThreadPoolTaskScheduler.class);
                    assertThat(scheduler.getScheduledThreadPoolExecutor().getCorePoolSize())
                            .isEqualTo(4);
                    assertThat(scheduler.getThreadNamePrefix()).isEqualTo("clock-");
                    assertThat(scheduler)
                            .extracting("waitForTasksToCompleteOnShutdown", "awaitTerminationMillis")
                            .containsExactly(true, 7_000L);
                });
    }

    @Test
    void taskScheduler_decorated_decoratesEachRun() {
        runner.withUserConfiguration(Scheduling.class, Decorated.class).run(context -> {
            assertThat(context.getBean(Scheduling.class).ran.await(10, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(context.getBean(Decorated.class).seen).contains("before");
            assertThat(context.getBean("taskScheduler", ThreadPoolTaskScheduler.class)
                            .getThreadNamePrefix())
                    .isEqualTo("customized-");
        });
    }

    @Test
    void taskScheduler_withoutScheduling_isAbsent() {
        runner.run(context -> assertThat(context).doesNotHaveBean("taskScheduler"));
    }

    @Test
    void taskScheduler_switchedOff_isBootsOwn() {
        runner.withUserConfiguration(Scheduling.class)
                .withPropertyValues("lifeguard.task-scheduling.enabled=false")
                .run(context -> assertThat(context.getBean("taskScheduler").getClass())
                        .isEqualTo(ThreadPoolTaskScheduler.class));
    }

    /** Code that was generated ahead of time has a supplier in place of the name of Boot's method. */
    @Test
    void applicationTaskExecutor_definedByGeneratedCode_isInstrumented() throws Exception {
        Class<?> boots = Class.forName(
                "org.springframework.boot.autoconfigure.task.TaskExecutorConfigurations$TaskExecutorConfiguration");
        RootBeanDefinition generated = new RootBeanDefinition(ThreadPoolTaskExecutor.class);
        generated.setInstanceSupplier(BeanInstanceSupplier.forFactoryMethod(
                boots, "applicationTaskExecutor", ThreadPoolTaskExecutorBuilder.class));
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            context.registerBean(ThreadPoolTaskExecutorBuilder.class, ThreadPoolTaskExecutorBuilder::new);
            context.registerBeanDefinition("applicationTaskExecutor", generated);
            context.registerBean(BootExecutors.class, BootExecutors::new);
            context.refresh();

            assertThat(context.getBean("applicationTaskExecutor"))
                    .isInstanceOf(InstrumentedThreadPoolTaskExecutor.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Decorated {
        final List<String> seen = new CopyOnWriteArrayList<>();

        @Bean
        TaskDecorator decorator() {
            return task -> () -> {
                seen.add("before");
                task.run();
            };
        }

        @Bean
        ThreadPoolTaskExecutorCustomizer customizer() {
            return executor -> executor.setMaxPoolSize(99);
        }

        @Bean
        ThreadPoolTaskSchedulerCustomizer schedulerCustomizer() {
            return scheduler -> scheduler.setThreadNamePrefix("customized-");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class AsyncUser {
        @Async
        public CompletableFuture<String> where() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {
        final CountDownLatch ran = new CountDownLatch(2);
        final List<String> threads = new CopyOnWriteArrayList<>();

        @Scheduled(fixedDelay = 5)
        void tick() {
            threads.add(Thread.currentThread().getName());
            ran.countDown();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoBuilders {
        @Bean
        ThreadPoolTaskExecutorBuilder threadPoolTaskExecutorBuilder() {
            return new ThreadPoolTaskExecutorBuilder().corePoolSize(3);
        }

        @Bean
        ThreadPoolTaskExecutorBuilder another() {
            return new ThreadPoolTaskExecutorBuilder().corePoolSize(4);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnExecutor {
        @Bean
        ExecutorService mine() {
            return Executors.newSingleThreadExecutor();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnApplicationTaskExecutor {
        @Bean
        ThreadPoolTaskExecutor applicationTaskExecutor() {
            return new ThreadPoolTaskExecutor();
        }
    }
}
