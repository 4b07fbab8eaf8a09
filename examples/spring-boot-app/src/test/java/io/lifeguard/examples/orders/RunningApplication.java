package io.lifeguard.examples.orders;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The jar, running in a virtual machine of its own, on a port that was free. Ended when closed. */
final class RunningApplication implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("(?:Tomcat|Jetty) started on port (\\d+)");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** On a full machine Spring's twenty seconds of CPU time have taken more than five minutes. */
    private static final Duration STARTS_WITHIN = Duration.ofMinutes(15);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Process process;
    private final Path log;
    private final URI uri;

    private RunningApplication(Process process, Path log, String whenReady) {
        this.process = process;
        this.log = log;
        await("the port").atMost(STARTS_WITHIN).until(() -> PORT.matcher(log()).find() || !process.isAlive());
        Matcher port = PORT.matcher(log());
        if (!port.find()) {
            throw new IllegalStateException("the application did not start:\n" + log());
        }
        this.uri = URI.create("http://127.0.0.1:" + port.group(1));
        try {
            await("ready").atMost(PATIENCE).until(() -> get(whenReady).statusCode() == 200);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    static RunningApplication start(String name, String... arguments) {
        return start(name, List.of(), arguments);
    }

    /**
     * Starts it and waits until it is well.
     *
     * @param name of its log, {@code target/NAME.log}
     * @param before what stands before {@code java}
     */
    static RunningApplication start(String name, List<String> before, String... arguments) {
        String jar = System.getProperty("app.jar", "target/spring-boot-app.jar");
        Path directory = Path.of(jar).toAbsolutePath().getParent();
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(words("app.jvm.args"));
        command.addAll(List.of("-jar", jar, "--server.port=0"));
        command.add(
                "--server.tomcat.basedir=" + directory.resolve(name + ".tomcat")); // else one that Tomcat leaves behind
        command.addAll(words("app.args"));
        command.addAll(List.of(arguments));
        try {
            Path log = directory.resolve(name + ".log");
            Files.deleteIfExists(log);
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(process::destroyForcibly)); // where the test does not close it
            boolean hasOwnManagementPort = command.contains("--spring.profiles.active=teams");
            return new RunningApplication(process, log, hasOwnManagementPort ? "/teams/invoice" : "/actuator/health");
        } catch (IOException e) {
            throw new IllegalStateException("cannot start " + command, e);
        }
    }

    private static List<String> words(String property) {
        return Arrays.stream(System.getProperty(property, "").split(" "))
                .filter(word -> !word.isBlank())
                .toList();
    }

    URI uri() {
        return uri;
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + log, e);
        }
    }

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(uri.resolve(path)));
    }

    HttpResponse<String> post(String path, String json) {
        return send(HttpRequest.newBuilder(uri.resolve(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)));
    }

    HttpResponse<String> delete(String path) {
        return send(HttpRequest.newBuilder(uri.resolve(path)).DELETE());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException("no answer from " + uri, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Asks it to end, as an orchestrator does, and waits until it has. */
    int stop() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("it does not end:\n" + log());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            stop();
        }
    }
}
