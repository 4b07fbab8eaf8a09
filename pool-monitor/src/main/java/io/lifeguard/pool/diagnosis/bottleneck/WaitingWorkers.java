package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The workers that do the same and wait for the same, or are at the same place where it is unknown what they wait for.
 * Immutable.
 *
 * @param workers how many, on average
 * @param shares where they are, largest first, at least one
 */
public record WaitingWorkers(Estimate workers, List<Share> shares) {

    private static final int WINDOWS = 10;

    /** Copies the list. */
    public WaitingWorkers {
        shares = List.copyOf(shares);
    }

    /**
     * {@return the workers that did this, grouped by what they wait for, largest group first}
     *
     * <p>Workers of which neither the place nor what they wait for is known are left out: they may be several groups.
     *
     * @param times where the workers' time went, not null
     * @param doing what they did, not null
     */
    public static List<WaitingWorkers> of(TimeBreakdown times, Doing doing) {
        Map<String, List<Share>> groups = new LinkedHashMap<>();
        for (Share share : times.shares()) {
            String key = share.doing() == doing ? key(share) : "";
            if (!key.isEmpty()) {
                List<Share> group = groups.getOrDefault(key, new ArrayList<>());
                groups.put(key, group);
                group.add(share);
            }
        }
        List<WaitingWorkers> largest = new ArrayList<>();
        for (List<Share> shares : groups.values()) {
            WaitingWorkers group = new WaitingWorkers(sum(shares), shares);
            int at = 0;
            while (at < largest.size() && largest.get(at).workers.value() >= group.workers.value()) {
                at++;
            }
            largest.add(at, group);
        }
        return largest;
    }

    /** {@return the workers of all these} */
    public static Estimate sum(List<Share> shares) {
        Estimate sum = Estimate.ZERO;
        for (Share share : shares) {
            sum = sum.plus(share.workers());
        }
        return sum;
    }

    /** {@return the share of this group with most workers} */
    public Share largest() {
        return shares.get(0);
    }

    /** {@return the first known place of the largest shares, or an empty text} */
    public String place() {
        for (Share share : shares) {
            if (!share.place().isEmpty()) {
                return share.place();
            }
        }
        return "";
    }

    /**
     * {@return the busy workers that are neither in this group nor wait in the same way for something else}
     *
     * <p>Where tasks need two locks in turn, those that wait for the other one are needed as little as these. A large
     * group and the few others have different errors: of 490 and 10 workers, the 10 are known better by themselves than
     * as what is left of 500. The smaller error counts, unless some workers were not seen.
     *
     * @param times where the workers' time went, not null
     * @param busy the mean number of busy workers, not negative
     */
    public Estimate others(TimeBreakdown times, double busy) {
        Doing same = largest().doing();
        Estimate waiting = times.workers(same);
        Estimate seen = Estimate.ZERO;
        for (Share share : times.shares()) {
            boolean isOther = share.doing() != same && share.doing() != Doing.IDLE && share.doing() != Doing.UNKNOWN;
            seen = isOther ? seen.plus(share.workers()) : seen;
        }
        double known =
                Math.max(waiting.value(), busy - times.unknown()); // the unknown may be any, so they are left out
        double rest = known == 0 ? 0 : busy * (known - waiting.value()) / known;
        if (times.unknown() > rest) {
            // Few others are known, if any. Those that wait are counted without stacks, so the unknown do something
            // else.
            rest = Math.max(0, busy - waiting.value());
        }
        return new Estimate(rest, Math.min(waiting.error(), Math.hypot(seen.error(), times.unknown())));
    }

    /**
     * {@return the {@linkplain #others other} busy workers, averaged over the latest windows}
     *
     * <p>Workers that wait for one lock wait together, so the looks at them do not tell as much as independent ones.
     * The windows do: the error is that of their mean, but at least that of a single window divided by the root of
     * their number.
     *
     * @param window the window of this group, not null; at most {@value #WINDOWS} windows count, while workers wait for
     *     the same and the pool has the same size
     * @param doing what this group did, not null
     */
    public Estimate othersLately(PoolWindow window, Doing doing) {
        List<Estimate> others = new ArrayList<>();
        for (PoolWindow part : window.parts(WINDOWS)) {
            TimeBreakdown times = part.breakdown();
            boolean isSameSize = part.after().size() == window.after().size();
            WaitingWorkers same = null;
            for (WaitingWorkers group : of(times, doing)) {
                same = same == null && key(group.largest()).equals(key(largest())) ? group : same;
            }
            if (same == null || !isSameSize) {
                break;
            }
            others.add(same.others(times, Standstill.busyWorkers(part)));
        }
        if (others.isEmpty()) {
            return others(window.breakdown(), Standstill.busyWorkers(window));
        }
        double root = Math.sqrt(others.size());
        double mean = 0;
        double within = 0;
        for (Estimate each : others) {
            mean += each.value() / others.size();
            within += each.error() / others.size() / root;
        }
        double squares = 0;
        for (Estimate each : others) {
            squares += (each.value() - mean) * (each.value() - mean);
        }
        double between = others.size() == 1 ? 0 : Math.sqrt(squares / (others.size() - 1)) / root;
        return new Estimate(mean, Math.max(within, between));
    }

    private static String key(Share share) {
        Awaited awaited = share.awaited().orElse(null);
        if (awaited instanceof Awaited.Lock lock) {
            return lock.name();
        }
        return awaited instanceof Awaited.Line line ? line.name() : share.place();
    }
}
