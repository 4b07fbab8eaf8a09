package io.lifeguard.examples.stories;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Clients of a web service, as in a load test. Each sends one request after the other. Thread-safe. */
final class HttpClients {

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /**
     * The results of one number of clients.
     *
     * @param clients the number of clients
     * @param perSecond the number of answers per second
     * @param meanMillis the mean response time
     * @param slowMillis the 95th percentile of the response time
     */
    record Row(int clients, double perSecond, double meanMillis, double slowMillis) {}

    /** Lets that many clients send requests for that long. */
    Row ask(URI address, int clients, Duration length) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients, body -> {
            Thread thread = new Thread(body, "client");
            thread.setDaemon(true);
            return thread;
        });
        long start = System.nanoTime();
        Callable<List<Double>> client = () -> askUntil(address, start + length.toNanos());
        List<Double> millis = new ArrayList<>();
        try {
            for (Future<List<Double>> done : threads.invokeAll(Collections.nCopies(clients, client))) {
                millis.addAll(done.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client failed: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        millis.sort(null);
        double sum = millis.stream().mapToDouble(Double::doubleValue).sum();
        return new Row(
                clients, millis.size() / seconds, sum / millis.size(), millis.get((int) (0.95 * (millis.size() - 1))));
    }

    private List<Double> askUntil(URI address, long end) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address).timeout(Duration.ofMinutes(5)).build();
        List<Double> millis = new ArrayList<>();
        do {
            long start = System.nanoTime();
            http.send(request, HttpResponse.BodyHandlers.discarding());
            millis.add((System.nanoTime() - start) / 1e6);
        } while (System.nanoTime() - end < 0);
        return millis;
    }
}
