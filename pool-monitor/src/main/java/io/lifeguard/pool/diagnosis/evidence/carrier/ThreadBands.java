package io.lifeguard.pool.diagnosis.evidence.carrier;

import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the threads of one executor with a thread per task did in a window: shares by what they wait for. Immutable.
 *
 * @param executor the executor's name
 * @param threads how many threads it had, on average
 * @param bands the parts, in an order that stays the same from window to window
 */
public record ThreadBands(String executor, double threads, List<Band> bands) {

    /** Copies the list. */
    public ThreadBands {
        bands = List.copyOf(bands);
    }

    /**
     * Threads that do the same.
     *
     * @param doing what they do; parked threads of which nothing else is known wait outside
     * @param place where they wait in line; empty where no stack was taken
     * @param awaited what they wait for; empty when it is unknown
     * @param holder who has it; empty when it is unknown
     * @param share of the executor's threads, 0 to 1
     */
    public record Band(Doing doing, String place, String awaited, String holder, double share) {

        private static Band of(WaitingThreads line, double share) {
            boolean isLock = line.kind() == Kind.LOCK || line.kind() == Kind.MONITOR;
            Doing doing = isLock ? Doing.WAITING_FOR_LOCK : Doing.WAITING_IN_LINE;
            return new Band(doing, line.place(), line.object(), line.holder(), share);
        }

        private static Band of(Stratum stratum, double share) {
            return new Band(doingOf(stratum), "", stratum.blocker(), "", share);
        }

        private static Doing doingOf(Stratum stratum) {
            return switch (stratum.state()) {
                case BLOCKED -> Doing.WAITING_FOR_LOCK;
                case RUNNABLE -> Doing.COMPUTING;
                case WAITING, TIMED_WAITING -> {
                    if (stratum.blocker().isEmpty()) { // for input, output or a time
                        yield Doing.WAITING_OUTSIDE;
                    }
                    if (Waits.forLock(stratum.blocker())) {
                        yield Doing.WAITING_FOR_LOCK;
                    }
                    boolean isResult = stratum.isLatchOrFuture();
                    yield isResult
                            ? Doing.WAITING_FOR_RESULT
                            : stratum.isSemaphore() ? Doing.WAITING_IN_LINE : Doing.UNKNOWN;
                }
                default -> Doing.UNKNOWN; // not started yet, or just ended
            };
        }
    }

    static ThreadBands of(
            String executor, double threads, Map<Stratum, Integer> counts, Map<Stratum, WaitingThreads> described) {
        double all = counts.values().stream().mapToInt(Integer::intValue).sum();
        Map<Band, Double> shares = new HashMap<>();
        counts.forEach((stratum, count) -> {
            WaitingThreads line = described.get(stratum);
            Band band = line == null ? Band.of(stratum, 0) : Band.of(line, 0);
            shares.merge(band, count / all, Double::sum);
        });
        List<Band> bands = new ArrayList<>();
        shares.forEach(
                (band, share) -> bands.add(new Band(band.doing(), band.place(), band.awaited(), band.holder(), share)));
        bands.sort(Comparator.comparing(Band::doing).thenComparing(Band::place).thenComparing(Band::awaited));
        return new ThreadBands(executor, threads, bands);
    }
}
