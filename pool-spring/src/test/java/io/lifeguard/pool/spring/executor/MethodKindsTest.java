package io.lifeguard.pool.spring.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.PoolSnapshot.TaskKind;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Tasks of {@code @Async} and {@code @Scheduled} methods are counted under class and method. */
class MethodKindsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TaskExecutionAutoConfiguration.class,
                    TaskSchedulingAutoConfiguration.class,
                    LifeguardAutoConfiguration.class))
            .withPropertyValues("lifeguard.instrument=all", "lifeguard.pools.declared.size=1");

    private static Set<String> kindsOf(String pool) {
        return Pools.find(pool).orElseThrow().snapshot().kinds().stream()
                .map(TaskKind::name)
                .collect(Collectors.toSet());
    }

    private static void awaitKinds(String pool, String... methods) {
        Set<String> kinds = Set.of(methods).stream()
                .map(method -> Mail.class.getName() + '.' + method)
                .collect(Collectors.toSet());
        await().untilAsserted(() -> assertThat(kindsOf(pool)).containsAll(kinds));
    }

    @Test
    void asyncMethods_onEachInstrumentedExecutor_areKindsOfTheirOwn() {
        runner.withUserConfiguration(Async3.class).run(context -> {
            Mail mail = context.getBean(Mail.class);
            mail.send();
            mail.answer().join();
            mail.count().get();
            mail.onOwn();
            mail.onDeclared();

            awaitKinds("applicationTaskExecutor", "send", "answer", "count");
            awaitKinds("own", "onOwn");
            awaitKinds("declared", "onDeclared");
            assertThat(kindsOf("applicationTaskExecutor")).hasSize(3);
            assertThat(kindsOf("own")).hasSize(1);
        });
    }

    @Test
    void asyncMethods_withADecorator_areKindsOfTheirOwn() {
        runner.withUserConfiguration(Async3.class, Decorator.class).run(context -> {
            context.getBean(Mail.class).send();
            context.getBean(Mail.class).answer().join();

            awaitKinds("applicationTaskExecutor", "send", "answer");
            assertThat(kindsOf("applicationTaskExecutor")).hasSize(2);
        });
    }

    /** The executor runs the outer method in the caller, which then submits a task of its own. */
    @Test
    void asyncMethod_runByItsCaller_doesNotNameTheTasksItSubmits() {
        runner.withUserConfiguration(Async3.class).run(context -> {
            ThreadPoolTaskExecutor other = context.getBean("own", ThreadPoolTaskExecutor.class);
            context.getBean(Mail.class).inCaller(other);

            await().until(() -> !kindsOf("own").isEmpty());
            assertThat(kindsOf("own")).allMatch(kind -> kind.contains("Mail (lambda)"));
        });
    }

    @Test
    void scheduledMethods_areKindsOfTheirOwn() {
        runner.withUserConfiguration(Scheduling.class).run(context -> {
            await().untilAsserted(() -> assertThat(kindsOf("taskScheduler"))
                    .contains(
                            Reports.class.getName() + ".daily",
                            Reports.class.getName() + ".hourly",
                            Reports.class.getName() + ".now"));
            assertThat(kindsOf("taskScheduler")).hasSize(3);
        });
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void scheduledMethods_onVirtualThreads_areKindsOfTheirOwn() {
        runner.withPropertyValues("spring.threads.virtual.enabled=true")
                .withUserConfiguration(Scheduling.class)
                .run(context -> awaitScheduledOnVirtualThreads());
    }

    /** With a time-out, Spring wraps each task to keep track of it. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void scheduledMethods_onVirtualThreadsThatAreAwaited_areKindsOfTheirOwn() {
        runner.withPropertyValues(
                        "spring.threads.virtual.enabled=true",
                        "spring.task.scheduling.shutdown.await-termination=true",
                        "spring.task.scheduling.shutdown.await-termination-period=5s")
                .withUserConfiguration(Scheduling.class)
                .run(context -> awaitScheduledOnVirtualThreads());
    }

    /** The method with a fixed delay runs on Spring's own thread. */
    private static void awaitScheduledOnVirtualThreads() {
        await().untilAsserted(() -> assertThat(kindsOf("taskScheduler"))
                .containsExactlyInAnyOrder(Reports.class.getName() + ".daily", Reports.class.getName() + ".now"));
    }

    @Test
    void asyncMethods_onASchedulerOfTheApplication_areKindsOfTheirOwn() {
        runner.withUserConfiguration(OnScheduler.class).run(context -> {
            Calls calls = context.getBean(Calls.class);
            calls.first();
            calls.second();
            calls.third().join();

            String name = Calls.class.getName();
            await().untilAsserted(() -> assertThat(kindsOf("clock"))
                    .containsExactlyInAnyOrder(name + ".first", name + ".second", name + ".third"));
        });
    }

    static class Calls {
        @Async("clock")
        public void first() {}

        @Async("clock")
        public void second() {}

        @Async("clock")
        public CompletableFuture<Integer> third() {
            return CompletableFuture.completedFuture(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class OnScheduler {
        @Bean
        Calls calls() {
            return new Calls();
        }

        @Bean(defaultCandidate = false)
        ThreadPoolTaskScheduler clock() {
            return new ThreadPoolTaskScheduler();
        }
    }

    static class Mail {
        @Async
        public void send() {}

        @Async
        public CompletableFuture<Integer> answer() {
            return CompletableFuture.completedFuture(1);
        }

        @Async
        public Future<Integer> count() {
            return CompletableFuture.completedFuture(1);
        }

        @Async("own")
        public void onOwn() {}

        @Async("declared")
        public void onDeclared() {}

        @Async("inline")
        public void inCaller(ThreadPoolTaskExecutor other) {
            other.execute(() -> {});
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Async3 {
        @Bean
        Mail mail() {
            return new Mail();
        }

        @Bean(defaultCandidate = false)
        ThreadPoolTaskExecutor own() {
            return new ThreadPoolTaskExecutor();
        }

        /** Its pool takes the name of the method, is full, and runs the task in the caller. */
        @Bean(defaultCandidate = false)
        ThreadPoolTaskExecutor inline() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setCorePoolSize(0);
            executor.setMaxPoolSize(1);
            executor.setQueueCapacity(0);
            executor.setRejectedExecutionHandler((task, pool) -> task.run());
            executor.initialize();
            return executor;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Decorator {
        @Bean
        TaskDecorator decorator() {
            return task -> () -> task.run();
        }
    }

    static class Reports {
        @Scheduled(fixedRate = 5)
        public void daily() {}

        @Scheduled(fixedDelay = 5)
        public void hourly() {}

        @Scheduled(cron = "* * * * * *")
        public void now() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {
        @Bean
        Reports reports() {
            return new Reports();
        }
    }
}
