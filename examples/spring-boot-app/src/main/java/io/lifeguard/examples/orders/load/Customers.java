package io.lifeguard.examples.orders.load;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Customers who each order, wait for the answer, and order again. Whoever finds the door closed, or is left without an answer, asks again
 * with the same number, and is counted. One thread each; used by one thread.
 */
public final class Customers {

    private static final int CREATED = 201;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int TRIES = 20;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final RoundRobin instances;
    private final Duration pause;
    private final Answers answers = new Answers();
    private volatile boolean over; // written by the thread that uses this; customers see it before their next order

    /**
     * Customers of these instances.
     *
     * @param pause for how long each thinks before the next order; the first one comes at any time within it, so that not all come at once
     */
    public Customers(RoundRobin instances, Duration pause) {
        this.instances = instances;
        this.pause = pause;
    }

    /**
     * Lets so many customers order at the same time for so long.
     *
     * @param meanwhile what to do while they order; they go on until it is done as well
     */
    public Answers order(int customers, Duration howLong, Meanwhile meanwhile) throws Exception {
        long begin = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < customers; i++) {
            Thread thread = new Thread(this::orderUntilOver, "customer-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        try {
            meanwhile.run();
            long left = howLong.toMillis() - (System.nanoTime() - begin) / 1_000_000;
            if (left > 0) {
                Thread.sleep(left);
            }
        } finally {
            over = true;
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return answers.after(Duration.ofNanos(System.nanoTime() - begin));
    }

    private void orderUntilOver() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(pause.toMillis() + 1));
            while (!over) {
                order(UUID.randomUUID().toString());
                Thread.sleep(pause.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void order(String number) throws InterruptedException {
        String body = "{\"request\":\"" + number + "\",\"item\":\"whistle\",\"quantity\":2}";
        long begin = System.nanoTime();
        for (int tries = 0; tries < TRIES; tries++) {
            URI instance = instances.next();
            try {
                HttpResponse<String> answer = http.send(request(instance, body), BodyHandlers.ofString());
                if (answer.statusCode() == CREATED && answer.body().contains(number)) {
                    answers.answered(number, System.nanoTime() - begin);
                } else {
                    answers.countRefused(answer.statusCode() + " from " + instance + ": " + answer.body());
                }
                return;
            } catch (ConnectException closed) {
                answers.countTurnedAway();
            } catch (IOException broken) {
                answers.countBroken(broken + " from " + instance);
            }
        }
        answers.countRefused("no instance answered");
    }

    private static HttpRequest request(URI instance, String body) {
        return HttpRequest.newBuilder(instance.resolve("/orders"))
                .header("Content-Type", "application/json")
                .timeout(PATIENCE)
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    /** What happens while customers order. */
    public interface Meanwhile {
        /** Does it. */
        void run() throws Exception;
    }
}
