package io.lifeguard.examples.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A process that serves until it is closed, and whose output is kept. Thread-safe. */
final class Server implements AutoCloseable {

    /** Seconds; on a busy machine a virtual machine may take long to start. */
    static final long PATIENCE = 120;

    private final Process process;
    private final Path log;

    private Server(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static Server start(Path log, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy)); // where the test does not close it
        return new Server(process, log);
    }

    /** Waits until the output contains such a text, and returns all of it; fails when the process ends before. */
    String awaitOutput(String text) {
        return Awaitility.await("\"" + text + "\" in " + log)
                .atMost(PATIENCE, TimeUnit.SECONDS)
                .failFast("it is still running", () -> !process.isAlive())
                .until(this::output, output -> output.contains(text));
    }

    String output() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
