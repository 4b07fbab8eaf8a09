package io.lifeguard.pool.diagnosis.window;

import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Joins the breakdowns of consecutive windows. Stateless. */
final class BreakdownJoin {

    private BreakdownJoin() {}

    /**
     * Joins breakdowns; each counts as much as its window was long. Windows of which nothing is known are left out,
     * unless that is so of all.
     */
    static TimeBreakdown join(List<TimeBreakdown> parts, List<Double> seconds) {
        boolean isSeen = false;
        for (TimeBreakdown part : parts) {
            isSeen |= isSeen(part);
        }
        List<TimeBreakdown> seen = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        double all = 0;
        for (int i = 0; i < parts.size(); i++) {
            if (!isSeen || isSeen(parts.get(i))) {
                seen.add(parts.get(i));
                weights.add(seconds.get(i));
                all += seconds.get(i);
            }
        }
        Map<List<Object>, Share> shares = new LinkedHashMap<>();
        Map<Long, List<StackTraceElement>> stacks = new LinkedHashMap<>();
        double workers = 0;
        int looks = 0;
        int taken = 0;
        for (int i = 0; i < seen.size(); i++) {
            double weight = weights.get(i) / all;
            workers += weight * seen.get(i).workers();
            for (Share share : seen.get(i).shares()) {
                Share part = new Share(
                        share.doing(), share.place(), share.workers().times(weight), share.stack(), share.awaited());
                List<Object> key = key(share);
                Share later = shares.get(key);
                shares.put(key, later == null ? part : together(later, part));
            }
            looks += seen.get(i).looks();
            taken += seen.get(i).stacks();
            for (Map.Entry<Long, List<StackTraceElement>> longest :
                    seen.get(i).longestRunning().entrySet()) {
                if (stacks.size() < TimeBreakdown.LONGEST) {
                    stacks.putIfAbsent(longest.getKey(), longest.getValue());
                }
            }
        }
        return new TimeBreakdown(workers, looks, taken, List.copyOf(shares.values()), stacks);
    }

    private static boolean isSeen(TimeBreakdown part) {
        boolean isSeen = part.looks() + part.stacks() > 0;
        for (Share share : part.shares()) {
            isSeen |= share.doing() != Doing.UNKNOWN;
        }
        return isSeen;
    }

    /** Shares are alike if they do the same at the same place, and wait for the same. */
    private static List<Object> key(Share share) {
        Awaited awaited = share.awaited().orElse(null);
        return List.of(share.doing(), share.place(), awaited == null ? "" : name(awaited));
    }

    private static String name(Awaited awaited) {
        if (awaited instanceof Awaited.Lock lock) {
            return lock.name();
        }
        if (awaited instanceof Awaited.Line line) {
            return line.name();
        }
        return awaited instanceof Awaited.Result result ? result.pool().orElse("") + result.queued() : "";
    }

    private static Share together(Share later, Share earlier) {
        return new Share(
                later.doing(),
                later.place(),
                later.workers().plus(earlier.workers()),
                later.stack().isEmpty() ? earlier.stack() : later.stack(),
                later.awaited().isPresent() && earlier.awaited().isPresent()
                        ? Optional.of(together(
                                later.awaited().get(), earlier.awaited().get()))
                        : later.awaited().isPresent() ? later.awaited() : earlier.awaited());
    }

    private static Awaited together(Awaited later, Awaited earlier) {
        if (later instanceof Awaited.Lock now && earlier instanceof Awaited.Lock then) {
            Awaited.Lock holder = now.ownerStack().isEmpty() && then.owner().isPresent() ? then : now;
            return new Awaited.Lock(
                    now.name(),
                    now.monitor(),
                    holder.owner(),
                    holder.ownerStack(),
                    Math.max(now.otherWaiters(), then.otherWaiters()));
        }
        if (later instanceof Awaited.Line now && earlier instanceof Awaited.Line then) {
            boolean isMore = now.served().orElse(-1) >= then.served().orElse(-1);
            return new Awaited.Line(
                    now.name(),
                    now.limited(),
                    isMore ? now.served() : then.served(),
                    now.capacity().isPresent() ? now.capacity() : then.capacity(),
                    now.inUse().isPresent() ? now.inUse() : then.inUse());
        }
        return later;
    }
}
