package io.lifeguard.examples.jakarta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starts Payara Micro and WildFly with the agent, makes the application sick, and reads what their logs say. */
class SickServerIT {

    /** From the first request. A busy machine gets more. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Path AGENT = Path.of(System.getProperty("lifeguard.agent"));

    private static final String PAYARA_SETTINGS = """
            set configs.config.server-config.thread-pools.thread-pool.http-thread-pool.max-thread-pool-size=24
            set resources.managed-executor-service.concurrent/__defaultManagedExecutorService.core-pool-size=4
            set resources.managed-executor-service.concurrent/__defaultManagedExecutorService.maximum-pool-size=4
            set resources.managed-executor-service.concurrent/__defaultManagedExecutorService.task-queue-capacity=1000
            set resources.jdbc-connection-pool.H2Pool.steady-pool-size=1
            set resources.jdbc-connection-pool.H2Pool.max-pool-size=2
            """;

    private final CountDownLatch end = new CountDownLatch(1);
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private HttpServer warehouse;
    private Process process;
    private Path log;
    private int port;

    @TempDir
    Path directory;

    /** Another system, which answers 200 ms later, however many ask. */
    @BeforeEach
    void openWarehouse() throws IOException {
        warehouse = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        warehouse.createContext("/", exchange -> later.schedule(() -> answer(exchange), 200, TimeUnit.MILLISECONDS));
        warehouse.start();
    }

    private static void answer(HttpExchange exchange) {
        try {
            exchange.sendResponseHeaders(200, 1);
            exchange.getResponseBody().write('7');
            exchange.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest(name = "Payara {1}, {0}")
    @CsvSource(delimiter = '|', textBlock = """
            agent  | catalogue | concurrent/__defaultManagedExecutorService | lock-contention      | Shop.catalogue |
            attach | catalogue | concurrent/__defaultManagedExecutorService | lock-contention      | Shop.catalogue |
            agent  | stock     | concurrent/__defaultManagedExecutorService | blocked-on-io        | Warehouse.ask  | resources.managed-executor-service.concurrent/__defaultManagedExecutorService.maximum-pool-size
            agent  | basket    | concurrent/__defaultManagedExecutorService | starved-by-own-tasks | Shop.basket    |
            agent  | orders    | http-thread-pool::http-listener            | downstream-saturated | Shop.orders    | GlassFish (max-pool-size)
            """)
    void payara_sick_saysCausePlaceAndSetting(
            String way, String path, String pool, String cause, String place, String setting) throws Exception {
        Path settings = Files.writeString(directory.resolve("settings"), PAYARA_SETTINGS);
        port = freePort();
        List<String> command = command(way);
        command.addAll(List.of("-jar", TARGET.resolve("payara-micro.jar").toString(), "--noCluster", "--rootDir"));
        command.addAll(List.of(directory.resolve("root").toString(), "--contextRoot", "/"));
        command.addAll(List.of(
                "--port", Integer.toString(port), "--deploy", war("shop.war").toString()));
        command.addAll(List.of("--prebootcommandfile", settings.toString()));
        start(way, command, "ready in");
        awaitFinding(path, pool, cause, place, setting);
    }

    @ParameterizedTest(name = "WildFly {1}, {0}")
    @CsvSource(delimiter = '|', textBlock = """
            agent  | catalogue | EE-ManagedExecutorService-default | lock-contention      | Shop.catalogue |
            attach | catalogue | EE-ManagedExecutorService-default | lock-contention      | Shop.catalogue |
            agent  | stock     | EE-ManagedExecutorService-default | blocked-on-io        | Warehouse.ask  | core-threads of /subsystem=ee/managed-executor-service=default
            agent  | basket    | EE-ManagedExecutorService-default | starved-by-own-tasks | Shop.basket    |
            agent  | orders    | default task                      | downstream-saturated | Shop.orders    | IronJacamar (max-pool-size)
            """)
    void wildfly_sick_saysCausePlaceAndSetting(
            String way, String path, String pool, String cause, String place, String setting) throws Exception {
        Path home = Path.of(System.getProperty("wildfly.home"));
        Path base = directory.resolve("base");
        copy(home.resolve("standalone"), base);
        Path settings = base.resolve("configuration/standalone.xml");
        String url = "<connection-url>jdbc:h2:mem:test";
        Files.writeString(
                settings,
                Files.readString(settings).replace(url, "<pool><max-pool-size>2</max-pool-size></pool>" + url));
        war("base/deployments/ROOT.war");
        port = freePort();
        List<String> command = command(way);
        command.addAll(List.of("-Djboss.home.dir=" + home, "-Djboss.server.base.dir=" + base));
        command.addAll(List.of("-Djboss.http.port=" + port, "-Djboss.management.http.port=" + freePort()));
        command.addAll(List.of("-jar", home.resolve("jboss-modules.jar").toString(), "-mp"));
        command.addAll(List.of(home.resolve("modules").toString(), "org.jboss.as.standalone"));
        start(way, command, "WFLYSRV0025");
        awaitFinding(path, pool, cause, place, setting);
    }

    private List<String> command(String way) {
        List<String> command = new ArrayList<>(List.of(JAVA, "-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // half the CPU time to start
        command.add("-Dwarehouse=http://127.0.0.1:" + warehouse.getAddress().getPort() + "/");
        if (way.equals("agent")) {
            command.add("-javaagent:" + AGENT);
        }
        return command;
    }

    private Path war(String name) throws IOException {
        Path war = directory.resolve(name);
        Path classes = TARGET.resolve("classes");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(war))) {
            for (String type : List.of("Shop", "Warehouse")) {
                String entry = "io/lifeguard/examples/jakarta/" + type + ".class";
                out.putNextEntry(new ZipEntry("WEB-INF/classes/" + entry));
                Files.copy(classes.resolve(entry), out);
            }
        }
        return war;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(folder).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private void start(String way, List<String> command, String started) throws Exception {
        log = directory.resolve("log");
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        await().atMost(Duration.ofMinutes(10)) // 4 minutes were seen on a busy machine
                .until(() -> Files.readString(log).contains(started));
        if (way.equals("attach")) {
            Process attach = new ProcessBuilder(
                            JAVA,
                            "-jar",
                            System.getProperty("lifeguard.jar"),
                            "attach",
                            Long.toString(process.pid()),
                            "--agent",
                            AGENT.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("attach").toFile())
                    .start();
            assertThat(attach.waitFor())
                    .as(Files.readString(directory.resolve("attach")))
                    .isZero();
        }
    }

    private void awaitFinding(String path, String pool, String cause, String place, String setting) {
        long begin = System.nanoTime();
        request(path, 40);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Files.readString(log).lines())
                        .anySatisfy(line -> assertThat(line)
                                .contains(
                                        "pool '" + pool + "': ",
                                        "[" + cause + "]",
                                        place,
                                        setting == null ? "" : setting)));
        System.out.println(pool + ": " + cause + " after "
                + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
    }

    private void request(String path, int count) {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + path))
                .build();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> {
                while (end.getCount() > 0) {
                    try {
                        client.send(request, BodyHandlers.discarding());
                    } catch (IOException | InterruptedException e) {
                        return;
                    }
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @AfterEach
    void stop() throws Exception {
        end.countDown();
        process.destroyForcibly();
        process.waitFor(30, TimeUnit.SECONDS);
        warehouse.stop(0);
        later.shutdownNow();
    }
}
