package io.lifeguard.examples.fleet;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Serves {@code /metrics} on the loopback interface, in OpenMetrics or in Prometheus' own format. Thread-safe. */
final class MetricsPage implements AutoCloseable {

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final String PATH = "/metrics";
    private static final int DEFAULT_BACKLOG = 0;
    private static final String OPEN_METRICS = "application/openmetrics-text";
    private static final String OPEN_METRICS_1 = OPEN_METRICS + "; version=1.0.0; charset=utf-8";
    private static final String PLAIN_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final PrometheusMeterRegistry registry;

    private MetricsPage(HttpServer server, PrometheusMeterRegistry registry) {
        this.server = server;
        this.registry = registry;
    }

    /**
     * Starts the server.
     *
     * @param port the port; 0 for any free port
     */
    static MetricsPage start(int port, PrometheusMeterRegistry registry) throws IOException {
        // The server writes header and body separately. With Nagle's algorithm the body would wait 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
        MetricsPage page = new MetricsPage(HttpServer.create(address, DEFAULT_BACKLOG), registry);
        page.server.createContext(PATH, page::answer);
        page.server.start();
        return page;
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + PATH);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String contentType = contentType(exchange.getRequestHeaders().getFirst("Accept"));
            ByteArrayOutputStream page = new ByteArrayOutputStream();
            registry.scrape(page, contentType);
            exchange.getResponseHeaders().set("Content-Type", contentType);
            exchange.sendResponseHeaders(200, page.size());
            page.writeTo(exchange.getResponseBody());
        }
    }

    private static String contentType(@Nullable String accept) {
        return accept != null && accept.contains(OPEN_METRICS) ? OPEN_METRICS_1 : PLAIN_TEXT;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
