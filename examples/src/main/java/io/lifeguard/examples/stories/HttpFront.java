package io.lifeguard.examples.stories;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.Executor;

/** A web service on the loopback interface that handles its requests in a given pool. Thread-safe. */
final class HttpFront implements AutoCloseable {

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int BACKLOG = 1_024;

    private final HttpServer server;

    private HttpFront(HttpServer server) {
        this.server = server;
    }

    /** Starts the service on a free port. Each request runs {@code work} and is answered afterwards. */
    static HttpFront start(Executor pool, Runnable work) throws IOException {
        // The server writes header and body separately. With Nagle's algorithm the body would wait 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0), BACKLOG);
        server.createContext("/", exchange -> answer(exchange, work));
        server.setExecutor(pool);
        server.start();
        return new HttpFront(server);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/order");
    }

    private static void answer(HttpExchange exchange, Runnable work) throws IOException {
        try (exchange) {
            work.run();
            exchange.sendResponseHeaders(204, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
