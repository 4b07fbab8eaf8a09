package io.lifeguard.pool.diagnosis.testing;

import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Says what the workers of a pool did, for tests of rules. What is not said is unknown. Not thread-safe. */
public final class Breakdowns {

    public static final String PLACE = "com.example.Orders.load(Orders.java:42)";

    private final double workers;
    private final List<Share> shares = new ArrayList<>();
    private final Map<Long, List<StackTraceElement>> stacks = new HashMap<>();
    private double error;
    private int taken = 60;

    private Breakdowns(double workers) {
        this.workers = workers;
    }

    public static Breakdowns of(double workers) {
        return new Breakdowns(workers);
    }

    /** So many workers, and all others compute. */
    public static TimeBreakdown doing(Doing what, double count, double workers) {
        return of(workers)
                .with(what, count)
                .with(Doing.COMPUTING, Math.max(0, workers - count))
                .build();
    }

    /** The standard error of all shares that follow, in workers. */
    public Breakdowns error(double workerCount) {
        error = workerCount;
        return this;
    }

    /** How many stacks were taken. The error of a sum is at most that of a simple sample of as many; 60 by default. */
    public Breakdowns taken(int stackCount) {
        taken = stackCount;
        return this;
    }

    public Breakdowns with(Doing what, double count) {
        return with(what, count, PLACE, null);
    }

    public Breakdowns with(Doing what, double count, String place, Awaited awaited) {
        if (count > 0) {
            List<StackTraceElement> stack =
                    place.isEmpty() ? List.of() : List.of(new StackTraceElement("com.example.Orders", "load", null, 1));
            shares.add(new Share(what, place, new Estimate(count, error), stack, Optional.ofNullable(awaited)));
        }
        return this;
    }

    public Breakdowns lock(double waiters, String name) {
        return with(
                Doing.WAITING_FOR_LOCK, waiters, PLACE, new Awaited.Lock(name, true, Optional.empty(), List.of(), 0));
    }

    public Breakdowns line(double waiters, int served) {
        return with(
                Doing.WAITING_IN_LINE,
                waiters,
                PLACE,
                new Awaited.Line(
                        "java.util.concurrent.Semaphore@1a2b",
                        true,
                        OptionalInt.of(served),
                        OptionalInt.empty(),
                        OptionalInt.empty()));
    }

    /** Workers that wait for a task in a pool's queue; of an unknown pool if it is null. */
    public Breakdowns result(double waiters, String pool) {
        return with(
                Doing.WAITING_FOR_RESULT, waiters, PLACE, new Awaited.Result(Optional.ofNullable(pool), pool != null));
    }

    public Breakdowns stack(long thread, StackTraceElement... frames) {
        stacks.put(thread, List.of(frames));
        return this;
    }

    public TimeBreakdown build() {
        double known =
                shares.stream().mapToDouble(share -> share.workers().value()).sum();
        List<Share> all = new ArrayList<>(shares);
        if (workers - known > 1e-9) {
            all.add(new Share(Doing.UNKNOWN, "", Estimate.exactly(workers - known), List.of(), Optional.empty()));
        }
        return new TimeBreakdown(workers, 20, taken, all, stacks);
    }
}
