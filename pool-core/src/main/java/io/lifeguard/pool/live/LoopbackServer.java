package io.lifeguard.pool.live;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lifeguard.pool.report.PageFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP server that only this machine can reach. It answers {@code GET} and {@code HEAD}. Thread-safe.
 *
 * <p>All threads are daemons. Those that answer end after ten seconds without a request.
 */
public final class LoopbackServer implements AutoCloseable {

    private static final int THREADS = 2;
    private static final int MOST_WAITING = 64;
    private static final long IDLE_SECONDS = 10;

    /**
     * A page of another site can make a browser send requests here under a name of its own, which leads to this
     * address. So the name must be the one of this machine, or an address.
     */
    private static final Pattern OWN_HOST =
            Pattern.compile("(localhost|[a-z0-9-]+\\.localhost|[0-9.]+|\\[[0-9a-f:.]+])(:\\d+)?");

    private static final Map<String, String> HEADERS = Map.of(
            "Cache-Control", "no-store",
            "X-Content-Type-Options", "nosniff",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin");

    private final Site site;
    private final String policy;
    private final HttpServer server;
    private final ThreadPoolExecutor threads;

    private LoopbackServer(Site site, String policy, HttpServer server) {
        this.site = site;
        this.policy = policy;
        this.server = server;
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                task -> daemon("lifeguard-page", task));
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Starts a server.
     *
     * @param port where it listens, 0 for any free port
     * @param site what it answers with
     * @param policy the content security policy of all answers
     * @throws IOException if the port is taken
     */
    public static LoopbackServer start(int port, Site site, String policy) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        LoopbackServer made = new LoopbackServer(site, policy, server);
        server.setExecutor(made.threads);
        server.createContext("/", made::answer);
        // Its thread is a daemon if the thread that starts it is one.
        Thread starter = daemon("lifeguard-page-start", server::start);
        starter.start();
        boolean isInterrupted = false;
        while (starter.isAlive()) {
            try {
                starter.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return made;
    }

    private static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** {@return where it listens} */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Ends the server with its threads and connections. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            HEADERS.forEach(headers::set);
            headers.set("Content-Security-Policy", policy);
            String host = exchange.getRequestHeaders().getFirst("Host");
            String method = exchange.getRequestMethod();
            if (host == null || !OWN_HOST.matcher(host.toLowerCase(Locale.ROOT)).matches()) {
                send(exchange, 403, text("The name of this server is localhost."));
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                headers.set("Allow", "GET, HEAD");
                send(exchange, 405, text("Only GET and HEAD are allowed."));
            } else {
                find(exchange);
            }
        }
    }

    private void find(HttpExchange exchange) throws IOException {
        @Nullable PageFile file;
        try {
            String path = exchange.getRequestURI().getPath();
            file = site.find(path.substring(1), exchange.getRequestURI().getRawQuery());
        } catch (IllegalArgumentException e) {
            send(exchange, 400, text(String.valueOf(e.getMessage())));
            return;
        } catch (RuntimeException | IOException e) {
            Log.LOG.warn("The page cannot be made: {}", e.toString(), e);
            send(exchange, 500, text("The page cannot be made: " + e.getClass().getName()));
            return;
        }
        if (file == null) {
            send(exchange, 404, text("There is no such page."));
        } else {
            send(exchange, 200, file);
        }
    }

    private static PageFile text(String text) {
        return PageFile.of("text/plain;charset=UTF-8", text);
    }

    private static void send(HttpExchange exchange, int status, PageFile file) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", file.type());
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", String.valueOf(file.content().length));
            exchange.sendResponseHeaders(status, -1);
        } else {
            exchange.sendResponseHeaders(status, file.content().length);
            exchange.getResponseBody().write(file.content());
        }
    }

    /** Apart, so that the logging library is loaded with the first message. */
    private static final class Log {
        static final Logger LOG = LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");
    }
}
