package io.lifeguard.pool.otlp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Receives log records by OTLP over HTTP on the loopback interface, as protobuf, and keeps them. It can be closed and
 * started again at the same port. Thread-safe.
 */
public final class OtlpReceiver implements AutoCloseable {

    private static final String PATH = "/v1/logs";

    /** What has arrived, in any order. */
    public final List<LogRecord> records = new CopyOnWriteArrayList<>();

    private final AtomicInteger answersToLose = new AtomicInteger(); // counted down by the server's threads
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private HttpServer server;

    private OtlpReceiver(HttpServer server) {
        this.server = server;
    }

    /** Starts at any free port. */
    public static OtlpReceiver start() throws IOException {
        OtlpReceiver receiver = new OtlpReceiver(HttpServer.create(address(0), 0));
        receiver.serve();
        return receiver;
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private void serve() {
        server.createContext(PATH, this::receive);
        server.setExecutor(threads);
        server.start();
    }

    /** Where records are sent to. */
    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + PATH;
    }

    /** Refuses connections until {@link #comeBack()}. */
    public void goAway() {
        server.stop(0);
    }

    /** Accepts connections again, at the same port. */
    public void comeBack() throws IOException {
        server = HttpServer.create(address(server.getAddress().getPort()), 0);
        serve();
    }

    /** Keeps the records of that many further requests, and then breaks the connection instead of answering. */
    public void loseAnswers(int count) {
        answersToLose.set(count);
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            ExportLogsServiceRequest.parseFrom(exchange.getRequestBody()).getResourceLogsList().stream()
                    .flatMap(resource -> resource.getScopeLogsList().stream())
                    .forEach(scope -> records.addAll(scope.getLogRecordsList()));
            if (answersToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                return; // closing the exchange breaks the connection
            }
            byte[] answer = ExportLogsServiceResponse.getDefaultInstance().toByteArray();
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
