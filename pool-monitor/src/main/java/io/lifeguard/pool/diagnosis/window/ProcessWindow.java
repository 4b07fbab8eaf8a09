package io.lifeguard.pool.diagnosis.window;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What happened to the whole process in a window. Immutable.
 *
 * @param cores how many CPUs the process may use at once: the container's quota where there is one, which may be a
 *     fraction
 * @param userCpu mean number of CPUs the process used in user mode; empty where the system does not say
 * @param systemCpu mean number of CPUs the process used in the kernel; empty where the system does not say
 * @param compilerCpu mean number of CPUs the JVM's compilers used, part of the former two; empty where the system does
 *     not say
 * @param machineBusy share of all CPUs of the machine that any process used, 0 to 1; empty where the system does not
 *     say
 * @param throttled how long the container's quota kept the process from running; empty where the system does not say
 * @param gcTime time spent in garbage collection, as the collectors report it; empty where they do not
 * @param late how much later than due the monitor ended this window, because the machine, a collector or a debugger
 *     stopped everything; zero when other threads of this process ran meanwhile
 */
public record ProcessWindow(
        double cores,
        OptionalDouble userCpu,
        OptionalDouble systemCpu,
        OptionalDouble compilerCpu,
        OptionalDouble machineBusy,
        Optional<Duration> throttled,
        Optional<Duration> gcTime,
        Duration late) {

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if cores is not positive
     */
    public ProcessWindow {
        if (!(cores > 0)) {
            throw new IllegalArgumentException("cores must be > 0 (was " + cores + ")");
        }
        Objects.requireNonNull(userCpu, "userCpu must not be null");
        Objects.requireNonNull(systemCpu, "systemCpu must not be null");
        Objects.requireNonNull(compilerCpu, "compilerCpu must not be null");
        Objects.requireNonNull(machineBusy, "machineBusy must not be null");
        Objects.requireNonNull(throttled, "throttled must not be null");
        Objects.requireNonNull(gcTime, "gcTime must not be null");
        Objects.requireNonNull(late, "late must not be null");
    }

    /**
     * {@return a process of which only the number of CPUs is known}
     *
     * @param cores CPUs, positive
     */
    public static ProcessWindow unknown(double cores) {
        return new ProcessWindow(
                cores,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO);
    }

    /** {@return the mean number of CPUs used in both modes; empty where the system does not say} */
    public OptionalDouble cpu() {
        return userCpu.isPresent() && systemCpu.isPresent()
                ? OptionalDouble.of(userCpu.getAsDouble() + systemCpu.getAsDouble())
                : OptionalDouble.empty();
    }

    /**
     * {@return the used share of what the process may use, {@code cpu / cores}, 0 to about 1; empty where the system
     * does not say}
     */
    public OptionalDouble cpuShare() {
        OptionalDouble cpu = cpu();
        return cpu.isPresent() ? OptionalDouble.of(cpu.getAsDouble() / cores) : cpu;
    }

    /** {@return the same window without the monitor's lateness} */
    public ProcessWindow onTime() {
        return new ProcessWindow(cores, userCpu, systemCpu, compilerCpu, machineBusy, throttled, gcTime, Duration.ZERO);
    }

    /**
     * Joins windows; means are weighted by the lengths.
     *
     * @param parts latest first, at least one
     * @param seconds the length of each
     */
    static ProcessWindow join(List<ProcessWindow> parts, List<Double> seconds) {
        ProcessWindow sum = parts.get(0);
        double sumSeconds = seconds.get(0);
        for (int i = 1; i < parts.size(); i++) {
            sum = sum.after(parts.get(i), seconds.get(i), sumSeconds);
            sumSeconds += seconds.get(i);
        }
        return sum;
    }

    private ProcessWindow after(ProcessWindow earlier, double earlierSeconds, double seconds) {
        return new ProcessWindow(
                cores,
                mean(earlier.userCpu, earlierSeconds, userCpu, seconds),
                mean(earlier.systemCpu, earlierSeconds, systemCpu, seconds),
                mean(earlier.compilerCpu, earlierSeconds, compilerCpu, seconds),
                mean(earlier.machineBusy, earlierSeconds, machineBusy, seconds),
                sum(earlier.throttled, throttled),
                sum(earlier.gcTime, gcTime),
                late.plus(earlier.late));
    }

    /** A sum of which a part is unknown is at least the other part; of two unknown parts it is unknown. */
    private static Optional<Duration> sum(Optional<Duration> a, Optional<Duration> b) {
        return a.isPresent() && b.isPresent() ? Optional.of(a.get().plus(b.get())) : b.isPresent() ? b : a;
    }

    private static OptionalDouble mean(OptionalDouble a, double weightOfA, OptionalDouble b, double weightOfB) {
        if (a.isEmpty() || b.isEmpty() || weightOfA + weightOfB == 0) {
            return b;
        }
        return OptionalDouble.of((a.getAsDouble() * weightOfA + b.getAsDouble() * weightOfB) / (weightOfA + weightOfB));
    }
}
