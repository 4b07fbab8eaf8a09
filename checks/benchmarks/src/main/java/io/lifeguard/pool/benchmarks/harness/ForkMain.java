package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.Rivals;
import io.lifeguard.pool.benchmarks.scenarios.LoadMeter;
import io.lifeguard.pool.benchmarks.scenarios.Metric;
import io.lifeguard.pool.benchmarks.scenarios.Scenario;
import io.lifeguard.pool.benchmarks.scenarios.Scenarios;
import io.lifeguard.pool.benchmarks.scenarios.Setup;
import io.lifeguard.pool.benchmarks.scenarios.Spin;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** The main class of a forked JVM. It measures one rival, or calibrates, and prints one line. */
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

    private static Map<String, String> measure(String names, String rivalName, String[] arguments) {
        List<Scenario> scenarios = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            scenarios.add(Scenarios.named(name).orElseThrow());
        }
        Rival rival = Rivals.named(rivalName).orElseThrow();
        Setup setup = SetupArguments.read(arguments[2]);
        LoadMeter load = new LoadMeter();
        Collections.shuffle(scenarios, new Random(setup.seed()));
        rehearse(scenarios, rival, setup);
        Map<String, String> line = new LinkedHashMap<>();
        for (Scenario scenario : scenarios) {
            scenario.measure(rival, setup, load)
                    .forEach((metric, value) -> line.put(key(scenario, metric), value.toString()));
        }
        line.put(FOREIGN, Double.toString(load.foreignShare()));
        return line;
    }

    /** So that the code is compiled for all of them before the first is measured. */
    private static void rehearse(List<Scenario> scenarios, Rival rival, Setup setup) {
        long age = scenarios.get(0).rehearsal().toMillis();
        while (ManagementFactory.getRuntimeMXBean().getUptime() < age) {
            scenarios.forEach(scenario -> scenario.rehearse(rival, setup));
        }
    }

    /** The key of a value in the line. */
    static String key(Scenario scenario, Metric metric) {
        return scenario.name() + ":" + metric.name();
    }
}
