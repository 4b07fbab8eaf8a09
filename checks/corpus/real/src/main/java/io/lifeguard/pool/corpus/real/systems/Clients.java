package io.lifeguard.pool.corpus.real.systems;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.corpus.work.Database;
import io.lifeguard.pool.corpus.work.HttpService;
import java.io.IOException;
import java.net.URL;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Connection pools that are smaller than the thread pool in front of them: HikariCP and Apache HttpClient. */
final class Clients {

    private static final String DOWNSTREAM = "downstream-saturated";

    private Clients() {}

    static List<RealSystem> all() {
        return List.of(
                RealSystem.named("hikari-ten-connections", DOWNSTREAM)
                        .about("50 workers share ten connections of HikariCP to H2, and each query takes 20 ms")
                        .at("Orders.find")
                        .cure("50 connections")
                        .quick()
                        .forms(stage -> hikari(stage, 10), stage -> hikari(stage, 50)),
                RealSystem.named("httpclient-five-per-route", DOWNSTREAM)
                        .about("40 workers ask one host with Apache HttpClient 5 and its default of five connections")
                        .at("Prices.load")
                        .cure("40 connections per route")
                        .forms(stage -> httpClient(stage, 5), stage -> httpClient(stage, 40)));
    }

    private static void hikari(Stage stage, int connections) {
        Orders orders = new Orders(stage.keep(Database.open(connections)));
        feed(stage, "orders", 50, 45, orders::find);
    }

    private static void httpClient(Stage stage, int perRoute) {
        Prices prices =
                new Prices(stage.keep(client(perRoute)), HttpService.start(64).url(30));
        feed(stage, "prices", 40, 36, prices::load);
    }

    static CloseableHttpClient client(int perRoute) {
        return HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(perRoute)
                        .setMaxConnTotal(200)
                        .build())
                .build();
    }

    /** Submits tasks to a pool so that a given number is always queued or running, as so many clients would. */
    static void feed(Stage stage, String name, int workers, int standing, Stage.Step task) {
        InstrumentedThreadPoolExecutor pool = stage.keep(
                InstrumentedThreadPoolExecutor.named(name).size(workers).build());
        Semaphore clients = new Semaphore(standing);
        stage.loop("clients", () -> {
            clients.acquire();
            pool.execute(() -> {
                try {
                    task.run();
                    stage.countDone();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                } finally {
                    clients.release();
                }
            });
        });
    }

    /** A user's repository. */
    private static final class Orders {
        private final Database database;

        Orders(Database database) {
            this.database = database;
        }

        void find() {
            database.findFar(20);
        }
    }

    /** A user's client. */
    static final class Prices {
        private final CloseableHttpClient client;
        private final URL url;

        Prices(CloseableHttpClient client, URL url) {
            this.client = client;
            this.url = url;
        }

        void load() throws IOException {
            String body =
                    client.execute(new HttpGet(url.toString()), response -> EntityUtils.toString(response.getEntity()));
            if (body.isEmpty()) {
                throw new IOException("no price");
            }
        }
    }
}
