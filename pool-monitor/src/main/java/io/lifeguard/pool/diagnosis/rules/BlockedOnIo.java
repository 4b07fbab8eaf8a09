package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Backlog;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.bottleneck.Standstill;
import io.lifeguard.pool.diagnosis.bottleneck.Thresholds;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import io.lifeguard.pool.diagnosis.sizing.SizeRange;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Finds workers that wait for something outside the process while the CPUs are idle and tasks queue. Stateless,
 * thread-safe.
 *
 * <p><b>Formula.</b> The bottleneck is the world outside ({@link Bottlenecks}). The model expects at least 1.2 times
 * the throughput from the recommended size ({@link Sizing#range()}). The finding is clear where the pool has tried more
 * calls at once and twice as many brought less than 1.4 times the throughput: an elasticity of 0.5, which is 1 −
 * {@code downstream-saturated.growth}. If more workers sleep than wait, the finding says that they sleep and names no
 * size, because a task may sleep to keep a rate. If nothing was completed for 4 s and for twice as long as a task takes
 * on average, the finding is critical: it says that the calls do not return, and names no size. A pool that was shut
 * down and has completed nothing for 5 s is left to {@code pool-leaked}.
 *
 * <p><b>Window.</b> Shares of the last second; a backlog over 2 s; times as far back as size and load were alike, at
 * most 10 windows. Whether calls slow each other down comes from the last minute, and from the hour before it in
 * minutes.
 *
 * <p><b>Thresholds.</b> With less than half of the workers outside, the task mostly computes. A gain of 1.2 is a
 * choice. The recommended size is the one for the CPUs, but what the calls wait for may be the limit long before: 2
 * workers that update one row of a database did 81 tasks/s, 4 did 84, and 24 did 57. So a pool that has not tried more
 * calls at once is told to try twice as many workers, and beyond 20 times the present size no size is named. Such a
 * pool uses less than a twentieth of the CPUs.
 *
 * <p><b>Closest healthy workload.</b> Slow calls that all find a worker, so that nothing queues; or a burst that is
 * nearly done.
 */
public final class BlockedOnIo extends StandardRule {

    static final String ID = "blocked-on-io";

    private static final double GAIN = 1.2; // expected throughput by the present one; less is not worth the threads

    /**
     * How many times the present size is still said, where the pool has not tried more calls at once; beyond it tasks
     * use less than a twentieth of the CPUs, so the CPUs are hardly what limits them first.
     */
    private static final double REACH = 20;

    private static final int STEP = 2; // an experiment: from 1.5 on Concurrency can tell

    public BlockedOnIo() {
        super(ID);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (CommonPoolBlocked.isCommonPool(window)) {
            return Verdict.clear(); // another rule's: it is not to be grown
        }
        if (hasStoppedForGood(window)) {
            return Verdict.clear(); // what pool-leaked is about: more workers would wait as well
        }
        Optional<Verdict> other = Limits.unless(window, Bottleneck.OUTSIDE);
        return other.isPresent() ? other.get() : explain(window);
    }

    /** Whether it was shut down, and completes nothing. One that was shut down may have much to do, as a batch has. */
    private static boolean hasStoppedForGood(PoolWindow window) {
        return window.state() == PoolState.SHUTTING_DOWN
                && window.countsTasks()
                && window.last(Thresholds.MOVES_SECONDS).completed() == 0;
    }

    private static Verdict explain(PoolWindow window) {
        TimeBreakdown times = Limits.recent(window);
        Estimate outside = times.workers(Doing.WAITING_OUTSIDE);
        if (outside.value() < times.workers(Doing.SLEEPING).value()) {
            return Verdict.found(asleep(window, times));
        }
        if (Standstill.of(window).isPresent()) {
            return Verdict.clear(); // what stands-still says
        }
        if (Standstill.mayStandStill(window)) {
            return Verdict.unknown("whether anything moves");
        }
        Optional<Sizing> sizing = Sizing.of(window);
        return sizing.isPresent() && !isWorthGrowing(window, sizing.get())
                ? Verdict.clear()
                : Verdict.found(finding(window, times, outside, sizing));
    }

    private static boolean isWorthGrowing(PoolWindow window, Sizing sizing) {
        double growth = window.threshold(DownstreamSaturated.GROWTH);
        return sizing.concurrency().growth() < growth
                && !(sizing.concurrency().isKnown() && sizing.concurrency().elasticity() < 1 - growth)
                && sizing.expected(range(sizing).size()).throughput() >= GAIN * sizing.throughput();
    }

    /** Where the pool has not tried more calls at once, it is possible that more workers achieve nothing. */
    private static SizeRange range(Sizing sizing) {
        SizeRange range = sizing.range();
        return sizing.concurrency().isKnown()
                ? range
                : new SizeRange(Math.min(range.low(), sizing.workers()), range.size(), range.high());
    }

    private static Finding finding(PoolWindow window, TimeBreakdown times, Estimate outside, Optional<Sizing> sizing) {
        int workers = window.after().size();
        Finding.Builder finding = Finding.of(ID, window)
                .summary(
                        "%s%s; %s",
                        waitOutside(times, outside, workers),
                        sizing.isEmpty()
                                ? ""
                                : Units.format( // the same number as in the advice
                                        ", so at most about %s tasks/s are possible: %s ÷ %s",
                                        Units.rate(Units.twoDigits(sizing.get().throughput())),
                                        Counted.of(workers, "worker"),
                                        Units.time(sizing.get().serviceTime())),
                        waiting(window))
                .evidence("waitingOutside", outside.value());
        common(finding, window, Places.of(times, Doing.WAITING_OUTSIDE));
        if (sizing.isPresent()) {
            SizingEvidence.add(finding, sizing.get());
        }
        return advise(finding, window, sizing).build();
    }

    private static String waitOutside(TimeBreakdown times, Estimate outside, int workers) {
        String places = Places.clause(Places.of(times, Doing.WAITING_OUTSIDE), workers);
        return places.isEmpty()
                ? Units.format(
                        "%s of %s %s for something outside",
                        Places.count(outside.value()),
                        Counted.of(workers, "worker"),
                        Math.round(outside.value()) == 1 ? "waits" : "wait")
                : places + (Math.round(outside.value()) == 1 ? " and waits" : " and wait") + " for something outside";
    }

    private static Finding.Builder advise(Finding.Builder finding, PoolWindow window, Optional<Sizing> sizing) {
        Optional<String> reach = sizing.isPresent() ? outOfReach(sizing.get()) : Optional.empty();
        Optional<String> why = reach.isPresent() ? reach : SizingEvidence.whyNoSize(window, sizing);
        if (why.isPresent() || sizing.isEmpty()) {
            if (sizing.isPresent()) {
                SizingEvidence.certainty(finding, sizing.get());
            }
            return advise(SizingEvidence.noSize(finding, why.orElse("")), window, sizing, why.orElse(""));
        }
        Sizing known = sizing.get();
        SizeRange range = range(known);
        Optional<String> sharing = Sizing.sharing(window);
        SizingEvidence.sharing(finding, sharing);
        if (known.concurrency().isKnown()) {
            finding.changesSize()
                    .advice("Grow the pool, because calls got no slower when there were more of them, or make the call"
                            + " asynchronous.");
            return SizingEvidence.size(
                    SizingEvidence.expect(finding, known, range.size()),
                    range,
                    "Grow the pool to %s, or make the call asynchronous; expect %s, because calls got no slower when"
                            + " there were more of them",
                    SizingEvidence.text(range, sharing),
                    known.change(range.size()));
        }
        int next = Math.min(range.size(), STEP * known.workers());
        finding.changesSize()
                .evidence("tryNext", next)
                .advice("Try more workers. If the calls get slower, go back and look at what they wait for. Or make"
                        + " the call asynchronous.");
        return SizingEvidence.size(
                SizingEvidence.expect(finding, known, next),
                new SizeRange(range.low(), next, range.high()),
                "Try %s. If the calls get slower, go back and look at what they wait for. Or make the call"
                        + " asynchronous. If the calls get no slower, the CPUs can carry %s: %s",
                Counted.of(next, "worker"),
                SizingEvidence.text(new SizeRange(range.size(), range.size(), range.high()), sharing),
                known.change(range.size()));
    }

    /** The advice without a size. */
    private static Finding.Builder advise(
            Finding.Builder finding, PoolWindow window, Optional<Sizing> sizing, String why) {
        finding.changesSize();
        int workers = Math.max(1, window.after().size());
        if (sizing.isPresent() && sizing.get().concurrency().isKnown()) {
            return finding.advice(
                    "Grow the pool, because calls got no slower when there were more of them, or make the call"
                            + " asynchronous. No size can be computed: %s",
                    why);
        }
        int fewer = workers / STEP;
        int more = workers * STEP;
        return finding.evidence("tryNext", more)
                .advice(
                        "Try %s%s: this pool has had no other size, so it is unknown whether more calls at once do more"
                                + " or only get slower. If they get slower, go back and look at what they wait for. Or"
                                + " make the call asynchronous. No size can be computed: %s",
                        Counted.of(more, "worker"), fewer == 0 ? "" : ", and " + fewer, why);
    }

    /** Why the size for the CPUs says nothing, where the pool has not tried more calls at once. */
    private static Optional<String> outOfReach(Sizing sizing) {
        if (sizing.concurrency().isKnown() || sizing.recommendedSize() <= REACH * sizing.workers()) {
            return Optional.empty();
        }
        double used = sizing.cpuTime() * sizing.throughput() / sizing.cores();
        return Optional.of(Units.format(
                "its tasks use %s of the CPUs, so something else limits them first",
                used < 0.01 ? "less than 1%" : Units.percent(used)));
    }

    private static Finding asleep(PoolWindow window, TimeBreakdown times) {
        Estimate sleeping = times.workers(Doing.SLEEPING);
        int workers = window.after().size();
        String places = Places.clause(Places.of(times, Doing.SLEEPING), workers);
        Optional<String> rate = rate(times, sleeping);
        Finding.Builder finding = Finding.of(ID, window)
                .summary(
                        "%s%s; %s",
                        places.isEmpty()
                                ? Units.format(
                                        "%s of %s sleep", Places.count(sleeping.value()), Counted.of(workers, "worker"))
                                : places + (Math.round(sleeping.value()) == 1 ? " and sleeps" : " and sleep"),
                        rate.isPresent() ? " for " + rate.get() : "",
                        waiting(window))
                .advice(
                        rate.isPresent()
                                ? "More workers will not help: raise the rate, or submit fewer tasks. To keep workers"
                                        + " free meanwhile, ask the limiter before a task is submitted."
                                : SaidFinding.DO_NOT_SLEEP)
                .evidence("sleeping", sleeping.value());
        if (rate.isPresent()) {
            finding.evidence("resource", rate.get());
        }
        common(finding, window, Places.of(times, Doing.SLEEPING));
        return SizingEvidence.noSize(finding, "tasks may sleep to keep a rate").build();
    }

    /** The limiter for which most of the sleeping workers sleep. */
    private static Optional<String> rate(TimeBreakdown times, Estimate sleeping) {
        for (TimeBreakdown.Share share : Places.of(times, Doing.SLEEPING)) {
            if (share.workers().value() > sleeping.value() / 2
                    && share.awaited().orElse(null) instanceof Awaited.Line line
                    && line.isRate()) {
                return Optional.of(line.name());
            }
        }
        return Optional.empty();
    }

    private static void common(Finding.Builder finding, PoolWindow window, List<TimeBreakdown.Share> places) {
        Places.add(finding, places);
        if (window.countsQueue()) {
            finding.evidence("queued", window.after().queued())
                    .evidence("blockedSubmitters", window.after().saturation().blockedNow());
        } else {
            finding.severity(Severity.INFO); // that tasks wait is a guess
        }
        OptionalDouble busy = window.process().machineBusy();
        if (busy.isPresent()) {
            finding.evidence("machineBusy", busy.getAsDouble());
        }
    }

    private static String waiting(PoolWindow window) {
        if (!window.countsQueue()) {
            return "no worker was seen idle, so more tasks probably wait; their number is unknown";
        }
        String tasks = Counted.of(window.after().queued(), "task queues", "tasks queue");
        return SaidFinding.waiting(tasks, window.after().saturation().blockedNow());
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return Backlog.stays(window) ? Suspicion.ofWaits(window) : Set.of();
    }
}
