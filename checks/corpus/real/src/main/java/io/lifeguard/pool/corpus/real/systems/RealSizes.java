package io.lifeguard.pool.corpus.real.systems;

import io.lifeguard.pool.corpus.sizing.SizingWorkload;
import io.lifeguard.pool.corpus.work.Database;
import io.lifeguard.pool.corpus.work.HttpService;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.util.List;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Tasks of real systems, for the sweeps over sizes. Stateless. */
public final class RealSizes implements SizingWorkload.Source {

    private static final int LARGEST = 64;

    /** The connection of each worker to the Jetty server. */
    private static final ThreadLocal<Stage.@Nullable Connection> CONNECTION = new ThreadLocal<>();

    @Override
    public List<SizingWorkload> workloads() {
        return List.of(
                of("lucene-indexing", "indexes a document of 1,000 words", () -> task(new Lucene.Library()::index)),
                of("lucene-searching", "searches 2,000 documents for 20 words", () -> {
                    Lucene.Library library = new Lucene.Library();
                    library.fill();
                    return task(library::search);
                }),
                of("lucene-search-and-call", "such a search, and a call of 10 ms", () -> {
                    Lucene.Library library = new Lucene.Library();
                    library.fill();
                    return task(() -> {
                        library.search();
                        Waiting.call(10);
                    });
                }),
                of("h2-sum", "sums up a table of 2,000 rows in H2, with connections enough", () -> {
                    Database database = Database.open(LARGEST + 8);
                    return database::sum;
                }),
                of("hikari-eight-connections", "a query of 10 ms over one of eight connections of HikariCP", () -> {
                    Database database = Database.open(8);
                    return () -> {
                        Hashing.micros(200);
                        database.findFar(10);
                    };
                }),
                of(
                        "httpclient-six-per-route",
                        "a call of 15 ms over one of Apache HttpClient's six connections",
                        () -> {
                            CloseableHttpClient client = Clients.client(6);
                            Clients.Prices prices = new Clients.Prices(
                                    client, HttpService.start(16).url(15));
                            return task(prices::load);
                        }),
                of("jetty-in-process", "asks a Jetty server in the same JVM, which calls a service of 4 ms", () -> {
                    int port = ThreadServers.port(ThreadServers.jetty(HttpService.start(LARGEST), 4, false));
                    return task(() -> {
                        Stage.Connection mine = CONNECTION.get();
                        if (mine == null) {
                            mine = new Stage.Connection(port);
                            CONNECTION.set(mine);
                        }
                        mine.get("/price");
                    });
                }),
                of("logback-slow-file", "a call of 8 ms, and a line to a file whose disk takes 1 ms per line", () -> {
                    Logger logger = Loggers.toSlowDisk(1);
                    return () -> {
                        Waiting.call(8);
                        logger.info("ordered");
                    };
                }));
    }

    private static SizingWorkload of(String name, String about, Opener opener) {
        return new SizingWorkload(name, about, false, 1, LARGEST, () -> {
            try {
                return opener.open();
            } catch (Exception e) {
                throw new IllegalStateException("cannot prepare " + name, e);
            }
        });
    }

    private static Runnable task(Stage.Step step) {
        return () -> {
            try {
                step.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    /** Prepares what a task needs. */
    private interface Opener {
        Runnable open() throws Exception;
    }
}
