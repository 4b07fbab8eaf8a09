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

    /**
     * Share of the CPUs that the process has at least. A judgement: where others use all, it still gets some of each.
     */
    static final double LEAST = 0.05;

    private ProcessCpus() {}

    /** {@return the share of the time in which the container's quota stopped the process; 0 if that is little} */
    static double throttled(PoolWindow window) {
        double share = window.process().throttled().orElse(Duration.ZERO).toNanos() / 1e9 / window.seconds();
        return share >= window.threshold(Thresholds.THROTTLED) ? share : 0;
    }

    /** {@return how many CPUs other processes used on average; 0 where that is unknown} */
    static double others(ProcessWindow process) {
        double cores = process.cores();
        return Math.max(
                0, process.machineBusy().orElse(0) * cores - process.cpu().orElse(cores));
    }

    /** {@return how many CPUs other processes leave to this one} */
    static double left(ProcessWindow process) {
        return Math.max(LEAST * process.cores(), process.cores() - others(process));
    }

    /** {@return that other processes have the CPUs, if all are busy and others use a quarter of them} */
    static Optional<String> others(PoolWindow window) {
        ProcessWindow process = window.last(RECENT).process();
        return process.machineBusy().orElse(0) >= Thresholds.CPU_FULL && others(process) >= A_LOT * process.cores()
                ? Optional.of(Sizing.OTHERS + " " + ofAll(process))
                : Optional.empty();
    }

    private static String ofAll(ProcessWindow process) {
        return Units.format("%.1f of %s", others(process), Counted.of(Units.count(process.cores()), "CPU", "CPUs"));
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
        return others(recent.process())
                        > Samples.WORTH_SAYING * recent.process().cores()
                ? Optional.of("while other processes use " + ofAll(recent.process()))
                : Optional.empty();
    }
}
