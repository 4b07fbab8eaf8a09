package io.lifeguard.pool.report;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.live.LoopbackServer;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.Recorder;
import io.lifeguard.pool.recording.Recorders;
import io.lifeguard.pool.report.drawing.LivePage;
import io.lifeguard.pool.report.drawing.PageFile;
import io.lifeguard.pool.report.drawing.ProcessName;
import io.lifeguard.pool.text.LogText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A web page that shows what the pools do, as it happens: the picture of the last minute, which grows. It shows sick
 * pools first, and changes nothing. Thread-safe.
 *
 * <p>{@link #serve(int)} serves the page to browsers on this machine. Any other web server can serve it by sending
 * {@linkplain #part parts}: the page is the part {@value #PAGE}, and asks for the other parts beside itself.
 *
 * <p>The page asks once a second for what is new in the monitor's record of the last minute. Without a viewer the page
 * does nothing, and it keeps nothing for viewers.
 */
public final class PoolPage {

    /** The name of the part that a browser opens. */
    public static final String PAGE = LivePage.NAME;

    private static final String TITLE = "Thread pools, live: ";
    private static final String DATA = "data";

    /** What was recorded may still be completed for so long. */
    private static final long SETTLING_NANOS = 2_000_000_000L;

    /** Observations arrive up to a window late. That of a pool with little to do lasts four rounds. */
    private static final int ROUNDS_PER_WINDOW = 4;

    /** A page that knows a later moment than this has known another clock. */
    private static final long CLOCK_NANOS = 5_000_000_000L;

    /** Later moments do not fit into nanoseconds. */
    private static final long MOST_MILLIS = Long.MAX_VALUE / 1_000_000;

    private static final Pattern SINCE = Pattern.compile("(?:.*&)?since=([^&]*)(?:&.*)?");

    private final PoolMonitor monitor;
    private final String instance = UUID.randomUUID().toString();
    private final String title = TITLE + ProcessName.text();

    private PoolPage(PoolMonitor monitor) {
        this.monitor = monitor;
    }

    /**
     * {@return the page of a monitor}
     *
     * @param monitor the monitor, not null
     */
    public static PoolPage of(PoolMonitor monitor) {
        return new PoolPage(Objects.requireNonNull(monitor, "monitor must not be null"));
    }

    /**
     * Serves the page of the {@linkplain PoolMonitor#global() global} monitor on this machine's loopback address, which
     * other machines cannot reach.
     *
     * <p>Does not keep the JVM running.
     *
     * @param port from 1 to 65535, or 0 for any free port
     * @return the server, which knows its address, until it is closed
     * @throws IllegalArgumentException if there is no such port
     * @throws IOException if the port is taken
     */
    public static Server serve(int port) throws IOException {
        return of(PoolMonitor.global()).start(port);
    }

    Server start(int port) throws IOException {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be between 0 and 65535 (was " + port + ")");
        }
        try {
            return new Server(LoopbackServer.start(
                    port,
                    (name, query) -> find(name.isEmpty() ? PAGE : name, query),
                    LivePage.POLICY + "; frame-ancestors 'none'"));
        } catch (BindException e) {
            IOException taken = new BindException("port " + port + " cannot be used: " + e.getMessage());
            taken.initCause(e);
            throw taken;
        }
    }

    /**
     * Makes a part of the page, to be sent to a browser.
     *
     * @param name its name, the last segment of the path; {@value #PAGE} for the page itself, not null
     * @param query the query of the address, without the question mark; null without one
     * @return the part; empty when there is none of that name
     * @throws IllegalArgumentException if the query is wrong
     * @throws IOException if the part cannot be made
     */
    public Optional<Part> part(String name, @Nullable String query) throws IOException {
        return Optional.ofNullable(find(Objects.requireNonNull(name, "name must not be null"), query))
                .map(file -> new Part(file.type(), file.content()));
    }

    private @Nullable PageFile find(String name, @Nullable String query) throws IOException {
        return switch (name) {
            case DATA -> data(query);
            case "report" ->
                PageFile.of("text/html;charset=UTF-8", LastMinute.of(monitor).html());
            case "jfr" -> {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                monitor.dump(bytes);
                yield new PageFile("application/octet-stream", bytes.toByteArray());
            }
            default -> LivePage.file(name);
        };
    }

    /*
     * The cursor is a moment: the end of what the page knows. So the server keeps nothing about viewers, and a page
     * goes on after a restart. What lies shortly before that moment may still have changed: looks and tasks arrive
     * late, and a look holds for some time. So the answer tells all from a little earlier on (from). For that, it needs
     * the looks that still held then, which are read from as much earlier (begin). The black box forgets after a
     * minute, so what it has may begin later.
     */
    private PageFile data(@Nullable String query) {
        Recorder recorder = Recorders.of(monitor);
        long now = recorder.epochNanos(System.nanoTime());
        long since = since(query);
        long oldest = recorder.oldestNanos().orElse(0);
        if (since == 0 || since > now + CLOCK_NANOS) {
            return LivePage.data(title, instance, now, oldest, 0, recorder.observations());
        }
        long window = monitor.window().toNanos();
        long settles = Math.max(SETTLING_NANOS, ROUNDS_PER_WINDOW * window);
        long holds = Math.max(WorkerSample.HOLDS_NANOS, 2 * window);
        long begin = Math.max(since - settles - holds, oldest);
        return LivePage.data(title, instance, now, begin, begin + holds, recorder.observations(begin));
    }

    /** {@return the moment in nanoseconds since 1970; 0 when the query has none} */
    private static long since(@Nullable String query) {
        Matcher matcher = SINCE.matcher(query == null ? "" : query);
        if (!matcher.matches()) {
            return 0;
        }
        String millis = matcher.group(1);
        if (!millis.matches("\\d{1,13}")) {
            throw new IllegalArgumentException(
                    "since must be milliseconds since 1970 (was \"" + LogText.shortened(millis) + "\")");
        }
        return Math.min(Long.parseLong(millis), MOST_MILLIS) * 1_000_000;
    }

    /** A part of the page, to be sent to a browser. Immutable. */
    public static final class Part {

        private final String type;
        private final byte[] content;

        private Part(String type, byte[] content) {
            this.type = type;
            this.content = content;
        }

        /** {@return the media type, for the header {@code Content-Type}} */
        public String type() {
            return type;
        }

        /** {@return the content, in a new array} */
        public byte[] content() {
            return content.clone();
        }
    }

    /** A server of the page on this machine's loopback address. Thread-safe. */
    public static final class Server implements AutoCloseable {

        private final LoopbackServer server;

        private Server(LoopbackServer server) {
            this.server = server;
        }

        /** {@return the port that it listens at} */
        public int port() {
            return server.address().getPort();
        }

        /** {@return the address of the page, for a browser on this machine} */
        public URI uri() {
            String host = server.address().getAddress().getHostAddress();
            return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + "/");
        }

        /** Ends the server with its threads and connections. Pages that are open say that it is gone. */
        @Override
        public void close() {
            server.close();
        }
    }
}
