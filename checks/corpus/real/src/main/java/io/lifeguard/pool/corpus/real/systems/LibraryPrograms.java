package io.lifeguard.pool.corpus.real.systems;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import io.lifeguard.pool.corpus.work.HttpService;
import io.lifeguard.pool.corpus.work.Randomness;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Programs whose limit is in a library, on executors and threads that only {@code lifeguard watch} can look at. */
final class LibraryPrograms {

    private static final LongAdder CHECKSUM = new LongAdder();
    private static final int WORKERS = 16;

    private LibraryPrograms() {}

    static List<RealSystem> all() {
        int cpus = Runtime.getRuntime().availableProcessors();
        return List.of(
                RealSystem.named("jetty-computes", "cpu-saturated")
                        .about("forty threads of Jetty compute hashes of 3 ms for forty clients")
                        .at("JettySums.handle")
                        .cure("two threads for each CPU, and one that selects")
                        .forms(stage -> jetty(stage, 42), stage -> jetty(stage, 2 * cpus + 2)),
                RealSystem.named("commons-pool-four-objects", "downstream-saturated")
                        .about("32 workers share four objects of a pool of Apache Commons, each for 20 ms")
                        .at("LibraryPrograms.borrow")
                        .cure("32 objects")
                        .forms(stage -> objects(stage, 4), stage -> objects(stage, 32)),
                RealSystem.named("guava-slow-loader", "waits-on-another-pool", "lock-contention")
                        .about("16 workers need one entry of a Guava cache that expires after 20 ms and loads for 80")
                        .at("LibraryPrograms.rate")
                        .cure("the entry stays")
                        .forms(
                                stage -> cache(stage, Duration.ofMillis(20)),
                                stage -> cache(stage, Duration.ofHours(1))),
                RealSystem.named("h2-one-row", "downstream-saturated", "lock-contention")
                        .about("16 workers update one row of an H2 database, and call a service before they commit")
                        .at("LibraryPrograms.update")
                        .cure("a row for each")
                        .forms(stage -> rows(stage, 1), stage -> rows(stage, 1_000)),
                RealSystem.named("reactor-bounded-elastic", "blocked-on-io")
                        .about("calls of 30 ms fill Reactor's elastic scheduler of ten threads for each CPU")
                        .at("LibraryPrograms.call")
                        .cure("four times as many threads")
                        .forms(stage -> reactor(stage, 10 * cpus), stage -> reactor(stage, 40 * cpus)),
                RealSystem.named("spring-caller-runs", "dispatcher-runs-tasks")
                        .about("one task in 20 is a report of 60 ms, and Spring's ThreadPoolTaskExecutor of six threads"
                                + " lets the submitter run what does not fit")
                        .at("feed")
                        .cure("submitters wait")
                        .forms(stage -> spring(stage, true), stage -> spring(stage, false)),
                RealSystem.named("vertx-workers-full", "blocked-on-io")
                        .about("calls of 30 ms fill the 20 workers of Vert.x")
                        .at("LibraryPrograms.call")
                        .cure("80 workers")
                        .forms(stage -> vertx(stage, 20), stage -> vertx(stage, 80)));
    }

    private static void jetty(Stage stage, int threads) throws Exception {
        Server server = stage.keep(new Server(new QueuedThreadPool(threads, threads)));
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("localhost");
        server.addConnector(connector);
        server.setHandler(new JettySums());
        server.start();
        stage.clients(40, connector.getLocalPort(), "/sum");
    }

    private static void objects(Stage stage, int most) {
        GenericObjectPoolConfig<StringBuilder> settings = new GenericObjectPoolConfig<>();
        settings.setMaxTotal(most);
        settings.setMaxIdle(most);
        GenericObjectPool<StringBuilder> objects = stage.keep(new GenericObjectPool<>(new Objects(), settings));
        feed(stage, Executors.newFixedThreadPool(32), 30, () -> borrow(objects));
    }

    private static void borrow(GenericObjectPool<StringBuilder> objects) throws Exception {
        StringBuilder object = objects.borrowObject();
        Waiting.millis(20);
        objects.returnObject(object);
    }

    private static void cache(Stage stage, Duration lives) {
        HttpService rates = HttpService.start(64);
        LoadingCache<String, Long> cache =
                CacheBuilder.newBuilder().expireAfterWrite(lives).build(CacheLoader.from(key -> load(rates)));
        ExecutorService workers = stage.keep(Executors.newFixedThreadPool(WORKERS));
        Semaphore standing = new Semaphore(40);
        stage.loop(
                "clients",
                () -> { // 2,000 in a second, of which half are done while the entry is loaded
                    Waiting.millis(0.5);
                    standing.acquire();
                    workers.execute(() -> {
                        rate(cache, rates);
                        stage.countDone();
                        standing.release();
                    });
                });
    }

    private static void rate(LoadingCache<String, Long> cache, HttpService rates) {
        CHECKSUM.add(cache.getUnchecked("EUR"));
        rates.get(2);
    }

    private static long load(HttpService rates) {
        rates.get(80);
        return 1;
    }

    private static void rows(Stage stage, int count) throws SQLException {
        HttpService mail = HttpService.start(64);
        String url = "jdbc:h2:mem:stock;LOCK_TIMEOUT=60000";
        Connection first = stage.keep(DriverManager.getConnection(url));
        try (Statement statement = first.createStatement()) {
            statement.execute("create table stock(id int primary key, number int)");
            for (int i = 0; i < count; i++) {
                statement.execute("insert into stock values(" + i + ", 0)");
            }
        }
        AtomicLong orders = new AtomicLong();
        feed(stage, Executors.newFixedThreadPool(WORKERS), WORKERS - 2, () -> {
            try (Connection connection = DriverManager.getConnection(url)) {
                connection.setAutoCommit(false);
                update(connection, orders.getAndIncrement() % count);
                mail.get(10);
                connection.commit();
            }
        });
    }

    private static void update(Connection connection, long row) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("update stock set number = number + 1 where id = " + row);
        }
    }

    private static void reactor(Stage stage, int threads) {
        HttpService service = HttpService.start(256);
        Scheduler scheduler = stage.keep(Schedulers.newBoundedElastic(threads, 10_000, "elastic"));
        Executor calls = task ->
                stage.keep(Mono.fromRunnable(task).subscribeOn(scheduler).subscribe());
        feed(stage, calls, 60, () -> call(service));
    }

    private static void vertx(Stage stage, int threads) {
        HttpService service = HttpService.start(256);
        Vertx vertx = stage.keep(Vertx.vertx(new VertxOptions().setWorkerPoolSize(threads)));
        Executor calls = task -> stage.keep(vertx.executeBlocking(
                () -> {
                    task.run();
                    return "done";
                },
                false));
        feed(stage, calls, 60, () -> call(service));
    }

    private static void call(HttpService service) throws IOException {
        try (InputStream answer = service.url(30).openStream()) {
            CHECKSUM.add(answer.readAllBytes().length);
        }
    }

    private static void spring(Stage stage, boolean isCallerRuns) {
        HttpService service = HttpService.start(64);
        ThreadPoolTaskExecutor pool = stage.keep(new ThreadPoolTaskExecutor());
        pool.setCorePoolSize(6);
        pool.setMaxPoolSize(6);
        pool.setThreadNamePrefix("mail-");
        pool.setQueueCapacity(isCallerRuns ? 12 : Integer.MAX_VALUE);
        pool.setRejectedExecutionHandler(new CallerRunsPolicy());
        pool.initialize();
        Stage.Step task = () -> service.get(Randomness.chance(0.05) ? 60 : 2);
        if (!isCallerRuns) {
            feed(stage, pool, 5, task);
            return;
        }
        stage.loop(
                "feed",
                () -> pool.execute(() -> {
                    run(task);
                    stage.countDone();
                }));
    }

    /** Keeps as many tasks queued or running. */
    private static void feed(Stage stage, Executor pool, int standing, Stage.Step task) {
        if (pool instanceof ExecutorService service) {
            stage.keep(service);
        }
        Semaphore clients = new Semaphore(standing);
        stage.loop("clients", () -> {
            clients.acquire();
            pool.execute(() -> {
                try {
                    run(task);
                    stage.countDone();
                } finally {
                    clients.release();
                }
            });
        });
    }

    private static void run(Stage.Step task) {
        try {
            task.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A handler of Jetty that computes. */
    private static final class JettySums extends Handler.Abstract {

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            byte[] sum = Long.toString(Hashing.micros(3_000)).getBytes(StandardCharsets.US_ASCII);
            response.write(true, ByteBuffer.wrap(sum), callback);
            return true;
        }
    }

    /** Makes objects of which there are only a few. */
    private static final class Objects extends BasePooledObjectFactory<StringBuilder> {

        @Override
        public StringBuilder create() {
            return new StringBuilder();
        }

        @Override
        public PooledObject<StringBuilder> wrap(StringBuilder object) {
            return new DefaultPooledObject<>(object);
        }
    }
}
