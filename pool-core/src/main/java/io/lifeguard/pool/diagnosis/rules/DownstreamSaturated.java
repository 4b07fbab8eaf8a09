package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.sizing.Concurrency;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.StackSample;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * {@code downstream-saturated}: the pool has a backlog, but what its tasks wait for takes no more: more concurrency
 * only makes each call slower. Stateless.
 *
 * <p>Formula: the backlog stays, the process uses less than 80 % of its CPUs, at least half of the service time is
 * spent outside; and either the pool's own variation in concurrency shows that waiting grows with it
 * ({@link Concurrency#growth()} ≥ 0.5, known to within 0.2), or at least 30 % of the workers are parked at one place of
 * the user's, waiting for a connection or a permit that others hold, as at least three looks at their stacks show.
 * Window: the variation of the last 60 windows, without those in which the machine was busy, with whosoever's work;
 * stacks of the last 5.
 *
 * <p>Thresholds: at a growth of 0.5 twice the workers bring 1.4 times the throughput at 1.4 times the service time;
 * from there on growing loses more than it wins. 30 % parked: growing by any number would only lengthen that line.
 *
 * <p>Closest healthy workload: calls that take long whatever the load; and a service that got slower by itself for a
 * while: its throughput <em>falls</em> as calls pile up, which is told apart.
 */
public final class DownstreamSaturated extends StandardRule {

    static final String ID = "downstream-saturated";

    static final Threshold GROWTH = new Threshold(
            ID + ".growth",
            0.5,
            "power with which waiting outside grows with concurrency, 0 to 1; at 0.5 growing brings as much as it"
                    + " costs");
    static final Threshold PARKED = new Threshold(
            ID + ".parked", 0.3, "share of the workers that wait in one place for a connection or a permit, 0 to 1");

    private static final double OUTSIDE = 0.5;
    private static final double CPU_SHARE = 0.8;
    private static final int FEWEST_ROUNDS = 3;

    public DownstreamSaturated() {
        super(ID, GROWTH, PARKED);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (!isSuspect(window)) {
            return Verdict.clear();
        }
        Sizing sizing = Sizing.of(window).orElse(null);
        if (sizing == null) {
            return Verdict.unknown("how long tasks run, and how much CPU time they use");
        }
        if (SizingEvidence.outside(sizing) < OUTSIDE * sizing.serviceTime()) {
            return Verdict.clear();
        }
        return sign(window, sizing)
                .map(sign -> Verdict.found(finding(window, sizing, sign)))
                .orElseGet(() -> isKnown(window, sizing)
                        ? Verdict.clear()
                        : Verdict.unknown("the workers' stacks, and how the throughput changes with the workers"));
    }

    private static boolean isSuspect(PoolWindow window) {
        return window.process().cpuShare().orElse(0) < CPU_SHARE && Backlog.stays(window);
    }

    /** Whether at least one of the two signs could have been seen. */
    private static boolean isKnown(PoolWindow window, Sizing sizing) {
        return sizing.concurrency().isKnown() || window.last(5).stacks().isPresent();
    }

    /** What shows that growing will not help. */
    static Optional<Sign> sign(PoolWindow window, Sizing sizing) {
        Optional<Sign> line = window.last(5)
                .stacks()
                .filter(sample -> sample.rounds() >= FEWEST_ROUNDS)
                .flatMap(sample -> sample.groups().stream()
                        .filter(group -> group.doing() == Doing.WAITING_IN_LINE)
                        .max(Comparator.comparingDouble(StackSample.Group::workers))
                        .filter(group -> group.workers() >= window.threshold(PARKED) * sample.workersPerRound())
                        .map(group -> new Sign(group.place(), group.workers())));
        return line.isPresent() || sizing.concurrency().growth() < window.threshold(GROWTH)
                ? line
                : Optional.of(new Sign("", 0));
    }

    /**
     * @param place where workers stand in line; empty when nobody saw a line
     * @param workers how many
     */
    record Sign(String place, double workers) {}

    private static Finding finding(PoolWindow window, Sizing sizing, Sign sign) {
        Finding.Builder finding = Finding.of(ID, window);
        SizingEvidence.add(finding, sizing);
        return (sign.place().isEmpty() ? byConcurrency(finding, sizing) : byLine(finding, sizing, sign)).build();
    }

    private static Finding.Builder byLine(Finding.Builder finding, Sizing sizing, Sign sign) {
        int served = Math.max(1, sizing.workers() - (int) Math.floor(sign.workers()));
        int inLine = Math.max(1, sizing.workers() - served); // so that the two agree; what is measured is a mean
        return finding.summary(
                        "%d of %s %s in line at %s: what they wait for serves %d at a time, whatever the number of"
                                + " workers",
                        inLine,
                        Counted.of(sizing.workers(), "worker"),
                        inLine == 1 ? "stands" : "stand",
                        sign.place(),
                        served)
                .advice(
                        "Growing the pool will not help: %s the same %s tasks/s; give them more of what they wait"
                                + " for (connections, permits), or ask less of it",
                        Counted.of(served, "worker does", "workers do"), Units.rate(sizing.throughput()))
                .recommendedSize(served)
                .evidence("inLine", sign.workers())
                .evidence("place", sign.place());
    }

    private static Finding.Builder byConcurrency(Finding.Builder finding, Sizing sizing) {
        Concurrency learnt = sizing.concurrency();
        int enough = (int) Math.max(1, Math.ceil(learnt.enough()));
        return finding.summary(
                        "more calls at once only make each call slower: twice as many had %s the throughput, and"
                                + " each waited %s as long",
                        Units.times(Math.pow(2, learnt.elasticity())),
                        Units.times(Math.pow(2, 1 - learnt.elasticity())))
                .advice(
                        "Growing the pool will not help; look at what the tasks wait for (%s a call). About %s did"
                                + " as much as any number. Sure to within ±%.0f %% (%s, concurrency ×%.1f)",
                        Units.time(SizingEvidence.outside(sizing)),
                        Counted.of(enough, "worker"),
                        200 * learnt.error(),
                        Counted.of(learnt.windows(), "window"),
                        learnt.spread())
                .recommendedSize(enough)
                .evidence("elasticity", learnt.elasticity())
                .evidence("elasticityError", learnt.error())
                .evidence("windows", learnt.windows())
                .evidence("concurrencySpread", learnt.spread());
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return isSuspect(window) ? EnumSet.allOf(Evidence.class) : Set.of();
    }
}
