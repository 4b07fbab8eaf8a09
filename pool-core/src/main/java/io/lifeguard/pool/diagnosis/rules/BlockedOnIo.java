package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.sizing.Backlog;
import io.lifeguard.pool.diagnosis.sizing.Bottlenecks;
import io.lifeguard.pool.diagnosis.sizing.SizeRange;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * {@code blocked-on-io}: the workers wait for something outside, the CPUs idle, and tasks queue. Stateless.
 *
 * <p>Formula: the bottleneck is the world outside ({@link Bottlenecks}), the backlog stays, and at least half of the
 * busy workers wait outside, by the lower bound. The model expects at least 1.2 times the throughput from the
 * recommended size. Clear where the pool has tried more calls at once of late and twice as many had less than 1.4
 * times the throughput (an elasticity of 0.5). Workers that sleep are said to sleep, and no size follows: a task may
 * sleep to keep a rate. Window: shares of the last second; a backlog over 2 s; times as far back as the size and the
 * load were alike, at most 10 windows.
 *
 * <p>Thresholds: below half the task mostly computes. 1.2 is a choice. An elasticity of 0.5 as in
 * {@code downstream-saturated}.
 *
 * <p>A pool that was shut down and has completed nothing for 5 s is left to {@code pool-leaked}.
 *
 * <p>Closest healthy workload: slow calls that all find a worker (no backlog), or a burst that is about to be done.
 * Other findings: calls that get slower the more there are, and lines for connections ({@code downstream-saturated});
 * locks ({@code lock-contention}); waiting for tasks of the own queue ({@code starved-by-own-tasks}).
 */
public final class BlockedOnIo extends StandardRule {

    static final String ID = "blocked-on-io";

    static final Threshold OUTSIDE = Bottlenecks.OUTSIDE;
    static final Threshold GAIN =
            new Threshold(ID + ".gain", 1.2, "expected throughput by the present one; less is not worth the threads");

    /** Beyond that the model has nothing to go by: it is unknown what the service behind does under such a load. */
    private static final int MOST_GROWTH = 8;

    private static final Duration MOVES = Duration.ofSeconds(5);

    private static final double ELASTICITY = 0.5; // below it growing did not help of late

    public BlockedOnIo() {
        super(ID, OUTSIDE, GAIN);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (CommonPoolBlocked.isCommonPool(window)) {
            return Verdict.clear(); // another rule's: it is not to be grown
        }
        if (hasStoppedForGood(window)) {
            return Verdict.clear(); // what pool-leaked is about: more workers would wait as well
        }
        return Limits.otherThan(window, Bottleneck.OUTSIDE).orElseGet(() -> judge(window));
    }

    /** Whether it was shut down, and completes nothing. One that was shut down may have much to do, as a batch has. */
    private static boolean hasStoppedForGood(PoolWindow window) {
        return window.state() == PoolState.SHUTTING_DOWN
                && window.countsTasks()
                && window.last(MOVES).completed() == 0;
    }

    private static Verdict judge(PoolWindow window) {
        if (!Backlog.stays(window)) {
            return Verdict.clear();
        }
        TimeBreakdown times = Limits.recent(window);
        double threshold = window.threshold(OUTSIDE) * Bottlenecks.busyWorkers(window);
        Estimate outside = times.workers(Doing.WAITING_OUTSIDE);
        Estimate all = times.workers(Doing.WAITING_OUTSIDE, Doing.SLEEPING);
        if (all.low() < threshold) {
            return Limits.fewerThan(threshold, all, window);
        }
        if (outside.value() < all.value() / 2) {
            return Verdict.found(asleep(window, times));
        }
        if (outside.low() < threshold) {
            return Limits.fewerThan(threshold, outside, window);
        }
        Optional<Sizing> sizing = Sizing.of(window);
        return sizing.isPresent() && !isWorthGrowing(window, sizing.get())
                ? Verdict.clear()
                : Verdict.found(finding(window, times, outside, sizing));
    }

    private static boolean isWorthGrowing(PoolWindow window, Sizing sizing) {
        return sizing.concurrency().growth() < window.threshold(DownstreamSaturated.GROWTH)
                && !(sizing.concurrency().isKnown() && sizing.concurrency().elasticity() < ELASTICITY)
                && sizing.expected(range(sizing).size()).throughput() >= window.threshold(GAIN) * sizing.throughput();
    }

    private static SizeRange range(Sizing sizing) {
        return sizing.range().atMost(Math.max(1, sizing.workers() * MOST_GROWTH));
    }

    private static Finding finding(PoolWindow window, TimeBreakdown times, Estimate outside, Optional<Sizing> sizing) {
        int workers = window.after().size();
        Finding.Builder finding = Finding.of(ID, window)
                .summary(
                        "%s%s; %s",
                        waitOutside(times, outside, workers),
                        sizing.map(known -> Units.format(
                                        ", so %s ÷ %s = %s tasks/s is all %s can do",
                                        Counted.of(workers, "worker"),
                                        Units.time(known.serviceTime()),
                                        Units.rate(workers / known.serviceTime()),
                                        workers == 1 ? "it" : "they"))
                                .orElse(""),
                        waiting(window))
                .evidence("waitingOutside", outside.value());
        common(finding, window, times.places(Doing.WAITING_OUTSIDE));
        sizing.ifPresent(known -> SizingEvidence.add(finding, known));
        return advise(finding, window, sizing).build();
    }

    private static String waitOutside(TimeBreakdown times, Estimate outside, int workers) {
        String places = Places.clause(times.places(Doing.WAITING_OUTSIDE), workers);
        return places.isEmpty()
                ? Units.format(
                        "%s of %s %s for something outside",
                        Places.count(outside.value()),
                        Counted.of(workers, "worker"),
                        Math.round(outside.value()) == 1 ? "waits" : "wait")
                : places + (Math.round(outside.value()) == 1 ? " and waits" : " and wait") + " for something outside";
    }

    private static Finding.Builder advise(Finding.Builder finding, PoolWindow window, Optional<Sizing> sizing) {
        String tried = sizing.filter(known -> known.concurrency().isKnown()).isPresent()
                ? "as calls got no slower when there were more of them"
                : "if what they wait for can take it, which this pool has not tried yet";
        Optional<String> why = SizingEvidence.whyNoSize(window, sizing);
        if (why.isPresent() || sizing.isEmpty()) {
            sizing.ifPresent(known -> SizingEvidence.certainty(finding, known));
            return SizingEvidence.noSize(finding, why.orElse(""))
                    .advice(
                            "Grow the pool, %s, or make the call asynchronous; to which size is not known well"
                                    + " enough to say: %s",
                            tried, why.orElse(""));
        }
        SizeRange range = range(sizing.get());
        boolean isCapped = range.size() < sizing.get().recommendedSize();
        return SizingEvidence.expect(finding, sizing.get(), range)
                .advice(
                        "Grow the pool to %d%s, or make the call asynchronous; expect %s, %s",
                        range.size(),
                        isCapped ? " and look again" : "",
                        sizing.get().change(range.size()),
                        tried);
    }

    private static Finding asleep(PoolWindow window, TimeBreakdown times) {
        Estimate sleeping = times.workers(Doing.SLEEPING);
        int workers = window.after().size();
        String places = Places.clause(times.places(Doing.SLEEPING), workers);
        Finding.Builder finding = Finding.of(ID, window)
                .summary(
                        "%s; %s",
                        places.isEmpty()
                                ? Units.format(
                                        "%s of %s sleep", Places.count(sleeping.value()), Counted.of(workers, "worker"))
                                : places + (Math.round(sleeping.value()) == 1 ? " and sleeps" : " and sleep"),
                        waiting(window))
                .advice("Do not sleep in a task: schedule the rest of it, so that the worker is free meanwhile. Where"
                        + " the sleep keeps a rate, more workers do not help.")
                .evidence("sleeping", sleeping.value());
        common(finding, window, times.places(Doing.SLEEPING));
        return SizingEvidence.noSize(finding, "tasks may sleep to keep a rate").build();
    }

    private static void common(Finding.Builder finding, PoolWindow window, Stream<TimeBreakdown.Share> places) {
        Places.add(finding, places);
        if (window.countsQueue()) {
            finding.evidence("queued", window.after().queued())
                    .evidence("blockedSubmitters", window.after().saturation().blockedNow());
        } else {
            finding.severity(Severity.INFO); // that tasks wait is a guess
        }
        window.process().machineBusy().ifPresent(busy -> finding.evidence("machineBusy", busy));
    }

    private static String waiting(PoolWindow window) {
        if (!window.countsQueue()) {
            return "no worker was seen idle, so more tasks probably wait; how many is not known";
        }
        int queued = window.after().queued();
        int blocked = window.after().saturation().blockedNow();
        String tasks = Counted.of(queued, "task queues", "tasks queue");
        if (blocked == 0) {
            return tasks;
        }
        return tasks + ", " + Counted.of(blocked, "submitter waits", "submitters wait");
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return Backlog.stays(window) ? Suspicion.ofWaits(window) : Set.of();
    }
}
