package io.lifeguard.pool.corpus.real.virtual;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.sun.net.httpserver.HttpServer;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.lifeguard.pool.corpus.work.Database;
import io.lifeguard.workbench.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Programs whose virtual threads queue for a few connections or permits. Stateless. */
final class ConnectionPools {

    private static final String IN_LINE = "virtual-threads-in-line";

    private ConnectionPools() {}

    static List<VirtualProgram> all() {
        return List.of(
                VirtualProgram.sick(
                                "hikari-ten-connections",
                                "500 tasks share ten connections of HikariCP 7 to H2, and each query takes 20 ms",
                                Label.of(IN_LINE, "HikariPool-1|HikariCP", "Database.query")
                                        .heldInsideBy("10 of 10 in use"),
                                stage -> hikari(stage, 500))
                        .quick(),
                VirtualProgram.sick(
                        "tomcat-commons-pool",
                        "200 requests of Tomcat share eight objects of commons-pool2, each for 50 ms",
                        Label.of(IN_LINE, "commons-pool", "Shop.price").heldInsideBy("8 of 8 in use"),
                        stage -> tomcatCommonsPool(stage, 200, 0)),
                VirtualProgram.sick(
                        "jetty-httpclient-five",
                        "100 requests of Jetty 12.1 ask one host with HttpClient 5 and its five connections",
                        Label.of(IN_LINE, "HttpClient 5", "Prices.load"),
                        stage -> jettyHttpClient(stage, 100, 0)),
                VirtualProgram.sick(
                        "resilience4j-bulkhead",
                        "200 requests of the JDK's HTTP server queue at a bulkhead for ten",
                        Label.of(IN_LINE, "Semaphore|SemaphoreBulkhead", "Guarded.load"),
                        stage -> bulkhead(stage, 200, 0, 50)),
                VirtualProgram.sick(
                        "c3p0-four-connections",
                        "100 tasks share four connections of c3p0, which lets threads wait in Object.wait()",
                        Label.of(IN_LINE, "c3p0", "Accounts.find").heldInsideBy("4 of 4 in use"),
                        ConnectionPools::c3p0));
    }

    static void hikari(VirtualStage stage, int tasks) {
        Database database = stage.keep(Database.openWithBeans(10));
        stage.feed(stage.executor("orders"), tasks, () -> database.findFar(20));
    }

    static void tomcatCommonsPool(VirtualStage stage, int clients, double pauseMillis) throws Exception {
        Shop shop = stage.keep(new Shop(8));
        Servers.tomcat(stage, clients, pauseMillis, shop::price);
    }

    static void jettyHttpClient(VirtualStage stage, int clients, double pauseMillis) throws Exception {
        Prices prices = stage.keep(new Prices());
        Servers.jetty(stage, clients, pauseMillis, prices::load);
    }

    static void bulkhead(VirtualStage stage, int clients, double pauseMillis, int millis) throws IOException {
        Guarded guarded = stage.keep(new Guarded(millis));
        HttpServer server =
                stage.keep(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000));
        server.setExecutor(stage.executor("requests"));
        server.createContext("/shop", exchange -> {
            try (exchange) {
                byte[] answer = guarded.load();
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
        stage.clients(clients, pauseMillis, server.getAddress().getPort(), "/shop");
    }

    private static void c3p0(VirtualStage stage) {
        ComboPooledDataSource pool = stage.keep(new ComboPooledDataSource());
        pool.setJdbcUrl("jdbc:h2:mem:accounts;DB_CLOSE_DELAY=-1");
        pool.setMaxPoolSize(4);
        Accounts accounts = new Accounts(pool);
        stage.feed(stage.executor("accounts"), 100, accounts::find);
    }

    /** A user's service. */
    private static final class Shop {
        private final GenericObjectPool<byte[]> pool;

        Shop(int size) {
            pool = new GenericObjectPool<>(new Factory());
            pool.setMaxTotal(size);
            pool.setMaxIdle(size);
        }

        byte[] price() throws Exception {
            byte[] one = pool.borrowObject();
            try {
                Waiting.millis(50);
                return one;
            } finally {
                pool.returnObject(one);
            }
        }

        private static final class Factory extends BasePooledObjectFactory<byte[]> {
            @Override
            public byte[] create() {
                return "a price".getBytes(StandardCharsets.US_ASCII);
            }

            @Override
            public PooledObject<byte[]> wrap(byte[] one) {
                return new DefaultPooledObject<>(one);
            }
        }
    }

    /** A user's client, with the default of five connections per host. */
    private static final class Prices {
        private final CloseableHttpClient client = HttpClients.custom()
                .setConnectionManager(
                        PoolingHttpClientConnectionManagerBuilder.create().build())
                .build();

        byte[] load() throws IOException {
            return client.execute(
                    new HttpGet(VirtualStage.address(30).toString()),
                    response -> EntityUtils.toByteArray(response.getEntity()));
        }
    }

    /** A user's client behind a bulkhead. */
    private static final class Guarded {
        private final Bulkhead bulkhead = Bulkhead.of(
                "prices",
                BulkheadConfig.custom()
                        .maxConcurrentCalls(10)
                        .maxWaitDuration(Duration.ofMinutes(1))
                        .build());
        private final int millis;

        Guarded(int millis) {
            this.millis = millis;
        }

        byte[] load() {
            return bulkhead.executeSupplier(() -> VirtualStage.call(millis));
        }
    }

    /** A user's repository. */
    private static final class Accounts {
        private final ComboPooledDataSource pool;

        Accounts(ComboPooledDataSource pool) {
            this.pool = pool;
        }

        void find() throws SQLException {
            try (Connection connection = pool.getConnection()) {
                connection.getMetaData(); // used, so that it is a real one
                Waiting.millis(20);
            }
        }
    }
}
