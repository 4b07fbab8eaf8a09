package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
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
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** With virtual threads Boot's executors and the servers' requests are counted and timed all the same. */
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

    /** Ten tasks at a time, the others wait as tasks, and their threads have the names of Boot's property. */
    @Test
    void applicationTaskExecutor_withLimit_hasNoMoreThreadsThanThat() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        Set<String> threads = ConcurrentHashMap.newKeySet();
        List<Future<?>> all = new ArrayList<>();
        try (WebApplication app =
                start("lifeguard.virtual-threads.limit=10", "spring.task.execution.thread-name-prefix=bounded-")) {
            AsyncTaskExecutor executor = app.context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
            InstrumentedPool pool = pool("applicationTaskExecutor");
            for (int i = 0; i < 100; i++) {
                all.add(executor.submit(() -> {
                    threads.add(Thread.currentThread().toString());
                    running.incrementAndGet();
                    return open.await(1, TimeUnit.MINUTES);
                }));
            }
            await().until(() -> running.get() == 10);
            assertThat(pool.snapshot().size()).isEqualTo(10);
            assertThat(pool.snapshot().queued()).isEqualTo(90);
            assertThat(pool.snapshot().limits().maximumSize()).isEqualTo(10);
            assertThat(pool("taskScheduler").snapshot().limits().maximumSize()).isEqualTo(10);
            assertThat(Neighbours.settingOf("taskScheduler").orElseThrow().size())
                    .isEqualTo("lifeguard.virtual-threads.limit");
            AtomicInteger ticks = app.context.getBean(Ticks.class).atARate;
            await().untilAsserted(() -> assertThat(ticks).hasPositiveValue());
            open.countDown();
            for (Future<?> each : all) {
                each.get(1, TimeUnit.MINUTES);
            }
        }
        assertThat(threads).allMatch(name -> name.startsWith("VirtualThread[") && name.contains("bounded-"));
    }

    /** As with Boot's executor of platform threads when it awaits the termination. */
    @Test
    void applicationTaskExecutor_withLimitIsClosed_endsWhatWasAccepted() {
        AtomicInteger ended = new AtomicInteger();
        try (WebApplication app = start(
                "lifeguard.virtual-threads.limit=1",
                "spring.task.execution.shutdown.await-termination=true",
                "spring.task.execution.shutdown.await-termination-period=60s")) {
            AsyncTaskExecutor executor = app.context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
            for (int i = 0; i < 50; i++) {
                executor.execute(ended::incrementAndGet);
            }
        }
        assertThat(ended).hasValue(50);
    }

    /** Each request has a thread, which is known while it runs. */
    @Test
    void requests_onTomcat_areMeasured() throws Exception {
        try (WebApplication app = start("management.endpoints.web.exposure.include=threadpools")) {
            requestsAreMeasured(app, "http-nio-", "tomcat-handler-");
        }
        assertThat(Pools.live()).noneMatch(pool -> pool.name().startsWith("http-nio-"));
    }

    @Test
    void requests_onJetty_areMeasured() throws Exception {
        try (WebApplication app = WebApplication.startWithout(
                List.of(
                        "org.apache.catalina",
                        "org.apache.coyote",
                        "org.apache.tomcat",
                        "org.springframework.security"),
                Application.class,
                "spring.threads.virtual.enabled=true",
                "management.endpoints.web.exposure.include=threadpools")) {
            requestsAreMeasured(app, "jetty", "jetty-");
        }
        assertThat(Pools.live()).noneMatch(pool -> pool.name().startsWith("jetty"));
    }

    private static void requestsAreMeasured(WebApplication app, String name, String threadPrefix) throws Exception {
        Gate gate = app.context.getBean(Gate.class);
        InstrumentedPool pool = pool(name);
        int others = pool.threadCount(); // acceptors and selectors of Jetty
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return app.get("/gate").body();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
        await().until(() -> gate.waiting.getCount() == 0);
        assertThat(pool.threadCount()).isGreaterThan(others);
        assertThat(pool.longestRun()).isPositive();
        assertThat(pool.threads(100))
                .anySatisfy(thread -> assertThat(List.of(thread.getStackTrace()))
                        .anySatisfy(frame -> assertThat(frame.getClassName()).isEqualTo(Gate.class.getName())));
        assertThat(app.manage("/threadpools/" + pool.name()).body()).containsPattern("\"longestRunSeconds\":\\d");
        assertThat(app.manage("/threadpools/" + pool.name() + "/threads").body())
                .contains(Gate.class.getName() + ".pass(VirtualThreadsIT.java:")
                .contains("\"names\":[\"" + threadPrefix);
        gate.open.countDown();
        assertThat(answer.get(1, TimeUnit.MINUTES)).contains("VirtualThread[").contains(threadPrefix);
        await().until(() -> pool.snapshot().completed() > 0);
        app.restart();
        assertThat(app.get("/gate").body()).contains(threadPrefix);
    }

    /** Sixty clients call a service that lets two of them go on at a time. */
    @Test
    @Tag("slow")
    void requests_waitForPermits_areFoundWithTheLineOfCode() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(60);
        AtomicBoolean isOver = new AtomicBoolean();
        try (WebApplication app = start("management.endpoints.web.exposure.include=threadpools")) {
            InstrumentedPool pool = pool("http-nio-");
            for (int i = 0; i < 60; i++) {
                clients.submit(() -> {
                    while (!isOver.get()) {
                        app.get("/permit");
                    }
                    return null;
                });
            }
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> PoolMonitor.global().findings().stream()
                            .anyMatch(finding -> finding.id().equals("virtual-threads-in-line")
                                    && pool.name().equals(finding.evidence().get("executor"))
                                    && finding.summary().contains("VirtualThreadsIT$Gate.permit(")));
            await().untilAsserted(() -> assertThat(
                            app.manage("/threadpools/" + pool.name()).body())
                    .containsPattern("\"waiting\":\\[\\{\"threads\":[1-9].*\"kind\":\"permit\""));
            isOver.set(true);
            clients.shutdown();
            assertThat(clients.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            clients.shutdownNow();
        }
    }

    /** What is measured is not said to be unseen. */
    @Test
    void virtualThreads_whatIsNotMeasured_isMentionedOnceInLogAndEndpoint(CapturedOutput output) throws Exception {
        try (WebApplication app = start("management.endpoints.web.exposure.include=threadpools")) {
            app.context.getBean("applicationTaskExecutor");
            assertThat(app.get("/").statusCode()).isEqualTo(404);
            app.restart();

            assertThat(app.manage("/threadpools").body())
                    .containsPattern(
                            "\"notLookedAt\":\\[.*\"what\":\"taskScheduler\",\"why\":\"tasks with a fixed delay")
                    .doesNotContain("\"what\":\"applicationTaskExecutor\"")
                    .doesNotContainPattern("\"what\":\"http-nio");
            assertThat(output.getAll().split("taskScheduler: tasks with a fixed delay", -1))
                    .hasSize(2);
        }
    }

    @Test
    void requests_instrumentNone_areMentionedAsUnseen() throws Exception {
        try (WebApplication app =
                start("lifeguard.instrument=none", "management.endpoints.web.exposure.include=threadpools")) {
            assertThat(app.manage("/threadpools").body())
                    .containsPattern("\"notLookedAt\":\\[.*\"what\":\"http-nio[^\"]*\",\"why\":\"requests run on");
        }
    }

    private static InstrumentedPool pool(String prefix) {
        return Pools.live().stream()
                .filter(live -> live.name().startsWith(prefix))
                .findFirst()
                .orElseThrow();
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
        Gate gate() {
            return new Gate();
        }

        @Bean
        Ticks ticks() {
            return new Ticks();
        }
    }

    /** A request that waits until the test lets it go on. */
    @RestController
    static class Gate {
        final CountDownLatch waiting = new CountDownLatch(1);
        final CountDownLatch open = new CountDownLatch(1);

        private final Semaphore permits = new Semaphore(2);

        @GetMapping("/permit")
        String permit() {
            permits.acquireUninterruptibly();
            try {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                return "done";
            } finally {
                permits.release();
            }
        }

        @GetMapping("/gate")
        String pass() throws InterruptedException {
            waiting.countDown();
            open.await();
            return Thread.currentThread().toString();
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
