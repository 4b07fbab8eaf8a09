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
 * Customers who order, wait for the answer and order again. After a refused or broken connection a customer sends the
 * same order number again, and the retry is counted. Each customer has a thread. Used by one thread.
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
    private volatile boolean over; // written by the thread that uses this object; customers read it before each order

    /**
     * Creates customers of these instances.
     *
     * @param pause the time before each order; the first order comes at a random time within the pause
     */
    public Customers(RoundRobin instances, Duration pause) {
        this.instances = instances;
        this.pause = pause;
    }

    /**
     * Lets that many customers order for that long.
     *
     * @param meanwhile what to do while they order; they continue at least until this is done
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
            } catch (ConnectException ignored) {
                answers.countTurnedAway();
            } catch (IOException e) {
                if (isUnheard(e)) {
                    answers.countTurnedAway();
                    continue;
                }
                answers.countBroken(e + " from " + instance);
            }
        }
        answers.countRefused("no instance answered");
    }

    /**
     * {@return whether the server closed a connection that it had kept open before it read this request} Any server may
     * do that at any time, and the client sends the request again.
     */
    private static boolean isUnheard(IOException failure) {
        return String.valueOf(failure.getMessage()).contains("received no bytes");
    }

    private static HttpRequest request(URI instance, String body) {
        return HttpRequest.newBuilder(instance.resolve("/orders"))
                .header("Content-Type", "application/json")
                .timeout(PATIENCE)
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    /** An action to perform while customers order. */
    public interface Meanwhile {
        /** Performs the action. */
        void run() throws Exception;
    }
}
