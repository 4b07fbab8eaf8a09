package io.lifeguard.pool.corpus.real.virtual;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.os.VirtualThreads;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * The surroundings of a program on virtual threads, in the program's JVM. Thread-safe. Its clients, and the service and
 * the database that it calls, are in the JVM that started it, so that nothing else runs here.
 */
final class VirtualStage {

    /** The system property with the address of a service that answers after the time that follows the address. */
    static final String SERVICE = "corpus.service";

    /** The system property with the port of an old database. */
    static final String DATABASE = "corpus.database";

    /** Printed with port, path, number of clients and their mean pause in milliseconds. */
    static final String CLIENTS = "@clients";

    private final boolean isInstrumented;
    private final List<Object> kept = new CopyOnWriteArrayList<>();

    /**
     * Sets a stage.
     *
     * @param isInstrumented whether the executors are those of the library, or the JDK's
     */
    VirtualStage(boolean isInstrumented) {
        this.isInstrumented = isInstrumented;
        System.setProperty("http.maxConnections", "1000"); // kept alive by the JDK's client
    }

    boolean isInstrumented() {
        return isInstrumented;
    }

    /** {@return an executor with a virtual thread per task} */
    Executor executor(String name) {
        return keep(
                isInstrumented
                        ? InstrumentedExecutors.newVirtualThreadPerTaskExecutor(name)
                        : body -> VirtualThreads.unnamed().newThread(body).start());
    }

    /** Keeps an object reachable until the end, as a field of a service would. */
    <T> T keep(T object) {
        kept.add(object);
        return object;
    }

    /** {@return the address of the service that answers after this time} */
    static URL address(int millis) {
        try {
            return URI.create(System.getProperty(SERVICE) + millis).toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("it is an address of HTTP", e);
        }
    }

    /** Calls the service, which answers after this time. */
    static byte[] call(int millis) {
        try (InputStream answer = address(millis).openStream()) {
            return answer.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the service is gone", e);
        }
    }

    static int databasePort() {
        return Integer.getInteger(DATABASE);
    }

    /** Asks for clients of a server in this JVM, each of which asks again after a pause. */
    void clients(int count, double pauseMillis, int port, String path) {
        System.out.println(CLIENTS + " " + port + " " + path + " " + count + " " + pauseMillis);
    }

    /** Something that is done again and again. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /** Has an executor do something again and again, with a given number of tasks that run or wait. */
    void feed(Executor executor, int standing, Step step) {
        Semaphore clients = new Semaphore(standing);
        loop("clients", () -> {
            clients.acquire();
            executor.execute(() -> {
                try {
                    step.run();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                } finally {
                    clients.release();
                }
            });
        });
    }

    /** Starts a platform thread that does something again and again. */
    void loop(String name, Step step) {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (!Thread.currentThread().isInterrupted()) {
                            step.run();
                        }
                    } catch (Exception e) {
                        e.printStackTrace(System.out);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}
