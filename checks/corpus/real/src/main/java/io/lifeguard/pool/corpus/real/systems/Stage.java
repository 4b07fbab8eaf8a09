package io.lifeguard.pool.corpus.real.systems;

import io.lifeguard.pool.corpus.work.Randomness;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.workbench.Waiting;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The surroundings of a real system: its clients, which count what is done, and the monitor. Thread-safe. Threads go on
 * until the JVM ends, other processes until the stage is closed.
 */
public final class Stage implements AutoCloseable {

    private final PoolMonitor monitor;
    private final LongAdder done = new LongAdder();
    private volatile @Nullable Exception failure; // the latest of all threads
    private OptionalLong server = OptionalLong.empty(); // the thread that starts the system
    private final List<Object> kept = new CopyOnWriteArrayList<>();
    private final List<Process> processes = new CopyOnWriteArrayList<>();

    /** Sets a stage that this monitor watches. */
    public Stage(PoolMonitor monitor) {
        this.monitor = monitor;
    }

    /** The monitor, with its defaults, for pools that are not made by the library. */
    PoolMonitor monitor() {
        return monitor;
    }

    /** How many requests, tasks or items were done so far. */
    public long done() {
        return done.sum();
    }

    /** Counts one request, task or item. */
    void countDone() {
        done.increment();
    }

    /** Keeps an object reachable until the end, as a field of a service would. */
    <T> T keep(T object) {
        kept.add(object);
        return object;
    }

    /** Says that the system is in a process of its own, which a watcher from outside is to look at. */
    void isIn(Process process) {
        server = OptionalLong.of(process.pid());
    }

    /** The process of the system; empty where it is in this JVM. */
    public OptionalLong server() {
        return server;
    }

    /** Starts another process, which ends with the stage. */
    Process process(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    /** Ends the other processes. The JVM of a fork is halted, and a halted JVM runs no shutdown hooks. */
    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }

    /** What has ended a thread of the stage before its time; a run with such an end does not count. */
    public Optional<Exception> failure() {
        return Optional.ofNullable(failure);
    }

    /** Starts a thread that does something again and again. An exception ends it, and makes the run a failure. */
    void loop(String name, Step step) {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (!Thread.currentThread().isInterrupted()) {
                            step.run();
                        }
                    } catch (Exception e) {
                        failure = e;
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Starts clients that ask a server on loopback for this path, each again as soon as it has its answer. */
    void clients(int count, int port, String path) {
        visitors(count, 0, port, path);
    }

    /** Starts clients that pause between two requests, for a random time with this mean. */
    public void visitors(int count, double pauseMillis, int port, String path) {
        for (int i = 0; i < count; i++) {
            loop("client", () -> {
                try (Connection connection = new Connection(port)) {
                    do {
                        connection.get(path);
                        countDone();
                        Waiting.millis(Randomness.exponential(pauseMillis));
                    } while (!connection.isClosing);
                }
            });
        }
    }

    /** Something that is done again and again. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /** A connection of HTTP 1.1 that is kept alive. It costs less CPU than the JDK's clients. One thread only. */
    static final class Connection implements AutoCloseable {
        private final Socket socket;
        private final OutputStream out;
        private final InputStream in;
        private boolean isClosing; // the server has said that it closes the connection

        Connection(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            out = socket.getOutputStream();
            in = new BufferedInputStream(socket.getInputStream());
        }

        void get(String path) throws IOException {
            out.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            String status = line();
            if (!status.contains(" 200")) {
                throw new IOException("the server answers \"" + status + "\"");
            }
            int length = -1;
            for (String header = line(); !header.isEmpty(); header = line()) {
                String lower = header.toLowerCase(Locale.ROOT);
                if (lower.startsWith("content-length:")) {
                    length = Integer.parseInt(lower.substring(15).trim());
                }
                isClosing |= lower.equals("connection: close");
            }
            if (length >= 0) {
                in.readNBytes(length);
                return;
            }
            for (int chunk = chunk(); chunk > 0; chunk = chunk()) {
                in.readNBytes(chunk);
                line();
            }
            line();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }

        private int chunk() throws IOException {
            return Integer.parseInt(line().trim(), 16);
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    throw new IOException("the server has closed the connection");
                } else if (next != '\r') {
                    line.append((char) next);
                }
            }
            return line.toString();
        }
    }
}
