package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.schema.Document;
import io.lifeguard.pool.schema.SchemaCheck;
import io.lifeguard.pool.spring.endpoint.ThreadPoolReportEndpoint;
import io.lifeguard.pool.spring.endpoint.ThreadPoolsEndpoint;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint and health over HTTP. */
class ThreadPoolsEndpointIT {

    private static final String[] EXPOSED = {
        "management.endpoints.web.exposure.include=*",
        "management.endpoint.health.show-details=always",
        "management.health.threadpools.enabled=true",
        "lifeguard.window=20ms"
    };

    private static WebApplication shared; // by the tests that want nothing special

    private static WebApplication start(String... properties) {
        String[] all = new String[EXPOSED.length + properties.length];
        System.arraycopy(EXPOSED, 0, all, 0, EXPOSED.length);
        System.arraycopy(properties, 0, all, EXPOSED.length, properties.length);
        return WebApplication.start(Application.class, all);
    }

    @BeforeAll
    static void open() {
        shared = start(
                "lifeguard.pools.crowded.size=12",
                "lifeguard.pools.detailed.size=2",
                "lifeguard.pools.drawn.size=2",
                "lifeguard.pools.fixed.size=2",
                "lifeguard.pools.listed.size=2",
                "lifeguard.pools.purple.size=1",
                "lifeguard.endpoint.max-threads=10",
                "server.tomcat.threads.max=7");
    }

    @AfterAll
    static void close() {
        shared.close();
    }

    @Test
    void pools_exposed_areListedWithTheRequestPool() throws Exception {
        HttpResponse<String> response = shared.manage("/threadpools");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .contains("\"name\":\"listed\",\"kind\":\"instrumented\",\"threads\":0,"
                        + "\"coreSize\":2,\"maximumSize\":2")
                .contains("\"name\":\"listedRaw")
                .containsPattern("\"name\":\"http-nio-127.0.0.1-auto-\\d+[^\"]*\",\"kind\":\"watched\","
                        + "\"threads\":\\d+,\"coreSize\":\\d+,\"maximumSize\":7,\"active\":[1-9]");
    }

    @Test
    void pool_byName_hasTimesKindsAndThreads() throws Exception {
        InstrumentedThreadPoolExecutor pool = shared.context.getBean("detailed", InstrumentedThreadPoolExecutor.class);
        pool.submit(() -> {}).get();
        CountDownLatch release = new CountDownLatch(1);
        Runnable task = () -> parkUntil(release);
        pool.execute(task);
        pool.execute(task);
        await().until(() -> pool.getActiveCount() == 2);

        assertThat(shared.manage("/threadpools/detailed").body())
                .contains("\"queueWait\":{\"count\":")
                .contains("\"accuracy\":\"exact\"")
                .containsPattern("\"meanSeconds\":\\d+(\\.\\d+)?,\"p50Seconds\":")
                .contains("\"kinds\":[{");
        await().untilAsserted(() -> assertThat(
                        shared.manage("/threadpools/detailed/threads").body())
                .contains("\"count\":2,\"state\":\"WAITING\"")
                .contains("ThreadPoolsEndpointIT.parkUntil"));
        SchemaCheck.document(
                Document.POOL_DETAIL, shared.manage("/threadpools/detailed").body());
        SchemaCheck.document(
                Document.THREADS, shared.manage("/threadpools/detailed/threads").body());
        assertThat(shared.manage("/threadpools/nobody").statusCode()).isEqualTo(404);
        assertThat(shared.manage("/threadpools/nobody/threads").statusCode()).isEqualTo(404);
        assertThat(shared.manage("/threadpools/detailed/secrets").statusCode()).isEqualTo(400);
        release.countDown();
    }

    @Test
    void threads_moreThanEight_saysHowManyNamesAreOmitted() throws Exception {
        InstrumentedThreadPoolExecutor pool = shared.context.getBean("crowded", InstrumentedThreadPoolExecutor.class);
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < 12; i++) {
            pool.execute(() -> parkUntil(release));
        }

        await().untilAsserted(() -> assertThat(
                        shared.manage("/threadpools/crowded/threads").body())
                .contains("\"threads\":10,\"omittedThreads\":2,\"groups\":[{\"count\":10,")
                .containsPattern("\"names\":\\[(\"[^\"]*\",?){8}],\"omittedNames\":2,"));
        release.countDown();
    }

    /** Found by its number of threads, which is unique. An earlier test may have used its name. */
    private static String nameOf(ExecutorService raw) {
        ((ThreadPoolExecutor) raw).setMaximumPoolSize(77);
        return PoolMonitor.global().pools().stream()
                .filter(pool -> pool.snapshot().limits().maximumSize() == 77)
                .map(pool -> pool.name().replace("#", "%23"))
                .findFirst()
                .orElseThrow();
    }

    static void parkUntil(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void finding_raised_isInTheEndpointAndDegradesHealth() throws Exception {
        await().untilAsserted(() -> assertThat(
                        shared.manage("/threadpools/purple/findings").body())
                .contains("\"id\":\"too-purple\"")
                .contains("\"severity\":\"critical\"")
                .contains("\"evidence\":{\"dryingSeconds\":0.026652,\"coats\":2}")
                .contains("\"recommendedSize\":3"));
        SchemaCheck.document(
                Document.FINDINGS, shared.manage("/threadpools/purple/findings").body());
        SchemaCheck.document(
                Document.POOL_DETAIL, shared.manage("/threadpools/purple").body());
        SchemaCheck.document(Document.POOLS, shared.manage("/threadpools").body());
        HttpResponse<String> health = shared.manage("/health");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body())
                .contains("\"status\":\"UP\"")
                .contains("\"threadpools\":{")
                .contains("DEGRADED")
                .contains("\"purple\":\"too-purple\"");
        assertThat(shared.manage("/threadpools").body()).contains("\"findingIds\":[\"too-purple\"]");
    }

    @Test
    void finding_statusKnownToBoot_changesAggregateStatus() throws Exception {
        try (WebApplication app = start("lifeguard.pools.purple.size=1", "lifeguard.health.status=OUT_OF_SERVICE")) {
            await().untilAsserted(
                            () -> assertThat(app.manage("/health").statusCode()).isEqualTo(503));
        }
    }

    @Test
    void resize_byDefault_isAbsent() throws Exception {
        assertThat(shared.post("/threadpools/fixed", "{\"size\":3}").statusCode())
                .isEqualTo(405);
        assertThat(shared.context
                        .getBean("fixed", InstrumentedThreadPoolExecutor.class)
                        .getCorePoolSize())
                .isEqualTo(2);
    }

    @Test
    void resize_allowed_changesInstrumentedPoolsWithinBounds() throws Exception {
        try (WebApplication app = start(
                "lifeguard.pools.elastic.size=2",
                "management.endpoint.threadpools.access=unrestricted",
                "lifeguard.endpoint.max-pool-size=10")) {
            InstrumentedThreadPoolExecutor pool = app.context.getBean("elastic", InstrumentedThreadPoolExecutor.class);

            assertThat(app.post("/threadpools/elastic", "{\"size\":5}").body()).contains("\"sizeBefore\":2,\"size\":5");
            assertThat(pool.getCorePoolSize()).isEqualTo(5);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(5);
            assertThat(app.post("/threadpools/elastic", "{\"size\":1}").statusCode())
                    .isEqualTo(200);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(1);
            HttpResponse<String> tooLarge = app.post("/threadpools/elastic", "{\"size\":11}");
            assertThat(tooLarge.statusCode()).isEqualTo(400);
            assertThat(tooLarge.body()).contains("{\"error\":\"size must be between 1 and 10 (was 11)\"}");
            assertThat(app.post("/threadpools/elastic", "{\"size\":0}").statusCode())
                    .isEqualTo(400);
            assertThat(app.post("/threadpools/nobody", "{\"size\":3}").statusCode())
                    .isEqualTo(400);
            String raw = nameOf(app.context.getBean("listedRaw", ExecutorService.class));
            assertThat(app.post("/threadpools/" + raw, "{\"size\":3}").statusCode())
                    .isEqualTo(400);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(1);
        }
    }

    @Test
    void pool_nameWithSlashAndSemicolon_isAddressedByParameter() throws Exception {
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("tenant/a;b").size(2).build();
        try (WebApplication app = start("management.endpoint.threadpools.access=unrestricted")) {
            String name = URLEncoder.encode(pool.name(), StandardCharsets.UTF_8);
            await().untilAsserted(() -> assertThat(
                            app.manage("/threadpools?pool=" + name).body())
                    .contains("\"pool\":{\"name\":\"" + pool.name() + "\""));
            assertThat(app.manage("/threadpools?view=threads&pool=" + name).body())
                    .contains("\"threads\":0");
            assertThat(app.manage("/threadpools?pool=nobody").statusCode()).isEqualTo(404);
            assertThat(app.post("/threadpools", "{\"pool\":\"" + pool.name() + "\",\"size\":3}")
                            .body())
                    .contains("\"sizeBefore\":2,\"size\":3");
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void pools_moreThanShown_showsSickOnesFirst() throws Exception {
        try (WebApplication app = start(
                "lifeguard.pools.aaa.size=1", "lifeguard.pools.purple.size=1", "lifeguard.endpoint.max-pools=1")) {
            await().untilAsserted(() ->
                    assertThat(app.manage("/threadpools").body()).contains("\"pools\":[{\"name\":\"purple"));
        }
    }

    @ParameterizedTest
    @Tag("slow") // starts the application twice
    @ValueSource(
            strings = {
                "management.endpoints.access.default=unrestricted",
                "management.endpoint.threadpools.enabled=true",
            })
    void resize_allowedByEquivalentProperty_exists(String property) throws Exception {
        try (WebApplication app = start("lifeguard.pools.loose.size=2", property)) {
            assertThat(app.post("/threadpools/loose", "{\"size\":3}").body()).contains("\"sizeBefore\":2,\"size\":3");
        }
    }

    @Test
    void resize_allowedButMaxPermittedReadOnly_isAbsent() throws Exception {
        try (WebApplication app = start(
                "lifeguard.pools.capped.size=2",
                "management.endpoint.threadpools.access=unrestricted",
                "management.endpoints.access.max-permitted=read-only")) {
            assertThat(app.post("/threadpools/capped", "{\"size\":3}").statusCode())
                    .isEqualTo(405);
        }
    }

    @Test
    @Tag("slow") // starts the application twice
    void endpoint_notExposedOrWithoutAccess_isAbsent() throws Exception {
        try (WebApplication app = start("management.endpoints.web.exposure.include=health")) {
            assertThat(app.manage("/threadpools").statusCode()).isEqualTo(404);
            assertThat(app.context.getBeansOfType(ThreadPoolsEndpoint.class)).isEmpty();
        }
        try (WebApplication app = start("management.endpoint.threadpools.access=none")) {
            assertThat(app.manage("/threadpools").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void endpoint_onManagementPort_existsAndItsServerIsWatched() throws Exception {
        try (WebApplication app = start("management.server.port=0", "management.server.address=127.0.0.1")) {
            assertThat(app.managementPort()).isNotEqualTo(app.port());
            assertThat(app.manage("/threadpools").body().split("\"name\":\"http-nio-", -1))
                    .hasSizeGreaterThanOrEqualTo(3);
            assertThat(app.get("/actuator/threadpools").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void report_exposed_isAPageAndAFlightRecording() throws Exception {
        HttpResponse<String> page = shared.manage("/threadpoolreport");
        // A window is recorded a moment after it is judged.
        HttpResponse<String> recording = await().until(
                        () -> shared.manage("/threadpoolreport/jfr"),
                        answer -> answer.body().contains("drawn"));

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
        assertThat(page.body()).startsWith("<!DOCTYPE html>").contains("Content-Security-Policy");
        assertThat(recording.statusCode()).isEqualTo(200);
        assertThat(recording.headers().firstValue("Content-Type")).hasValue("application/octet-stream");
        assertThat(recording.body()).startsWith("FLR").contains("io.lifeguard.Window", "drawn");
    }

    @ParameterizedTest
    @Tag("slow") // starts the application twice
    @CsvSource({
        "server.servlet.context-path=/shop, management.endpoints.web.path-mapping.threadpoolreport=pools/picture,"
                + " /shop/actuator/pools/picture/",
        "management.server.port=0, management.endpoints.web.base-path=/manage, /manage/threadpoolreport/"
    })
    void livePage_belowAnyPath_namesFilesThatAreBesideIt(String property, String other, String base) throws Exception {
        try (WebApplication app = start("lifeguard.pools.lively.size=2", property, other)) {
            HttpResponse<String> page = app.getManagement(base + "live");

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
            assertThat(page.body()).contains("default-src 'none'").doesNotContainPattern("<script[^>]*>[^<]");
            Map<String, String> types = Map.of(
                    "page.js", "text/javascript;charset=UTF-8",
                    "chart.js", "text/javascript;charset=UTF-8",
                    "page.css", "text/css;charset=UTF-8",
                    "icon.svg", "image/svg+xml");
            for (Map.Entry<String, String> file : types.entrySet()) {
                assertThat(page.body()).contains("=\"" + file.getKey());
                HttpResponse<String> answer = app.getManagement(base + file.getKey() + "?v=1");
                assertThat(answer.statusCode()).as(file.getKey()).isEqualTo(200);
                assertThat(answer.headers().firstValue("Content-Type")).hasValue(file.getValue());
            }
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(
                                    app.getManagement(base + "data?since=1").body())
                            .contains("\"name\":\"lively\""));
        }
    }

    @Test
    void livePage_wrongQuestions_areRefused() throws Exception {
        try (WebApplication app = start("management.endpoint.threadpoolreport.access=unrestricted")) {
            assertThat(app.manage("/threadpoolreport/pdf").statusCode()).isEqualTo(404);
            assertThat(app.manage("/threadpoolreport/data?since=now").statusCode())
                    .isEqualTo(400);
            assertThat(app.post("/threadpoolreport/live", "{}").statusCode()).isIn(404, 405);
            assertThat(app.post("/threadpoolreport/data", "{}").statusCode()).isIn(404, 405);
        }
    }

    @Test
    @Tag("slow") // starts the application twice
    void report_notExposedOrWithoutAccess_isAbsent() throws Exception {
        try (WebApplication app = start("management.endpoints.web.exposure.include=threadpools")) {
            assertThat(app.manage("/threadpoolreport").statusCode()).isEqualTo(404);
            assertThat(app.context.getBeansOfType(ThreadPoolReportEndpoint.class))
                    .isEmpty();
        }
        try (WebApplication app = start("management.endpoint.threadpoolreport.access=none")) {
            assertThat(app.manage("/threadpoolreport").statusCode()).isEqualTo(404);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean(defaultCandidate = false)
        ExecutorService listedRaw() {
            return Executors.newFixedThreadPool(1);
        }

        @Bean
        Rule tooPurple() {
            return new Rule() {
                @Override
                public Verdict examine(PoolWindow window) {
                    return window.pool().startsWith("purple")
                            ? Verdict.found(Finding.of("too-purple", window)
                                    .severity(Severity.CRITICAL)
                                    .summary("purple")
                                    .advice("paint it")
                                    .evidence("drying", Duration.ofNanos(26_652_000))
                                    .evidence("coats", 2)
                                    .recommendedSize(3)
                                    .build())
                            : Verdict.clear();
                }

                @Override
                public int windowsToRaise() {
                    return 1;
                }
            };
        }
    }
}
