package io.lifeguard.pool.spring.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.Tasks;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Pools that are declared by properties. */
@ExtendWith(OutputCaptureExtension.class)
class DeclaredPoolsTest {

    private static final String SYSTEM_ENVIRONMENT = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(TaskExecutionAutoConfiguration.class, LifeguardAutoConfiguration.class));

    private static InstrumentedThreadPoolExecutor pool(AssertableApplicationContext context, String name) {
        return context.getBean(name, InstrumentedThreadPoolExecutor.class);
    }

    @Test
    void pool_everyProperty_isApplied() {
        runner.withPropertyValues(
                        "lifeguard.pools.orders.size=3",
                        "lifeguard.pools.orders.queue-capacity=7",
                        "lifeguard.pools.orders.when-saturated=wait",
                        "lifeguard.pools.orders.max-wait=200ms",
                        "lifeguard.pools.orders.thread-name-prefix=order-worker-",
                        "lifeguard.pools.orders.shutdown-wait=5s")
                .run(context -> {
                    InstrumentedThreadPoolExecutor pool = pool(context, "orders");

                    assertThat(pool.name()).startsWith("orders");
                    assertThat(pool.getCorePoolSize()).isEqualTo(3);
                    assertThat(pool.getMaximumPoolSize()).isEqualTo(3);
                    assertThat(pool.getQueue().remainingCapacity()).isEqualTo(7);
                    assertThat(pool.getRejectedExecutionHandler()).hasToString("BlockingWaitPolicy.upTo(PT0.2S)");
                    assertThat(pool.submit(() -> Thread.currentThread().getName())
                                    .get(10, TimeUnit.SECONDS))
                            .isEqualTo("order-worker-1");
                });
    }

    /** Tomcat's request threads are daemons. */
    @Test
    void pool_threadNamePrefixAndDaemonSubmitter_hasNoDaemonThreads() {
        runner.withPropertyValues("lifeguard.pools.a.size=1", "lifeguard.pools.b.thread-name-prefix=bee-")
                .run(context -> {
                    for (String name : List.of("a", "b")) {
                        CompletableFuture<Boolean> isDaemon = new CompletableFuture<>();
                        Thread request = new Thread(() -> pool(context, name)
                                .execute(() ->
                                        isDaemon.complete(Thread.currentThread().isDaemon())));
                        request.setDaemon(true);
                        request.start();
                        assertThat(isDaemon.get(10, TimeUnit.SECONDS)).as(name).isFalse();
                    }
                });
    }

    @Test
    void pool_oneProperty_hasDefaultsOtherwise() {
        runner.withPropertyValues("lifeguard.pools.orders.queue-capacity=1024").run(context -> {
            InstrumentedThreadPoolExecutor pool = pool(context, "orders");

            assertThat(pool.getCorePoolSize()).isEqualTo(Runtime.getRuntime().availableProcessors());
            assertThat(pool.getQueue().remainingCapacity()).isEqualTo(1024);
            assertThat(pool.getRejectedExecutionHandler()).isInstanceOf(BlockingWaitPolicy.class);
            assertThat(pool.submit(() -> Thread.currentThread().getName()).get(10, TimeUnit.SECONDS))
                    .isEqualTo("orders-1");
        });
    }

    @Test
    void pool_callerRunsOrAbort_hasTheJdksPolicy() {
        runner.withPropertyValues(
                        "lifeguard.pools.a.when-saturated=caller-runs", "lifeguard.pools.b.when-saturated=abort")
                .run(context -> {
                    assertThat(pool(context, "a").getRejectedExecutionHandler())
                            .isInstanceOf(ThreadPoolExecutor.CallerRunsPolicy.class);
                    assertThat(pool(context, "b").getRejectedExecutionHandler())
                            .isInstanceOf(ThreadPoolExecutor.AbortPolicy.class);
                });
    }

    @Test
    void pool_unboundedOrDirect_hasThatQueue() {
        runner.withPropertyValues("lifeguard.pools.a.queue-capacity=2147483647", "lifeguard.pools.b.queue-capacity=0")
                .run(context -> {
                    assertThat(pool(context, "a").getQueue().remainingCapacity())
                            .isEqualTo(Integer.MAX_VALUE);
                    assertThat(pool(context, "b").getQueue().remainingCapacity())
                            .isZero();
                });
    }

    @Test
    void pools_declared_areInjectedByQualifierAndUsedByAsync() {
        runner.withUserConfiguration(User.class)
                .withPropertyValues("lifeguard.pools.orders.size=1", "lifeguard.pools.mails.size=2")
                .run(context -> {
                    assertThat(context.getBean(Client.class).orders).isSameAs(pool(context, "orders"));
                    assertThat(context.getBean(Client.class).mails).isSameAs(pool(context, "mails"));
                    assertThat(context.getBean(User.class).where().get(10, TimeUnit.SECONDS))
                            .isEqualTo("mails-1");
                });
    }

    @Test
    void pools_declared_areNoDefaultCandidates() {
        runner.withPropertyValues("lifeguard.pools.orders.size=1").run(context -> {
            assertThat(context).hasBean("applicationTaskExecutor");
            assertThat(context.getBeanProvider(Executor.class).getIfUnique())
                    .isSameAs(context.getBean("applicationTaskExecutor"));
        });
    }

    @Test
    void pool_nameOfAnotherBean_failsTheStart() {
        runner.withUserConfiguration(Conflict.class)
                .withPropertyValues("lifeguard.pools.orders.size=1")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("lifeguard.pools.orders")
                        .hasStackTraceContaining("another bean (defined in"));
    }

    @Test
    void pool_nameOfAliasOrSpringBean_failsTheStart() {
        for (String name : List.of("second", "environment", "applicationEventMulticaster")) {
            runner.withUserConfiguration(Aliased.class)
                    .withPropertyValues("lifeguard.pools." + name + ".size=1")
                    .run(context -> assertThat(context)
                            .getFailure()
                            .hasMessageContaining("lifeguard.pools." + name.toLowerCase(Locale.ROOT))
                            .hasStackTraceContaining("another bean"));
        }
    }

    @Test
    void pool_overriddenByEnvironmentVariable_staysOnePool() {
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                SYSTEM_ENVIRONMENT,
                                new SystemEnvironmentPropertySource(
                                        SYSTEM_ENVIRONMENT, Map.of("LIFEGUARD_POOLS_ORDERMAIL_MAXWAIT", "7s"))))
                .withPropertyValues("lifeguard.pools.order-mail.size=3")
                .run(context -> {
                    assertThat(context.getBeanNamesForType(InstrumentedThreadPoolExecutor.class))
                            .containsExactly("order-mail");
                    assertThat(pool(context, "order-mail").getCorePoolSize()).isEqualTo(3);
                    assertThat(pool(context, "order-mail").getRejectedExecutionHandler())
                            .hasToString("BlockingWaitPolicy.upTo(PT7S)");
                });
    }

    @Test
    void pool_nameAlone_hasDefaults() {
        runner.withPropertyValues("lifeguard.pools.orders=")
                .run(context -> assertThat(pool(context, "orders").getQueue().remainingCapacity())
                        .isEqualTo(1024));
    }

    @Test
    void pool_decorators_areAppliedInOrderByDefault() {
        runner.withUserConfiguration(Decorators.class)
                .withPropertyValues("lifeguard.pools.orders.size=1")
                .run(context -> {
                    Decorators decorators = context.getBean(Decorators.class);
                    pool(context, "orders")
                            .submit(() -> decorators.seen.add("task"))
                            .get(10, TimeUnit.SECONDS);
                    assertThat(decorators.seen).containsExactly("first", "second", "task");
                });
    }

    @Test
    void pool_decorated_countsTasksUnderTheirOwnKinds() {
        runner.withUserConfiguration(Decorators.class)
                .withPropertyValues("lifeguard.pools.kinds.size=1")
                .run(context -> {
                    InstrumentedThreadPoolExecutor pool = pool(context, "kinds");
                    pool.execute(Tasks.named("import", () -> {}));
                    pool.submit(Tasks.named("export", () -> {})).get(10, TimeUnit.SECONDS);
                    await().untilAsserted(() -> assertThat(pool.snapshot().kinds())
                            .extracting(PoolSnapshot.TaskKind::name)
                            .containsExactlyInAnyOrder("import", "export"));
                });
    }

    @Test
    void pool_decoratorByNameOrNone_isAsNamed() {
        runner.withUserConfiguration(Decorators.class)
                .withPropertyValues(
                        "lifeguard.pools.one.task-decorator=second", "lifeguard.pools.nobody.task-decorator=none")
                .run(context -> {
                    Decorators decorators = context.getBean(Decorators.class);
                    pool(context, "one")
                            .submit(() -> decorators.seen.add("task"))
                            .get(10, TimeUnit.SECONDS);
                    pool(context, "nobody")
                            .submit(() -> decorators.seen.add("bare"))
                            .get(10, TimeUnit.SECONDS);
                    assertThat(decorators.seen).containsExactly("second", "task", "bare");
                });
    }

    @Test
    void stop_tasksRunningAndLate_areWaitedFor() {
        AtomicInteger done = new AtomicInteger();
        runner.withPropertyValues("lifeguard.pools.orders.size=1").run(context -> {
            InstrumentedThreadPoolExecutor pool = pool(context, "orders");
            CountDownLatch started = new CountDownLatch(1);
            Consumer<Runnable> submit = pool::execute;
            pool.execute(() -> {
                started.countDown();
                submit.accept(done::incrementAndGet); // late: while the context closes
                done.incrementAndGet();
            });
            pool.execute(done::incrementAndGet);
            assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
            context.close();
            assertThat(pool.isTerminated()).isTrue();
        });
        assertThat(done).hasValue(3);
    }

    @Test
    void stop_taskThatDoesNotEnd_isInterruptedAndLogged(CapturedOutput output) {
        CountDownLatch interrupted = new CountDownLatch(1);
        runner.withPropertyValues("lifeguard.pools.slow.size=1", "lifeguard.pools.slow.shutdown-wait=50ms")
                .run(context -> {
                    CountDownLatch started = new CountDownLatch(1);
                    pool(context, "slow").execute(() -> {
                        started.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException expected) {
                            interrupted.countDown();
                        }
                    });
                    assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
                });
        await().until(() -> interrupted.getCount() == 0);
        assertThat(output).contains("pool 'slow': shutdown-wait=50ms is over; interrupted running tasks: 1");
    }

    static class Client {
        final ExecutorService orders;
        final InstrumentedThreadPoolExecutor mails;

        Client(ExecutorService orders, InstrumentedThreadPoolExecutor mails) {
            this.orders = orders;
            this.mails = mails;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class User {
        @Bean
        Client client(
                @Qualifier("orders") ExecutorService orders, @Qualifier("mails") InstrumentedThreadPoolExecutor mails) {
            return new Client(orders, mails);
        }

        @Async("mails")
        public CompletableFuture<String> where() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Conflict {
        @Bean
        String orders() {
            return "mine";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Aliased {
        @Bean({"first", "second"})
        String first() {
            return "mine";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Decorators {
        final List<String> seen = new CopyOnWriteArrayList<>();

        @Bean
        @Order(2)
        TaskDecorator second() {
            return decorator("second");
        }

        @Bean
        @Order(1)
        TaskDecorator first() {
            return decorator("first");
        }

        private TaskDecorator decorator(String name) {
            return task -> () -> {
                seen.add(name);
                task.run();
            };
        }
    }
}
