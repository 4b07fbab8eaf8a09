package io.lifeguard.pool.tools.watch;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that tells a {@link Story}, until it is closed. The system property {@code lifeguard.test.otherJava} names the
 * home of another JDK to run it with.
 */
public final class Child implements AutoCloseable {

    private final Process process;

    private Child(Process process) {
        this.process = process;
    }

    /** Starts a story, and waits until it is ready. */
    public static Child tell(String story, String... options) throws IOException {
        String home = System.getProperty("lifeguard.test.otherJava", System.getProperty("java.home"));
        List<String> command =
                new ArrayList<>(List.of(Path.of(home, "bin", "java").toString()));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // it lives for seconds
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Story.class.getName(), story));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        if (!"ready".equals(output.readLine())) {
            process.destroyForcibly();
            throw new IOException("the story " + story + " did not begin");
        }
        return new Child(process);
    }

    public long pid() {
        return process.pid();
    }

    public Process process() {
        return process;
    }

    /** Lets the story end, so that its JVM removes the socket that watch has used. */
    @Override
    public void close() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
    }
}
