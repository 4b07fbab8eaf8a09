package io.lifeguard.pool.corpus.real.systems;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.corpus.work.Database;
import io.lifeguard.pool.corpus.work.HttpService;
import io.lifeguard.pool.corpus.work.Randomness;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The healthy programs: servers, consumers, a batch job, an idle JVM and a small heap. Stateless. */
public final class HealthyPrograms {

    /** The system property that names the jar of the example application. */
    public static final String SHOP = "shop.jar";

    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private static final List<Healthy> ALL = List.of(
            new Healthy(
                    "spring-boot-shop",
                    "the example application takes orders over HTTP, at a small part of what it could do",
                    List.of(),
                    HealthyPrograms::shop),
            new Healthy(
                    "jetty",
                    "a Jetty server answers eight clients, each with a call to a service of 20 ms",
                    List.of(),
                    stage -> ThreadServers.jetty(stage, 8, false)),
            new Healthy(
                    "polling-consumers",
                    "four consumers poll a queue forever, and a message comes now and then",
                    List.of(),
                    HealthyPrograms::consumers),
            new Healthy(
                    "batch-job",
                    "a job of some seconds computes on a pool of its own, shuts it down, and begins anew after a pause",
                    List.of(),
                    HealthyPrograms::batch),
            new Healthy(
                    "idle-jvm",
                    "pools that had something to do once, and a timer that ticks every five seconds",
                    List.of(),
                    HealthyPrograms::idle),
            new Healthy(
                    "small-heap",
                    "a heap so small that it is collected all the time, and queries at half of the pool's capacity",
                    List.of("-Xmx48m", "-XX:+UseSerialGC"),
                    HealthyPrograms::smallHeap));

    private HealthyPrograms() {}

    /** All healthy programs, in the order in which they run. */
    public static List<Healthy> all() {
        return ALL;
    }

    /** The healthy program of that name. */
    public static Optional<Healthy> named(String name) {
        return ALL.stream().filter(program -> program.name().equals(name)).findFirst();
    }

    /** Starts the application in another JVM, and prints each line of its log that is a warning or from the library. */
    private static void shop(Stage stage) throws Exception {
        Path jar = Path.of(System.getProperty(SHOP, "examples/spring-boot-app/target/spring-boot-app.jar"));
        if (!Files.exists(jar)) {
            throw new IllegalStateException("there is no " + jar + "; build it, or set the property " + SHOP);
        }
        int port = freePort();
        Process shop = stage.process(new ProcessBuilder(
                        ChildJvm.java(), "-jar", jar.toString(), "--server.port=" + port, "--server.address=localhost")
                .redirectErrorStream(true));
        BufferedReader log = new BufferedReader(new InputStreamReader(shop.getInputStream(), StandardCharsets.UTF_8));
        for (String line = log.readLine(); line != null && !line.contains("Started "); line = log.readLine()) {
            tell(line);
        }
        stage.loop("log", () -> {
            String line = log.readLine();
            if (line == null) {
                throw new IOException("the shop has ended");
            }
            tell(line);
        });
        stage.visitors(4, 20, port, "/orders/7/delivery");
    }

    private static void tell(String line) {
        if (line.contains(" WARN ") || line.contains(" ERROR ") || line.contains("i.l.pool")) {
            System.out.println(line);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void consumers(Stage stage) {
        BlockingQueue<String> messages = new ArrayBlockingQueue<>(1_000);
        ExecutorService pool = stage.keep(InstrumentedExecutors.newFixedThreadPool("consumers", 4));
        HttpService service = HttpService.start(16);
        for (int i = 0; i < 4; i++) {
            pool.execute(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    try {
                        if (messages.poll(100, TimeUnit.MILLISECONDS) != null) {
                            service.get(10);
                            stage.countDone();
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            });
        }
        stage.loop("producer", () -> {
            messages.put("message");
            Waiting.millis(Randomness.exponential(20));
        });
    }

    private static void batch(Stage stage) {
        stage.loop("job", () -> {
            InstrumentedThreadPoolExecutor pool =
                    InstrumentedThreadPoolExecutor.named("batch").size(CORES).build();
            List<Future<?>> parts = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                parts.add(pool.submit(() -> Hashing.micros(2_000)));
            }
            for (Future<?> part : parts) {
                part.get();
                stage.countDone();
            }
            pool.shutdown();
            if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the batch does not end");
            }
            Waiting.millis(5_000);
        });
    }

    private static void idle(Stage stage) {
        for (int i = 1; i <= 4; i++) {
            ExecutorService pool = stage.keep(InstrumentedExecutors.newFixedThreadPool("idle-" + i, 8));
            for (int task = 0; task < 8; task++) {
                pool.execute(() -> Hashing.micros(200));
            }
        }
        ScheduledExecutorService timer = stage.keep(InstrumentedExecutors.newScheduledThreadPool("timer", 1));
        stage.keep(timer.scheduleAtFixedRate(stage::countDone, 1, 5, TimeUnit.SECONDS));
    }

    private static void smallHeap(Stage stage) {
        List<byte[]> retained = stage.keep(new ArrayList<>());
        for (int i = 0; i < 150; i++) {
            retained.add(new byte[100 * 1024]);
        }
        Database database = stage.keep(Database.open(8));
        ExecutorService pool = stage.keep(InstrumentedExecutors.newFixedThreadPool("queries", 8));
        stage.loop("requests", () -> {
            pool.execute(() -> {
                List<byte[]> garbage = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    garbage.add(new byte[4 * 1024]);
                }
                database.findFar(10 + garbage.size() / 1_000.0);
                stage.countDone();
            });
            Waiting.millis(Randomness.exponential(2.5));
        });
    }
}
