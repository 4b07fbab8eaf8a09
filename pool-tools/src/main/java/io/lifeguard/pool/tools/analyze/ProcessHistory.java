package io.lifeguard.pool.tools.analyze;

import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a recording tells of the whole process and its machine. Not thread-safe. Times are nanoseconds since 1970. */
final class ProcessHistory {

    /** A figure of the CPUs stands for the second before it, and for as long after it until the next comes. */
    private static final long HOLDS = 3_000_000_000L;

    private final List<Load> loads = new ArrayList<>();
    private final List<Pause> pauses = new ArrayList<>();
    private final List<Throttling> throttlings = new ArrayList<>();
    private double machineCpus; // 0 when not known
    private double activeCpus; // that the process may run on; 0 when not known
    private double quota; // CPUs; 0 when there is none
    private boolean countsPauses;

    /** Shares of all CPUs of the machine, 0 to 1. */
    private record Load(long time, double user, double system, double machine) {}

    private record Pause(long time, long nanos) {}

    /** How long the process was throttled since it began. */
    private record Throttling(long time, long nanos) {}

    void machineCpus(int count) {
        machineCpus = Math.max(0, count);
    }

    void container(long effectiveCpus, long quotaMicros, long periodMicros) {
        activeCpus = Math.max(0, effectiveCpus);
        quota = quotaMicros > 0 && periodMicros > 0 ? (double) quotaMicros / periodMicros : 0;
    }

    void load(long time, double user, double system, double machine) {
        loads.add(new Load(time, user, system, machine));
    }

    void pause(long time, long nanos) {
        pauses.add(new Pause(time, nanos));
    }

    /** All pauses of the collectors are recorded. */
    void countsPauses() {
        countsPauses = true;
    }

    void throttled(long time, long nanos) {
        throttlings.add(new Throttling(time, nanos));
    }

    void order() {
        loads.sort(Comparator.comparingLong(Load::time));
        pauses.sort(Comparator.comparingLong(Pause::time));
        throttlings.sort(Comparator.comparingLong(Throttling::time));
    }

    /** {@return how many CPUs the JVM counts, of which the CPU load of a thread is a share; 0 when unknown} */
    double activeCpus() {
        return activeCpus > 0 ? activeCpus : machineCpus;
    }

    /** {@return how many CPUs the process may use; empty when the recording does not say} */
    OptionalDouble cpus() {
        double all = activeCpus();
        return all == 0 ? OptionalDouble.empty() : OptionalDouble.of(quota > 0 ? Math.min(quota, all) : all);
    }

    boolean hasLoads() {
        return !loads.isEmpty();
    }

    /** {@return whether the machine's CPUs were used up at a moment; false also where that is unknown} */
    boolean isFull(long time) {
        return loadAt(time).filter(load -> load.machine() >= 0.9).isPresent();
    }

    private Optional<Load> loadAt(long time) {
        int low = 0;
        int high = loads.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (loads.get(middle).time() < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Optional<Load> after = low < loads.size() ? Optional.of(loads.get(low)) : Optional.empty();
        Optional<Load> before = low > 0 ? Optional.of(loads.get(low - 1)) : Optional.empty();
        return after.filter(load -> load.time() - time <= HOLDS)
                .or(() -> before.filter(load -> time - load.time() <= HOLDS));
    }

    /** {@return what happened to the process between two moments} */
    ProcessWindow window(long from, long to) {
        double cores = cpus().orElse(1);
        Optional<Load> load = loadAt((from + to) / 2).filter(known -> machineCpus > 0);
        Optional<Duration> gc = countsPauses
                ? Optional.of(Duration.ofNanos(pauses.stream()
                        .filter(pause -> pause.time() >= from && pause.time() < to)
                        .mapToLong(Pause::nanos)
                        .sum()))
                : Optional.empty();
        return new ProcessWindow(
                cores,
                share(load.map(Load::user), machineCpus),
                share(load.map(Load::system), machineCpus),
                OptionalDouble.empty(),
                share(load.map(Load::machine), 1),
                throttledBetween(from, to),
                gc,
                Duration.ZERO);
    }

    private static OptionalDouble share(Optional<Double> share, double cpus) {
        return share.isPresent() ? OptionalDouble.of(Math.max(0, share.get()) * cpus) : OptionalDouble.empty();
    }

    /** Counts come each 30 s. What lies between two of them is spread evenly. */
    private Optional<Duration> throttledBetween(long from, long to) {
        for (int i = 1; i < throttlings.size(); i++) {
            Throttling before = throttlings.get(i - 1);
            Throttling after = throttlings.get(i);
            if (before.time() <= from && to <= after.time() && before.time() < after.time()) {
                double share = (double) (to - from) / (after.time() - before.time());
                return Optional.of(Duration.ofNanos(Math.round(share * Math.max(0, after.nanos() - before.nanos()))));
            }
        }
        return Optional.empty();
    }
}
