package io.lifeguard.pool.corpus.looks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lifeguard.pool.tools.Lifeguard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Another JVM that looks at one by {@code lifeguard watch --json}. One thread only. */
public final class Watcher implements AutoCloseable {

    /** It may start late, and its last window may take long, where CPUs are short. */
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;

    private Watcher(Process process) {
        this.process = process;
    }

    /**
     * Starts to watch.
     *
     * @param java the program {@code java} of the watcher
     * @param pid the process to look at
     * @param length for how long
     */
    public static Watcher start(String java, long pid, Duration length) throws IOException {
        List<String> command = List.of(
                java,
                "-XX:TieredStopAtLevel=1", // as its page says for full machines: half the CPU time
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Lifeguard.class.getName(),
                "watch",
                Long.toString(pid),
                "--json",
                "--virtual-dump", // the JVM's end does no harm here
                "--seconds",
                Long.toString(length.toSeconds()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return new Watcher(process);
    }

    /** Passes each line on that it prints, until it ends. */
    public void forEachLine(Consumer<String> reader) throws IOException, InterruptedException {
        process.inputReader().lines().forEach(reader);
        if (!process.waitFor(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
            throw new IOException("the watcher does not end");
        }
    }

    /** The exit code of a watcher that has ended by itself. */
    public int exitCode() {
        return process.exitValue();
    }

    /** Passes each window on that it prints, until it ends. What else it has to say goes to the console. */
    public void forEachWindow(Consumer<JsonNode> reader) throws IOException, InterruptedException {
        forEachLine(line -> {
            if (isWindow(line)) {
                reader.accept(parse(line));
            } else {
                System.out.println(line);
            }
        });
    }

    /** Whether a line that a watcher printed is one of its windows. */
    public static boolean isWindow(String line) {
        return line.startsWith("{");
    }

    /** Parses a window. */
    public static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException("the watcher printed no JSON: " + line, e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
