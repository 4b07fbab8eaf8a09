package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.bottleneck.Thresholds;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.Optional;

/** What keeps the tasks of a process from its CPUs, or a size from being recommended. Stateless. */
final class ProcessCpus {

    /** What else uses the CPUs is looked at in this time: two usual windows, so that one burst is not all. */
    private static final Duration RECENT = Duration.ofSeconds(2);

    /** Share of the CPUs that compilers use while the code is compiled: what two of them get among 40 threads. */
    private static final double COMPILING = 0.05;

    /** Share of all CPUs: without others there would be a third more of them, or more, for other sizes. */
    private static final double A_LOT = 0.25;

    private ProcessCpus() {}

    /** {@return the share of the time in which the container's quota stopped the process; 0 if that is little} */
    static double throttled(PoolWindow window) {
        double share = window.process().throttled().orElse(Duration.ZERO).toNanos() / 1e9 / window.seconds();
        return share >= window.threshold(Thresholds.THROTTLED) ? share : 0;
    }

    /** {@return that other processes have the CPUs, if all are busy and others use a quarter of them} */
    static Optional<String> others(PoolWindow window) {
        ProcessWindow process = window.last(RECENT).process();
        double cores = process.cores();
        double busy = process.machineBusy().orElse(0);
        double others = busy * cores - process.cpu().orElse(busy * cores);
        return busy >= window.threshold(Thresholds.CPU_FULL) && others >= A_LOT * cores
                ? Optional.of(Units.format(
                        "%s %.1f of %s", Sizing.OTHERS, others, Counted.of(Units.count(cores), "CPU", "CPUs")))
                : Optional.empty();
    }

    static Optional<String> unknown(PoolWindow window) {
        ProcessWindow process = window.last(RECENT).process();
        return process.cpu().isEmpty() || process.machineBusy().isEmpty()
                ? Optional.of("it is unknown how much of the CPUs other processes use")
                : Optional.empty();
    }

    static Optional<String> compiling(PoolWindow window) {
        ProcessWindow process = window.last(RECENT).process();
        return process.compilerCpu().orElse(0) > COMPILING * process.cores()
                ? Optional.of("the JVM still compiles the code that runs")
                : Optional.empty();
    }

    static Optional<String> sharing(PoolWindow window) {
        PoolWindow recent = window.last(RECENT);
        double throttled = throttled(recent);
        if (throttled > 0) {
            return Optional.of(Units.format(
                    "while the container's quota stops the process for %s of the time", Units.percent(throttled)));
        }
        ProcessWindow process = recent.process();
        double others = process.machineBusy().orElse(0) * process.cores()
                - process.cpu().orElse(0);
        return others > Samples.WORTH_SAYING * process.cores()
                ? Optional.of(Units.format(
                        "while other processes use %.1f of %s",
                        others, Counted.of(Units.count(process.cores()), "CPU", "CPUs")))
                : Optional.empty();
    }
}
