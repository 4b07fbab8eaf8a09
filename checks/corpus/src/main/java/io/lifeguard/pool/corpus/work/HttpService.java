package io.lifeguard.pool.corpus.work;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lifeguard.workbench.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP service on loopback that answers after a requested time, and the JDK's two clients for it. Thread-safe. */
public final class HttpService implements AutoCloseable {

    private static final byte[] BODY = "on the shelf".getBytes(StandardCharsets.US_ASCII);

    private final HttpServer server;
    private final ExecutorService threads;
    private final HttpClient client = HttpClient.newHttpClient();

    private HttpService(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Starts a service.
     *
     * @param requests how many requests it handles at a time
     */
    public static HttpService start(int requests) {
        // Head and body are written separately, and Nagle's algorithm would delay the body by 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("http.maxConnections", "256");
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
            ExecutorService threads = Executors.newFixedThreadPool(requests, body -> {
                Thread thread = new Thread(body, "http-service");
                thread.setDaemon(true);
                return thread;
            });
            server.createContext("/", HttpService::answer);
            server.setExecutor(threads);
            server.start();
            return new HttpService(server, threads);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on loopback", e);
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Waiting.millis(Double.parseDouble(exchange.getRequestURI().getPath().substring(1)));
            exchange.sendResponseHeaders(200, BODY.length);
            exchange.getResponseBody().write(BODY);
        }
    }

    /** Asks with {@link java.net.HttpURLConnection}, which waits in a read of the socket. */
    public void get(double millis) {
        try (InputStream body = url(millis).openStream()) {
            body.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the service is gone", e);
        }
    }

    /** Asks with {@link HttpClient}, which waits for a future that its own selector thread completes. */
    public void send(double millis) {
        try {
            client.send(HttpRequest.newBuilder(address(millis)).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException("the service is gone", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The address that answers after this time. */
    public URL url(double millis) {
        try {
            return address(millis).toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("it is an address of HTTP", e);
        }
    }

    private URI address(double millis) {
        return URI.create("http://" + server.getAddress().getAddress().getHostAddress() + ":"
                + server.getAddress().getPort() + "/" + millis);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
