package io.lifeguard.pool.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs with the {@code java} command of the JDK that runs the tests. Stateless. */
public final class ChildJvm {

    private static final long MOST_SECONDS = Delays.scaled(Duration.ofMinutes(1)).toSeconds();

    private ChildJvm() {}

    /**
     * {@return what the program printed} It must end within a minute, with status 0.
     *
     * @param directory where to put the output
     * @param arguments of the command
     */
    public static String run(Path directory, String... arguments) throws Exception {
        return run(List.of(), directory, arguments);
    }

    /**
     * {@return the same where the JVM has few resources}
     *
     * @param limit the command of the shell that sets the limit, as {@code ulimit -n 100}
     */
    public static String runLimited(String limit, Path directory, String... arguments) throws Exception {
        return run(List.of("sh", "-c", limit + "; exec \"$0\" \"$@\""), directory, arguments);
    }

    private static String run(List<String> shell, Path directory, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(shell);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Collections.addAll(command, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"); // it lives for seconds
        Collections.addAll(command, arguments);
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean hasEnded = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
            String text = Files.readString(output);
            assertThat(hasEnded).as(text).isTrue();
            assertThat(process.exitValue()).as(text).isZero();
            return text;
        } finally {
            process.destroyForcibly();
        }
    }
}
