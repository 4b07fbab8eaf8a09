package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** The request threads of the servers are watched. */
class WebServerPoolsIT {

    private static Optional<InstrumentedPool> pool(String prefix, int maximum) {
        return pools(prefix, maximum).stream().findFirst();
    }

    private static List<InstrumentedPool> pools(String prefix, int maximum) {
        return PoolMonitor.global().pools().stream()
                .filter(pool -> pool.name().startsWith(prefix))
                .filter(pool -> pool.snapshot().limits().maximumSize() == maximum)
                .toList();
    }

    /** No other test of this class starts a Jetty. */
    private static Optional<InstrumentedPool> jetty() {
        List<InstrumentedPool> all = PoolMonitor.global().pools().stream()
                .filter(pool -> pool.name().startsWith("jetty"))
                .toList();
        assertThat(all).hasSizeLessThan(2);
        return all.stream().findFirst();
    }

    @Test
    void tomcat_started_isWatchedWithItsThreads() throws Exception {
        try (WebApplication app = WebApplication.start(Application.class, "server.tomcat.threads.max=23")) {
            app.get("/");

            InstrumentedPool tomcat = pool("http-nio-", 23).orElseThrow();
            assertThat(tomcat.snapshot().size()).isPositive();
            await().until(() -> tomcat.snapshot().completed() > 0);
            assertThat(tomcat.workers())
                    .isNotEmpty()
                    .extracting(WorkerState::thread)
                    .allMatch(thread -> thread.getName().contains("-exec-"));
        }
    }

    /** All on one connection, which is fewer tasks of the executor. */
    @Test
    void tomcat_requestsOnAKeptConnection_areCountedEach() throws Exception {
        try (WebApplication app = WebApplication.start(Application.class, "server.tomcat.threads.max=21")) {
            InstrumentedPool tomcat = pool("http-nio-", 21).orElseThrow();
            for (int i = 0; i < 20; i++) {
                app.get("/");
            }
            await().until(() -> tomcat.snapshot().completed() == 20);
            assertThat(Neighbours.settingOf(tomcat.name()).orElseThrow().size()).isEqualTo("server.tomcat.threads.max");
            assertThat(remark(tomcat)).contains("management.server.port gives it threads of its own");
        }
    }

    @Test
    void tomcat_managementHasItsOwnPort_doesNotAdviseOne() {
        try (WebApplication app =
                WebApplication.start(Application.class, "server.tomcat.threads.max=22", "management.server.port=0")) {
            assertThat(app.managementPort()).isNotEqualTo(app.port());
            assertThat(remark(pool("http-nio-", 22).orElseThrow())).isEmpty();
        }
    }

    private static String remark(InstrumentedPool pool) {
        return Neighbours.settingOf(pool.name()).orElseThrow().remark();
    }

    @Test
    void tomcat_restarted_isWatchedAgain() throws Exception {
        try (WebApplication app = WebApplication.start(Application.class, "server.tomcat.threads.max=26")) {
            app.restart();
            await().untilAsserted(() -> assertThat(pool("http-nio-", 26))
                    .hasValueSatisfying(
                            tomcat -> assertThat(tomcat.snapshot().size()).isPositive()));
        }
    }

    /** The window is so long that the monitor does not look within the test. */
    @Test
    void tomcat_restartedOrClosed_isNoLongerListed() {
        String[] names = new String[2];
        for (int run = 0; run < 2; run++) {
            try (WebApplication app =
                    WebApplication.start(Application.class, "server.tomcat.threads.max=27", "lifeguard.window=10m")) {
                app.restart();
                await().untilAsserted(() -> assertThat(pools("http-nio-", 27)).hasSize(1));
                names[run] = pools("http-nio-", 27).get(0).name();
            }
            await().untilAsserted(() -> assertThat(pools("http-nio-", 27)).isEmpty());
        }
        assertThat(names).allSatisfy(name -> assertThat(name).doesNotContain("#"));
    }

    @Test
    void tomcat_watchingSwitchedOff_isNotWatched() {
        try (WebApplication app = WebApplication.start(
                Application.class, "server.tomcat.threads.max=24", "lifeguard.watch.web-server=false")) {
            assertThat(app.port()).isPositive();
            assertThat(pool("http-nio-", 24)).isEmpty();
        }
    }

    @Test
    void jetty_startedWithoutTomcat_isWatchedWithItsThreads() throws Exception {
        try (WebApplication app = WebApplication.startWithout(
                List.of(
                        "org.apache.catalina",
                        "org.apache.coyote",
                        "org.apache.tomcat",
                        "org.springframework.security"),
                Application.class,
                "server.jetty.threads.max=25",
                "lifeguard.window=10m")) {
            app.get("/");

            InstrumentedPool jetty = jetty().orElseThrow();
            for (int i = 1; i < 20; i++) {
                app.get("/");
            }
            await().untilAsserted(() ->
                    assertThat(jetty.snapshot().completed()).as("requests").isEqualTo(20));
            assertThat(jetty.snapshot().limits().maximumSize())
                    .as("without acceptors and selectors")
                    .isBetween(20, 24);
            await().untilAsserted(() -> {
                PoolSnapshot idle = jetty.snapshot();
                assertThat(idle.active()).as("busy workers").isZero();
                assertThat(idle.size()).isBetween(1, 24);
            });
            assertThat(jetty.workers()).isNotEmpty();
            app.restart();
            assertThat(jetty()).isPresent();
        }
        assertThat(jetty()).isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
