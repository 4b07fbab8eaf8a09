package io.lifeguard.examples.quarkus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starts the application, makes it sick by many requests, and reads what its log says. */
class SickApplicationIT {

    /** From the first request. A busy machine gets more. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<Thread> clients = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private Process process;
    private Path log;
    private int port;

    @TempDir
    Path directory;

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            greeting  | 16 |                                    | event-loop-blocked   | Work.pause     |
            stock     | 32 | quarkus.thread-pool.max-threads=4  | blocked-on-io        | Warehouse.ask  | quarkus.thread-pool.max-threads
            orders    | 24 | quarkus.datasource.jdbc.max-size=2 | downstream-saturated | Shop.orders    | quarkus.datasource.jdbc.max-size
            bills     | 24 | quarkus.datasource.billing.jdbc.max-size=2 | downstream-saturated | Shop.bills | quarkus.datasource."billing".jdbc.max-size
            catalogue | 24 | quarkus.thread-pool.max-threads=16 | lock-contention      | Shop.catalogue |
            price     | 12 | quarkus.thread-pool.max-threads=12 | cpu-saturated        | Work.compute   | quarkus.thread-pool.max-threads
            basket    | 24 | quarkus.thread-pool.max-threads=8  | starved-by-own-tasks | Shop.basket    |
            """)
    void application_sick_saysCausePlaceAndKey(
            String path, int clients, String setting, String cause, String place, String key) throws Exception {
        start(setting == null ? List.of() : List.of("-D" + setting));
        long begin = System.nanoTime();
        request(path, clients);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(log()).containsPattern("finding=" + cause + " .*" + place + ".*" + (key == null ? "" : key));
        });
        System.out.println(path + ": " + cause + " after "
                + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
    }

    @Test
    void application_healthy_isSilent() throws Exception {
        start(List.of());
        request("stock", 4);
        await().during(Duration.ofSeconds(10)).atMost(Duration.ofSeconds(60)).until(() -> true);
        assertThat(log()).doesNotContain("io.li.po");
        assertThat(get("q/health/well")).contains("thread pools").contains("\"UP\"");
        assertThat(get("q/metrics")).contains("executor_pool_size_threads{name=\"executor-thread\"");
    }

    /** Quarkus waits for the request first, and then for its pool. */
    @Test
    void application_endsWhileARequestRuns_saysWhereItIs() throws Exception {
        start(List.of("-Dquarkus.shutdown.timeout=4s"));
        request("export", 1);
        await().atMost(PATIENCE) // the request, and the one that asks
                .until(() -> get("q/metrics").contains("executor_active_threads{name=\"executor-thread\"} 2"));
        process.destroy();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(log())
                        .containsPattern(
                                "shuts down and waits for pool 'executor-thread': 1 task still runs, for at least"
                                        + " \\S+ s, in 'executor-thread-\\d+', now at \\S+Work.pause"));
    }

    private String get(String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(of(path), BodyHandlers.ofString())
                .body();
    }

    private HttpRequest of(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/" + path))
                .build();
    }

    private void start(List<String> settings) throws Exception {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        log = directory.resolve("log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Dquarkus.http.port=" + port));
        command.addAll(settings);
        command.addAll(List.of("-jar", System.getProperty("app.jar")));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        await().atMost(Duration.ofSeconds(90)).until(() -> log().contains("Installed features"));
        assertThat(log()).containsPattern("Installed features: \\[.*lifeguard");
    }

    private String log() throws IOException {
        return Files.readString(log);
    }

    private void request(String path, int count) {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> {
                while (end.getCount() > 0) {
                    try {
                        client.send(of(path), BodyHandlers.discarding());
                    } catch (IOException | InterruptedException e) {
                        return;
                    }
                }
            });
            thread.setDaemon(true);
            thread.start();
            clients.add(thread);
        }
    }

    @AfterEach
    void stop() throws Exception {
        end.countDown();
        if (process != null) {
            process.destroyForcibly();
            process.waitFor(30, TimeUnit.SECONDS);
            Files.copy(log, Path.of("target", log.getParent().getFileName() + ".log"));
        }
        for (Thread client : clients) {
            client.interrupt();
        }
    }
}
