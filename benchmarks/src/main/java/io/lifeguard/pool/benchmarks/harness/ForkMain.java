package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.Rivals;
import io.lifeguard.pool.benchmarks.scenarios.LoadMeter;
import io.lifeguard.pool.benchmarks.scenarios.Metric;
import io.lifeguard.pool.benchmarks.scenarios.Scenario;
import io.lifeguard.pool.benchmarks.scenarios.Scenarios;
import io.lifeguard.pool.benchmarks.scenarios.Setup;
import io.lifeguard.pool.benchmarks.scenarios.Spin;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The main class of a forked JVM. It measures one rival in one scenario, or calibrates, and prints one line. */
public final class ForkMain {
    static final String CALIBRATE = "calibrate";
    static final String STEPS_PER_MICRO = "stepsPerMicro";
    static final String JAVA = "java";
    static final String FOREIGN = "foreign";

    private ForkMain() {}

    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        Map<String, String> line =
                arguments[0].equals(CALIBRATE) ? calibrate() : measure(arguments[0], arguments[1], arguments);
        System.out.println(ForkLine.write(line));
        // threads that a rival left running must not keep the JVM alive
        System.exit(0);
    }

    private static Map<String, String> calibrate() {
        return Map.of(
                STEPS_PER_MICRO,
                Double.toString(Spin.calibrate()),
                JAVA,
                System.getProperty("java.runtime.version") + ", " + System.getProperty("java.vm.name"));
    }

    private static Map<String, String> measure(String scenarioName, String rivalName, String[] arguments) {
        Scenario scenario = Scenarios.named(scenarioName).orElseThrow();
        Rival rival = Rivals.named(rivalName).orElseThrow();
        Setup setup = SetupArguments.read(arguments[2]);
        LoadMeter load = new LoadMeter();
        Map<Metric, Double> values = scenario.measure(rival, setup, load);
        Map<String, String> line = new LinkedHashMap<>();
        line.put(FOREIGN, Double.toString(load.foreignShare()));
        values.forEach((metric, value) -> line.put(metric.name(), value.toString()));
        return line;
    }
}
