package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.scenarios.Setup;
import java.time.Duration;

/** A {@link Setup} as one argument of a command line. */
final class SetupArguments {
    private SetupArguments() {}

    static String write(Setup setup) {
        return "%d,%d,%s,%b,%d,%d"
                .formatted(
                        setup.warmUp().toMillis(),
                        setup.measured().toMillis(),
                        Double.toString(setup.stepsPerMicro()),
                        setup.freshTasks(),
                        setup.memoryTasks(),
                        setup.seed());
    }

    static Setup read(String argument) {
        String[] parts = argument.split(",", -1);
        return new Setup(
                Duration.ofMillis(Long.parseLong(parts[0])),
                Duration.ofMillis(Long.parseLong(parts[1])),
                Double.parseDouble(parts[2]),
                Boolean.parseBoolean(parts[3]),
                Long.parseLong(parts[4]),
                Long.parseLong(parts[5]));
    }
}
