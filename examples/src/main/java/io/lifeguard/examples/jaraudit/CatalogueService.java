package io.lifeguard.examples.jaraudit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * An HTTP service on the loopback interface that stands in for a remote one. {@link Delays} says how long each answer
 * takes. Each request in progress has its own thread, so requests do not wait for each other. Thread-safe.
 */
final class CatalogueService implements AutoCloseable {

    private static final String PATH = "/jars/";
    private static final int BACKLOG = 1_024;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final HttpServer server;
    private final ExecutorService threads;
    private final Delays delays;

    private CatalogueService(HttpServer server, ExecutorService threads, Delays delays) {
        this.server = server;
        this.threads = threads;
        this.delays = delays;
    }

    /** Starts a service on a free port. */
    static CatalogueService start(Delays delays) throws IOException {
        // The server writes header and body separately. With Nagle's algorithm the body would wait 40 ms for an
        // acknowledgement of the header.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0), BACKLOG);
        AtomicInteger number = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "catalogue-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        CatalogueService service = new CatalogueService(server, threads, delays);
        server.createContext(PATH, service::answer);
        server.setExecutor(threads);
        server.start();
        return service;
    }

    /** Returns the address to which requests go. */
    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String sha1 = exchange.getRequestURI().getPath().substring(PATH.length());
            boolean known = sha1.matches("[0-9a-f]{40}");
            waitFor(known ? delays.nanosFor(sha1) : 0);
            byte[] body = (known ? "shelf " + sha1.substring(0, 6) : "no such jar").getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(known ? 200 : 404, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static void waitFor(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !Thread.currentThread().isInterrupted(); left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
