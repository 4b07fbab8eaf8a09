package io.lifeguard.torture;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Looks at a JVM by this project's programs, each in a process of its own. Immutable.
 *
 * @param tools the jar of the commands
 * @param mcp the jar of the server
 * @param agent the jar of the agent
 * @param dumps whether the JVM shall dump its threads itself, and nobody looks at it
 */
record Looker(String tools, String mcp, String agent, boolean dumps) {

    private static final long SECONDS_MORE = 300; // on full CPUs a program may not even have started in 60
    private static final int COULD_NOT_LOOK = 2;

    /** Not any stack: another program's jcmd may have made it print its threads. */
    private static final Pattern THROWN =
            Pattern.compile("(?m)^(Exception in thread|\\S+(Exception|Error)\\b.*\\R\tat )");

    /** A program that looks. */
    record Look(String name, Process process, Path output) {

        /** {@return what went wrong with it; empty when it ended by itself and threw nothing} */
        Optional<String> failure(int seconds) throws IOException, InterruptedException {
            boolean hasEnded = process.waitFor(seconds + SECONDS_MORE, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
            String text = Files.readString(output);
            Files.delete(output);
            boolean threw = THROWN.matcher(text).find();
            if (hasEnded && process.exitValue() <= COULD_NOT_LOOK && !threw) {
                return Optional.empty();
            }
            return Optional.of(
                    name + (hasEnded ? " ended with " + process.exitValue() : " hung") + ": " + text.strip());
        }
    }

    List<Look> begin(long pid, int seconds) throws IOException {
        if (dumps) {
            return List.of();
        }
        String here = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String id = Long.toString(pid);
        List<Look> looks = new ArrayList<>();
        looks.add(start(
                "watch", List.of(here, "-jar", tools, "watch", id, "--json", "--seconds", Integer.toString(seconds))));
        looks.add(start("ps", List.of(here, "-jar", tools, "ps")));
        Look server = start("mcp", List.of(here, "-jar", mcp));
        looks.add(server);
        try (OutputStream in = server.process.getOutputStream()) {
            in.write(requests(pid, seconds).getBytes(StandardCharsets.UTF_8));
        }
        return looks;
    }

    private static Look start(String name, List<String> command) throws IOException {
        Path output = Files.createTempFile("torture-" + name, ".log");
        return new Look(
                name,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start(),
                output);
    }

    /** A look at that JVM. */
    private static String requests(long pid, int seconds) {
        return """
                {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"torture","version":"1"}}}
                {"jsonrpc":"2.0","method":"notifications/initialized"}
                {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"look_at_jvm","arguments":{"pid":%d,"seconds":%d}}}
                """.formatted(pid, Math.max(3, Math.min(seconds, 60)));
    }
}
