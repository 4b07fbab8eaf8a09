package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.Rivals;
import io.lifeguard.pool.benchmarks.scenarios.Metric;
import io.lifeguard.pool.benchmarks.scenarios.Scenario;
import io.lifeguard.pool.benchmarks.scenarios.Setup;
import io.lifeguard.pool.benchmarks.scenarios.Spin;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Conditions;
import io.lifeguard.workbench.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Starts measuring JVMs, one at a time. One thread only. */
public final class Forks implements Forking {
    /**
     * The same arguments for all rivals: a heap that no rival fills, and the same machine code for the spinning loop.
     */
    static final List<String> JVM_ARGUMENTS =
            List.of("-Xms1g", "-Xmx1g", "-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline," + Spin.METHOD);

    private static final Duration CALIBRATION_LIMIT = Duration.ofMinutes(1);
    private static final String OWN_CLASS_PATH = System.getProperty("java.class.path");
    private static final int QUOTED_LINES = 15;

    private final Path java;
    private final String classPathBefore;

    /**
     * Creates forks of one Java.
     *
     * @param classPathBefore the class path of the rival that is Lifeguard's pool of an earlier jar
     */
    public Forks(Path java, String classPathBefore) {
        this.java = java;
        this.classPathBefore = classPathBefore;
    }

    /** The class path that has an earlier jar in the place of Lifeguard's own. */
    public static String classPath(Path before, Path scratch) throws IOException {
        return OtherLibrary.classPath(System.getProperty("java.class.path"), before, scratch);
    }

    @Override
    public Calibration calibrate() {
        Map<String, String> line =
                run(OWN_CLASS_PATH, Machine.UNCHANGED, List.of(), List.of(ForkMain.CALIBRATE), CALIBRATION_LIMIT);
        return new Calibration(
                Double.parseDouble(line.getOrDefault(ForkMain.STEPS_PER_MICRO, "")),
                line.getOrDefault(ForkMain.JAVA, "unknown"));
    }

    @Override
    public Outcome measure(Pairing pairing, Setup setup) {
        String names = pairing.scenarios().stream().map(Scenario::name).collect(Collectors.joining(","));
        List<String> arguments = List.of(names, pairing.rival().name(), SetupArguments.write(setup));
        Scenario first = pairing.first();
        Map<String, String> line = run(
                classPathOf(pairing.rival()),
                first.neighbours().machine(),
                first.jvmArguments(),
                arguments,
                first.limit(setup));
        Map<String, Map<Metric, Double>> values = new LinkedHashMap<>();
        for (Scenario scenario : pairing.scenarios()) {
            Map<Metric, Double> each = new EnumMap<>(Metric.class);
            for (Metric metric : scenario.metrics()) {
                each.put(metric, Double.valueOf(line.getOrDefault(ForkMain.key(scenario, metric), "NaN")));
            }
            values.put(scenario.name(), each);
        }
        return new Outcome(Double.parseDouble(line.getOrDefault(ForkMain.FOREIGN, "0")), values);
    }

    private String classPathOf(Rival rival) {
        return rival.name().equals(Rivals.BEFORE) ? classPathBefore : OWN_CLASS_PATH;
    }

    private Map<String, String> run(
            String classPath, Machine machine, List<String> jvmArguments, List<String> arguments, Duration limit) {
        List<String> options = new ArrayList<>(JVM_ARGUMENTS);
        options.addAll(jvmArguments);
        String what = String.join(" ", arguments);
        try (Conditions conditions = Conditions.make(machine);
                ChildJvm fork = ChildJvm.start(
                        conditions.command(java.toString()), options, classPath, ForkMain.class, arguments)) {
            conditions.started(fork.pid());
            int exit = fork.await(limit);
            List<String> lines = fork.output();
            return ForkLine.find(lines)
                    .orElseThrow(() -> new ForkFailedException("fork '%s' ended with exit code %d and no result:%n%s"
                            .formatted(what, exit, lastOf(lines))));
        } catch (IOException e) {
            throw new ForkFailedException("cannot run fork '%s': %s".formatted(what, e.getMessage()), e);
        }
    }

    private static String lastOf(List<String> lines) {
        return String.join(
                System.lineSeparator(), lines.subList(Math.max(0, lines.size() - QUOTED_LINES), lines.size()));
    }
}
