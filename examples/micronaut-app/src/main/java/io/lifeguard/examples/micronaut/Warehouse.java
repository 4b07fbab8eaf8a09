package io.lifeguard.examples.micronaut;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Another system, which answers 200 ms later, however many ask. Thread-safe. */
@Singleton
class Warehouse {

    private static final int DELAY_MILLIS = 200;

    private final HttpServer server;
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();

    /** Made by the container. */
    Warehouse() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answerLater);
        server.start();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // an answer that fails is missed by the one who asked
    private void answerLater(HttpExchange exchange) {
        later.schedule(() -> answer(exchange), DELAY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static void answer(HttpExchange exchange) {
        try {
            exchange.sendResponseHeaders(200, 1);
            exchange.getResponseBody().write('7');
            exchange.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return what it answers} */
    String ask() throws IOException {
        URI uri = URI.create("http://localhost:" + server.getAddress().getPort() + "/");
        try (InputStream answer = uri.toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @PreDestroy
    void stop() {
        server.stop(0);
        later.shutdownNow();
    }
}
