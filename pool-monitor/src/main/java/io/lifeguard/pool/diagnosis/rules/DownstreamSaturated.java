package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Backlog;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.bottleneck.Judgement;
import io.lifeguard.pool.diagnosis.bottleneck.Standstill;
import io.lifeguard.pool.diagnosis.bottleneck.WaitingWorkers;
import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.diagnosis.sizing.Concurrency;
import io.lifeguard.pool.diagnosis.sizing.SizeRange;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.Optional;
import java.util.Set;

/**
 * Finds pools that wait for something that serves no more callers at once, so that more workers only make each call
 * slower. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> Either the bottleneck is a limited resource ({@link Bottlenecks}). Or it is the world outside, and
 * the pool's own variation in concurrency shows that waiting grows with it ({@link Concurrency#growth()} ≥ 0.5, known
 * to within 0.2). The size for a limited resource is the largest number of workers that was seen past the queue, or the
 * number that the average of all other workers needs if that is larger ({@link PacedSize}). No size is named where it
 * is unknown whether the resource is limited, as for a notification or an element of a queue.
 *
 * <p><b>Window.</b> The queue of the last second; the variation of the last 60 windows, without those in which the
 * machine was busy.
 *
 * <p><b>Thresholds.</b> At a growth of 0.5, twice the workers bring 1.4 times the throughput at 1.4 times the service
 * time; beyond that, growing loses more than it gains. With 30 % of the workers in the queue, growing the pool only
 * lengthens it.
 *
 * <p><b>Closest healthy workload.</b> Calls that take long whatever the load; and a service that got slower by itself
 * for a while, whose throughput <em>falls</em> as calls pile up. Consumers that poll a queue forever complete no tasks,
 * and so are not limited by it.
 */
public final class DownstreamSaturated extends StandardRule {

    static final String ID = "downstream-saturated";

    static final Threshold GROWTH = new Threshold(
            ID + ".growth",
            0.5,
            "power with which waiting outside grows with concurrency, 0 to 1; at 0.5 growing brings as much as it"
                    + " costs");

    public DownstreamSaturated() {
        super(ID, GROWTH);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (Standstill.of(window).isPresent()) {
            return Verdict.clear(); // nothing gets slower, nothing moves: what stands-still says
        }
        boolean isOutside = window.bottleneck() == Bottleneck.OUTSIDE;
        Optional<Verdict> other = Limits.unless(window, isOutside ? Bottleneck.OUTSIDE : Bottleneck.LINE);
        if (other.isPresent()) {
            return other.get();
        }
        return isOutside ? concurrency(window) : line(window, Bottlenecks.judge(window, Bottleneck.LINE));
    }

    private static Verdict line(PoolWindow window, Judgement judgement) {
        return Standstill.mayStandStill(window)
                ? Verdict.unknown("whether anything moves")
                : Verdict.found(byLine(window, judgement));
    }

    private static Verdict concurrency(PoolWindow window) {
        Sizing sizing = Sizing.of(window).orElse(null);
        if (sizing == null || !sizing.concurrency().isKnown()) {
            return Verdict.unknown("how the throughput changes with the number of calls at once");
        }
        return sizing.concurrency().growth() < window.threshold(GROWTH)
                ? Verdict.clear()
                : Verdict.found(byConcurrency(window, sizing));
    }

    private static Finding byLine(PoolWindow window, Judgement judgement) {
        WaitingWorkers group = judgement.group().orElseThrow();
        int workers = window.after().size();
        SizeRange range = served(window, group);
        int inLine = (int) Math.round(group.workers().value());
        Awaited.Line line = group.largest().awaited().orElse(null) instanceof Awaited.Line known ? known : null;
        String place = group.place().isEmpty() ? "" : " at " + group.place();
        String inLineText = Units.format(
                "%d of %s %s%s", inLine, Counted.of(workers, "worker"), inLine == 1 ? "queues" : "queue", place);
        Finding.Builder finding = Finding.of(ID, window)
                .evidence("workers", workers)
                .evidence("inLine", group.workers().value())
                .evidence("inLineAtLeast", group.workers().low());
        if (window.countsTasks()) {
            finding.evidence("throughput", window.throughput());
        }
        if (line != null) {
            finding.evidence("resource", line.name());
            if (line.served().isPresent()) {
                finding.evidence("servedAtOnce", line.served().getAsInt());
            }
            if (line.capacity().isPresent()) {
                finding.evidence("capacity", line.capacity().getAsInt());
            }
        }
        Places.add(finding, group.shares());
        if (line == null || !line.limited()) {
            String others = "it is unknown who provides it, and whether more workers would help";
            String past = line == null || line.served().isEmpty()
                    ? ""
                    : Counted.of(line.served().getAsInt(), "worker");
            return SizingEvidence.noSize(
                            finding.summary(
                                    "%s%s: they wait until other threads provide it%s",
                                    inLineText,
                                    line == null ? "" : " for " + line.name(),
                                    past.isEmpty() ? "" : ", and about " + past + " at a time have got past"),
                            others)
                    .advice(
                            "%s at the threads that provide it (those that notify, signal or put): %s.",
                            past.isEmpty()
                                    ? "Look"
                                    : "If tasks give it back, as to a pool of objects, more workers will not help:"
                                            + " provide more than for about " + past + ". Otherwise look",
                            others)
                    .build();
        }
        Lender lender = Neighbours.lender(line.name()).orElse(null);
        if (line.capacity().isPresent() && line.inUse().isPresent()) {
            String waiting = lender == null ? "" : ", " + Counted.of(lender.waiting(), "thread waits", "threads wait");
            finding.summary(
                    "%d of %d connections of %s are in use%s: %s",
                    line.inUse().getAsInt(), line.capacity().getAsInt(), line.name(), waiting, inLineText);
        } else {
            finding.summary(
                    "%s for %s, which serves about %s at once",
                    inLineText,
                    line.name(),
                    Counted.of(Math.min(line.served().orElse(range.size()), range.size()), "caller"));
        }
        String limit =
                lender == null ? "connections, permits" : "connections of " + lender.name() + ": " + lender.setting();
        String remedy = line.isLocked()
                ? "Commit sooner, with no calls between the change and the commit, or let tasks change different rows"
                : "Raise the limit that they wait for (" + limit.replace("%", "%%") + "), or use it less";
        String growing = "Growing the pool will not help%s. " + remedy + "%s";
        Optional<String> why = Sizing.whyNoneServed(window);
        if (why.isPresent()) {
            return SizingEvidence.noSize(finding, why.get())
                    .advice(growing, "", ". No size can be computed: " + why.get())
                    .build();
        }
        String enough = Units.format(
                ": %s %s",
                Counted.of(range.size(), "worker does", "workers do"),
                window.countsTasks() ? "the same " + Units.rate(window.throughput()) + " tasks/s" : "as much");
        return SizingEvidence.size(finding.advice(growing, "", ""), range, growing, enough, "")
                .build();
    }

    /** The workers past the line, and those that are busy with something else. */
    private static SizeRange served(PoolWindow window, WaitingWorkers group) {
        Estimate past = group.othersLately(window, Doing.WAITING_IN_LINE);
        int seen = group.largest().awaited().orElse(null) instanceof Awaited.Line line
                ? line.served().orElse(0)
                : 0;
        // a look may meet workers on their way, so at most twice the mean counts
        int most = Math.min(seen, (int) Math.ceil(2 * past.value()));
        int size = Math.max(most, sizeFor(past.value(), seen));
        return new SizeRange((int) Math.floor(past.low()), size, Math.max(sizeFor(past.high(), seen), size + 1));
    }

    private static int sizeFor(double past, int served) {
        double least = Math.max(1, past);
        return PacedSize.sizeFor(least, served > 0 ? served : least);
    }

    private static Finding byConcurrency(PoolWindow window, Sizing sizing) {
        Concurrency learnt = sizing.concurrency();
        int enough = (int) Math.max(1, Math.ceil(learnt.enough()));
        double sure = 1 + 2 * learnt.error();
        SizeRange range = new SizeRange((int) Math.floor(enough / sure), enough, (int) Math.ceil(enough * sure));
        TimeBreakdown times = Limits.recent(window);
        String places = Places.clause(Places.of(times, Doing.WAITING_OUTSIDE), sizing.workers());
        Finding.Builder finding = SizingEvidence.add(Finding.of(ID, window), sizing)
                .summary(
                        "more calls at once only make each call slower: twice as many had %s the throughput, and"
                                + " each waited %s as long%s",
                        Units.times(Math.pow(2, learnt.elasticity())),
                        Units.times(Math.pow(2, 1 - learnt.elasticity())),
                        places.isEmpty() ? "" : "; " + places)
                .evidence("elasticity", learnt.elasticity())
                .evidence("elasticityError", learnt.error())
                .evidence("windows", learnt.windows())
                .evidence("concurrencySpread", learnt.spread());
        Places.add(finding, Places.of(times, Doing.WAITING_OUTSIDE));
        String sureText = Units.format(
                "Certain to ±%.0f%% (%s, in which the concurrency varied %.1f-fold)",
                200 * learnt.error(), Counted.of(learnt.windows(), "window"), learnt.spread());
        String growing = "Growing the pool will not help; look at what the tasks wait for (%s a call).";
        String outside = Units.time(SizingEvidence.outside(sizing));
        finding.advice(growing + " %s", outside, sureText);
        Optional<String> why = Sizing.whyNone(window);
        return why.isPresent()
                ? SizingEvidence.noSize(finding, why.get()).build()
                : SizingEvidence.size(
                                finding,
                                range,
                                growing + " About %s were as fast as any number. %s",
                                outside,
                                Counted.of(enough, "worker"),
                                sureText)
                        .build();
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return Backlog.stays(window) ? Suspicion.ofWaits(window) : Set.of();
    }
}
