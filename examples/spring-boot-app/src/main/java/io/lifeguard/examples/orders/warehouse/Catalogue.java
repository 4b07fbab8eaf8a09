package io.lifeguard.examples.orders.warehouse;

import com.sun.net.httpserver.HttpServer;
import io.lifeguard.workbench.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.annotation.Profile;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** A distant service that is asked over HTTP, by a {@code WebClient} with few connections. Thread-safe. */
@Component
@Profile("teams")
public class Catalogue implements AutoCloseable {

    private static final int CONNECTIONS = 4;
    private static final int SERVER_THREADS = 16;
    private static final double ANSWER_MILLIS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpServer server;
    private final ExecutorService serverThreads;
    private final ConnectionProvider connections;
    private final WebClient client;

    /** Starts the service on a free port. */
    public Catalogue() throws IOException {
        AtomicInteger number = new AtomicInteger();
        serverThreads = Executors.newFixedThreadPool(SERVER_THREADS, task -> {
            Thread thread = new Thread(task, "catalogue-server-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(serverThreads);
        server.createContext("/", exchange -> {
            Waiting.nanos((long) (ANSWER_MILLIS * 1e6));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        connections = ConnectionProvider.builder("catalogue")
                .maxConnections(CONNECTIONS)
                .metrics(true)
                .build();
        client = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(HttpClient.create(connections)))
                .baseUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build();
    }

    /** Asks, and waits for the answer. */
    public void find() {
        client.get().uri("/").retrieve().toBodilessEntity().block(PATIENCE);
    }

    @Override
    public void close() {
        connections.dispose();
        server.stop(0);
        serverThreads.shutdown();
    }
}
