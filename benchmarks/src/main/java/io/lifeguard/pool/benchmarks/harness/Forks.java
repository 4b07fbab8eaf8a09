package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.scenarios.Metric;
import io.lifeguard.pool.benchmarks.scenarios.Setup;
import io.lifeguard.pool.benchmarks.scenarios.Spin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Starts JVMs that measure, one at a time. One thread only. */
public final class Forks implements Forking {
    /** The same for everybody: a heap that no rival fills, and the spinning loop as the same machine code in all. */
    static final List<String> JVM_ARGUMENTS =
            List.of("-Xms1g", "-Xmx1g", "-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline," + Spin.METHOD);

    private static final Duration CALIBRATION_LIMIT = Duration.ofMinutes(1);
    private static final int QUOTED_LINES = 15;

    private final Path java;
    // written by the measuring thread; read by the shutdown hook, for which a stale null means one orphan more
    private volatile @Nullable Process running;

    public Forks(Path java) {
        this.java = java;
        Runtime.getRuntime().addShutdownHook(new Thread(this::killRunning));
    }

    @Override
    public Calibration calibrate() {
        Map<String, String> line = run(List.of(), List.of(ForkMain.CALIBRATE), CALIBRATION_LIMIT);
        return new Calibration(
                Double.parseDouble(line.getOrDefault(ForkMain.STEPS_PER_MICRO, "")),
                line.getOrDefault(ForkMain.JAVA, "unknown"));
    }

    @Override
    public Outcome measure(Pairing pairing, Setup setup) {
        List<String> arguments =
                List.of(pairing.scenario().name(), pairing.rival().name(), SetupArguments.write(setup));
        Map<String, String> line = run(
                pairing.scenario().jvmArguments(), arguments, pairing.scenario().limit(setup));
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        for (Metric metric : pairing.scenario().metrics()) {
            values.put(metric, Double.valueOf(line.getOrDefault(metric.name(), "NaN")));
        }
        return new Outcome(Double.parseDouble(line.getOrDefault(ForkMain.FOREIGN, "0")), values);
    }

    private Map<String, String> run(List<String> jvmArguments, List<String> arguments, Duration limit) {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.addAll(JVM_ARGUMENTS);
        command.addAll(jvmArguments);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ForkMain.class.getName()));
        command.addAll(arguments);
        String what = String.join(" ", arguments);
        try {
            Path output = Files.createTempFile("lifeguard-fork", ".log");
            try {
                int exit = await(command, output, limit, what);
                List<String> lines = Files.readAllLines(output);
                return ForkLine.find(lines)
                        .orElseThrow(
                                () -> new ForkFailedException("fork '%s' ended with exit code %d and no result:%n%s"
                                        .formatted(what, exit, lastOf(lines))));
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new ForkFailedException("cannot run fork '%s': %s".formatted(what, e.getMessage()), e);
        }
    }

    private int await(List<String> command, Path output, Duration limit, String what) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        running = process;
        try {
            if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                throw new ForkFailedException("fork '%s' has not ended within %d s".formatted(what, limit.toSeconds()));
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ForkFailedException("interrupted while fork '%s' ran".formatted(what), e);
        } finally {
            killRunning();
        }
    }

    private void killRunning() {
        Process process = running;
        if (process != null) {
            process.destroyForcibly();
        }
        running = null;
    }

    private static String lastOf(List<String> lines) {
        return String.join(
                System.lineSeparator(), lines.subList(Math.max(0, lines.size() - QUOTED_LINES), lines.size()));
    }
}
