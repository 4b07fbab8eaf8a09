package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/** Boot starts a virtual thread for each task; tasks are counted and timed all the same. */
@EnabledForJreRange(min = JRE.JAVA_21)
@ExtendWith(OutputCaptureExtension.class)
class VirtualThreadsIT {

    private static WebApplication start(String... more) {
        String[] properties = new String[more.length + 1];
        properties[0] = "spring.threads.virtual.enabled=true";
        System.arraycopy(more, 0, properties, 1, more.length);
        return WebApplication.start(Application.class, properties);
    }

    @Test
    void applicationTaskExecutor_countsAndTimesItsTasks() throws Exception {
        InstrumentedPool pool;
        try (WebApplication app = start("spring.task.execution.thread-name-prefix=light-")) {
            AsyncTaskExecutor executor = app.context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
            assertThat(executor).isInstanceOf(SimpleAsyncTaskExecutor.class);
            pool = live("applicationTaskExecutor");

            String thread =
                    executor.submit(() -> Thread.currentThread().toString()).get(10, TimeUnit.SECONDS);

            assertThat(thread).startsWith("VirtualThread[").contains("light-");
            await().until(() -> pool.snapshot().completed() == 1);
            assertThat(pool.snapshot().serviceTime().count()).isEqualTo(1);
        }
        assertThat(Pools.live()).doesNotContain(pool);
    }

    @Test
    void limits_ofBothExecutors_areAsConfigured() {
        try (WebApplication app = start(
                "spring.task.execution.simple.concurrency-limit=3",
                "spring.task.scheduling.simple.concurrency-limit=4")) {
            assertThat(app.context
                            .getBean("applicationTaskExecutor", SimpleAsyncTaskExecutor.class)
                            .getConcurrencyLimit())
                    .isEqualTo(3);
            assertThat(app.context
                            .getBean("taskScheduler", SimpleAsyncTaskScheduler.class)
                            .getConcurrencyLimit())
                    .isEqualTo(4);
        }
    }

    @Test
    void taskScheduler_countsAndTimesItsTasks() throws Exception {
        try (WebApplication app = start()) {
            SimpleAsyncTaskScheduler scheduler = app.context.getBean("taskScheduler", SimpleAsyncTaskScheduler.class);
            InstrumentedPool pool = live("taskScheduler");
            Ticks ticks = app.context.getBean(Ticks.class);

            await().untilAsserted(() -> assertThat(ticks.atARate).hasPositiveValue());
            await().untilAsserted(() -> assertThat(ticks.withADelay).hasPositiveValue());
            await().untilAsserted(() -> assertThat(pool.snapshot().completed()).isPositive());
            assertThat(pool.snapshot().serviceTime().count()).isPositive();
            assertThat(scheduler.schedule(() -> {}, Instant.now()).get(10, TimeUnit.SECONDS))
                    .isNull();
        }
    }

    @Test
    void virtualThreads_areMentionedOnceInLogAndEndpoint(CapturedOutput output) throws Exception {
        try (WebApplication app = start("management.endpoints.web.exposure.include=threadpools")) {
            app.context.getBean("applicationTaskExecutor");
            assertThat(app.get("/").statusCode()).isEqualTo(404);
            app.restart();

            assertThat(app.manage("/threadpools").body())
                    .containsPattern(
                            "\"notLookedAt\":\\[.*\"what\":\"applicationTaskExecutor\",\"why\":\"each task has its own virtual thread")
                    .containsPattern("\"notLookedAt\":\\[.*\"what\":\"taskScheduler\",\"why\":\"each task.*fixed delay")
                    .containsPattern("\"notLookedAt\":\\[.*\"what\":\"http-nio[^\"]*\",\"why\":\"requests run on");
            assertThat(output.getAll().split("applicationTaskExecutor: each task has its own virtual thread", -1))
                    .hasSize(2);
            assertThat(output.getAll().split("taskScheduler: each task has its own virtual thread", -1))
                    .hasSize(2);
            assertThat(output.getAll().split("which is no pool: it has no queue and no number of threads to watch", -1))
                    .hasSize(2);
        }
    }

    private static InstrumentedPool live(String name) {
        return Pools.live().stream()
                .filter(live -> live.name().startsWith(name))
                .filter(live -> live.workers().isEmpty())
                .findFirst()
                .orElseThrow();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Application {
        @Bean
        Ticks ticks() {
            return new Ticks();
        }
    }

    static class Ticks {
        final AtomicInteger atARate = new AtomicInteger();
        final AtomicInteger withADelay = new AtomicInteger();

        @Scheduled(fixedRate = 5)
        void atARate() {
            atARate.incrementAndGet();
        }

        @Scheduled(fixedDelay = 5)
        void withADelay() {
            withADelay.incrementAndGet();
        }
    }
}
