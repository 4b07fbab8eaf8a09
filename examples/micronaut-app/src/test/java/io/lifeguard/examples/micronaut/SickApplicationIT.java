package io.lifeguard.examples.micronaut;

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
            greeting  | 16 |                                         | event-loop-blocked   | Work.pause     |
            stock     | 32 | micronaut.executors.io.n-threads=4      | blocked-on-io        | Warehouse.ask  | micronaut.executors.io.n-threads
            orders    | 24 | datasources.default.maximum-pool-size=2 | downstream-saturated | Shop.orders    | datasources.default.maximum-pool-size
            catalogue | 24 | micronaut.executors.io.n-threads=16     | lock-contention      | Shop.catalogue |
            price     | 12 | micronaut.executors.io.n-threads=12     | cpu-saturated        | Work.compute   | micronaut.executors.io.n-threads
            basket    | 24 | micronaut.executors.io.n-threads=8      | stands-still         | Shop.basket    |
            """)
    void application_sick_saysCausePlaceAndKey(
            String path, int clients, String setting, String cause, String place, String key) throws Exception {
        start(setting == null ? List.of() : List.of("-D" + setting));
        long begin = System.nanoTime();
        request(path, clients);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(log()).containsPattern("finding=\"" + cause + "\" .*" + place + ".*" + (key == null ? "" : key));
        });
        System.out.println(path + ": " + cause + " after "
                + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
        if (cause.equals("event-loop-blocked")) { // always critical
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(get("health"))
                            .containsPattern("\"threadpools\":\\{[^{]*\"DEGRADED\"[^}]*event-loop-blocked"));
        }
    }

    @Test
    void application_healthy_isSilent() throws Exception {
        start(List.of());
        request("stock", 4);
        await().during(Duration.ofSeconds(10)).atMost(Duration.ofSeconds(60)).until(() -> true);
        assertThat(log()).doesNotContain("finding=");
        assertThat(get("health")).containsPattern("\"threadpools\":\\{[^{]*\"UP\"");
        assertThat(get("threadpools")).contains("\"name\":\"io\"").contains("\"findings\":[]");
        assertThat(get("prometheus")).contains("lifeguard_");
    }

    @Test
    void application_toldToEndDuringARequest_saysWhatMicronautWaitsFor() throws Exception {
        start(List.of(
                "-Dmicronaut.executors.io.n-threads=1",
                "-Dmicronaut.lifecycle.graceful-shutdown.enabled=true",
                "-Dmicronaut.lifecycle.graceful-shutdown.grace-period=60s"));
        request("basket", 1);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get("threadpools"))
                        .containsPattern("\"name\":\"io\"[^}]*\"active\":1,\"queued\":1")); // it has called itself
        process.destroy();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(log())
                        .containsPattern("waits for pool 'io': 1 task still runs, .* in 'io-executor-thread-1',"
                                + " now at \\S+Shop\\.basket"));
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
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Dmicronaut.server.port=" + port));
        command.add(
                "-Dmicronaut.executors.io.type=" + (settings.toString().contains("n-threads") ? "fixed" : "cached"));
        command.addAll(settings);
        command.addAll(List.of("-jar", System.getProperty("app.jar")));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        await().atMost(Duration.ofSeconds(90)).until(() -> log().contains("Startup completed"));
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
