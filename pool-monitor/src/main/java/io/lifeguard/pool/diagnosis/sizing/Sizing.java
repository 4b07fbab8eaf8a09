package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Computes how large a pool should be, and predicts throughput and service time at that size and at any other.
 * Thread-safe.
 *
 * <p>From what tasks asked for in the latest windows, a {@link ServiceCurve} predicts throughput and service time at
 * every size. A saturated pool needs the smallest size that reaches {@value #ENOUGH} of the ceiling. A pool that is not
 * saturated needs room for its arrivals. With offered load R = arrival rate × service time, that is R + β·√R workers,
 * where β = {@value #HEADROOM} lets about one task in 37 wait. The formula is square-root staffing: S. Halfin, W.
 * Whitt, <i>Heavy-traffic limits for queues with many exponential servers</i>, Operations Research 29, 1981.
 */
public final class Sizing {

    /**
     * Share of the ceiling that is enough. In the corpus 99 % take 5 to 10 % more workers than 97 %. They also lose
     * less on top of the error of the prediction. The last percent would take a multiple of the workers.
     */
    public static final double ENOUGH = 0.99;

    /** How the clause begins that says that other processes have the CPUs. */
    public static final String OTHERS = "other processes use";

    /** β of square-root staffing: 1 lets 22 % of all tasks wait, 2 lets 2.7 %, 3 lets 0.1 %. */
    public static final double HEADROOM = 2;

    /** Standard deviations of random arrivals and departures: chance exceeds 2 once in forty times. */
    private static final double CHANCE = 2;

    /** Share by which arrivals exceed departures. A judgement: so little may be a burst. */
    private static final double MORE = 0.02;

    /** Workers that want a CPU, as a divisor where there are none. */
    private static final double HARDLY_ANY = 1e-3;

    private final int workers;
    private final boolean isSaturated;
    private final double throughput;
    private final double arrivalRate;
    private final DemandEstimate estimate;
    private final ServiceCurve curve;
    private final ServiceCurve cautious; // the same for CPU times that vary at least like exponential ones
    private final Concurrency concurrency;
    private final Certainty certainty;
    private final List<String> doubts;
    private final boolean areArrivalsSeen;
    private final OptionalInt standingWork;
    private final CpuGrowth cpuGrowth;
    private final CurveInterval ends;
    private final CpuShare share;

    private Sizing(
            PoolWindow window,
            DemandEstimate estimate,
            Concurrency concurrency,
            CpuGrowth cpuGrowth,
            List<PoolWindow> parts) {
        double spread = AlikeWindows.spread(parts);
        this.workers = window.after().size();
        this.isSaturated = window.isSaturated();
        this.throughput = window.throughput();
        this.arrivalRate = (window.submitted() + window.rejected() + window.callerRuns()) / window.seconds();
        this.areArrivalsSeen = window.blockedSubmit().count() == 0
                && window.before().saturation().blockedNow() == 0
                && window.after().saturation().blockedNow() == 0
                && moreCome(window.submitted() + window.rejected() + window.callerRuns(), window.completed());
        this.estimate = estimate;
        this.concurrency = concurrency;
        this.curve = ServiceCurve.of(estimate.demand(concurrency.growth()), estimate.variability());
        this.cautious = curve.variability() >= 1 ? curve : ServiceCurve.of(curve.demand());
        List<String> all = new ArrayList<>(estimate.doubts());
        Certainty least = estimate.certainty();
        if (AlikeWindows.areUnsteady(spread)) {
            all.add(Units.format("the service time differs by %s from window to window", Units.percent(spread)));
            least = least == Certainty.POOR ? least : Certainty.FAIR;
        }
        this.standingWork = StandingWork.in(parts);
        this.cpuGrowth = cpuGrowth;
        double error = Math.min(SizeError.MOST, SizeError.of(parts) + ProcessCpus.throttled(window));
        this.ends = new CurveInterval(cautious, error, estimate);
        this.share = CpuShare.of(estimate.cores, window.process().cores(), estimate.otherProcesses, runnable(window));
        this.certainty = least;
        this.doubts = List.copyOf(all);
    }

    /**
     * Sizes the pool of a window.
     *
     * @param window the window, not null; those before it count as well, as long as the pool was the same size and as
     *     busy
     * @return the size; empty when too few tasks ended, or nothing is known of their CPU time
     */
    public static Optional<Sizing> of(PoolWindow window) {
        Objects.requireNonNull(window, "window must not be null");
        return window.once(Computed.class, new Computing()).sizing();
    }

    /** A size, or that there is none. */
    private record Computed(Optional<Sizing> sizing) {}

    private static final class Computing implements Function<PoolWindow, Computed> {
        @Override
        public Computed apply(PoolWindow window) {
            return compute(window);
        }
    }

    private static Computed compute(PoolWindow window) {
        int count = AlikeWindows.count(window);
        PoolWindow joined = window.last(count);
        List<PoolWindow> parts = window.parts(count);
        Optional<DemandEstimate> estimate = DemandEstimate.of(joined, parts);
        return new Computed(
                estimate.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Sizing(
                                joined, estimate.get(), Concurrency.in(window), CpuGrowth.in(window), parts)));
    }

    /**
     * Whether more tasks come than go, and not by chance. Otherwise clients may wait for answers before they send more,
     * and more workers would bring more tasks.
     */
    private static boolean moreCome(long come, long gone) {
        return come >= (1 + MORE) * gone && come - gone >= CHANCE * Math.sqrt((double) come + gone);
    }

    /** The mean number of workers that were on a CPU, or waited for one. */
    private static double runnable(PoolWindow window) {
        Optional<ThreadTimes> times = window.workerTimes();
        return times.isPresent()
                ? times.get().cpu().plus(times.get().runQueueDelay()).toNanos() / 1e9 / window.seconds()
                : 0;
    }

    /**
     * {@return why no size can be recommended, as a clause; empty when one can}
     *
     * <p>Nothing follows where it is unknown how much of the CPUs the process can get. Nothing follows either while the
     * code that runs is compiled: a task may take three times the CPU time before. Nothing follows while all CPUs are
     * busy and other processes use a quarter of them. Fewer others and quotas only widen the interval
     * ({@link #range()}).
     *
     * @param window not null
     */
    public static Optional<String> whyNone(PoolWindow window) {
        Optional<String> served = whyNoneServed(window);
        return served.isPresent() ? served : ProcessCpus.compiling(window);
    }

    /**
     * {@return what keeps the process from its CPUs, as a clause that follows a size: other processes, or a quota;
     * empty where nothing does}
     *
     * @param window not null
     */
    public static Optional<String> sharing(PoolWindow window) {
        return ProcessCpus.sharing(window);
    }

    /**
     * {@return why no size can be recommended of those that only count the workers that a lock or a line lets through,
     * as a clause; empty when one can}
     *
     * <p>Whether code is compiled does not matter: the time at the lock or in the line does not depend on it, or only
     * as much as the rest does.
     *
     * @param window not null
     */
    public static Optional<String> whyNoneServed(PoolWindow window) {
        Optional<String> unknown = ProcessCpus.unknown(window);
        return unknown.isPresent() ? unknown : others(window);
    }

    /**
     * {@return that other processes have the CPUs, as a clause that begins with {@link #OTHERS}; empty where they do
     * not} What is measured then is their load, and a size that follows from it is wrong as soon as they end.
     *
     * @param window not null
     */
    public static Optional<String> others(PoolWindow window) {
        return ProcessCpus.others(window);
    }

    /**
     * {@return the size that the pool should have, at least 1}
     *
     * <p>It suits the arrivals as far as they are seen, and is never more than {@link #saturatedSize()}. Where clients
     * wait for answers before they send more, it is never more than the work that stands at the pool.
     */
    public int recommendedSize() {
        return recommendedSize(with(cautious, share.middle()));
    }

    /**
     * {@return {@link #recommendedSize()} with its interval}
     *
     * <p>The interval reaches from the size for the CPUs that the process has now, while other processes use the rest,
     * to the size for all its CPUs ({@link CpuShare}). A quota that stops the process widens it by the share of that
     * time. While no stack has shown what the workers do beside computing, the lower end is that of tasks that only
     * compute, and the upper end that of tasks that wait for all the rest of the time.
     */
    public SizeRange range() {
        return new SizeRange(
                recommendedSize(with(ends.lowest(), share.least())),
                recommendedSize(),
                recommendedSize(with(ends.highest(), share.most())));
    }

    /**
     * {@return {@link #saturatedSize()} with its interval, as in {@link #range()}}
     *
     * <p>Where CPU time may rise with the threads, and the pool has not shown whether it does, the lower end is that of
     * Lucene's indexing, whose CPU time grows with the number of threads to the power 0.27.
     */
    public SizeRange saturatedRange() {
        return new SizeRange(
                fewestOf(with(ends.lowest(), share.least())),
                saturatedSize(),
                kneeOf(with(ends.highest(), share.most())));
    }

    private int recommendedSize(ServiceCurve of) {
        int most = Math.min(kneeOf(of), standingWork.orElse(ServiceCurve.LARGEST_SIZE));
        if (isSaturated && !areArrivalsSeen) {
            return most;
        }
        double ahead = isSaturated ? Math.max(arrivalRate, throughput) : arrivalRate;
        if (ahead >= ENOUGH * of.ceiling()) {
            return most;
        }
        int few = of.smallestWith(Math.min(ahead, ENOUGH * of.ceiling()));
        double offered = ahead * of.at(few).serviceTime();
        return Math.max(1, Math.min(most, (int) Math.ceil(offered + HEADROOM * Math.sqrt(offered))));
    }

    /**
     * {@return the curves at both ends of the interval for the wait outside divided by the CPU time}
     *
     * <p>At each size, the throughput is expected between those of these curves and of {@link #curve()}.
     */
    public List<ServiceCurve> interval() {
        return List.of(ends.least(), ends.most());
    }

    /** The same for another number of CPUs. */
    private ServiceCurve with(ServiceCurve of, double cpus) {
        Demand demand = of.demand();
        return cpus == estimate.cores
                ? of
                : ServiceCurve.of(demand.withCores(demand.cores() * (cpus / estimate.cores)), of.variability());
    }

    /** The lower end of the interval: where nothing shows how CPU time grows with the threads, fewer may do more. */
    private int fewestOf(ServiceCurve of) {
        int size = kneeOf(of);
        return cpuGrowth.isKnown() || size >= workers
                ? size
                : Math.min(size, CpuGrowth.LIKELY.knee(of.demand(), workers));
    }

    /** The smallest size that is enough, or where more threads raise the CPU time of each task, the best one. */
    private int kneeOf(ServiceCurve of) {
        int size = saturatedSize(of);
        return cpuGrowth.growth() == 0 ? size : Math.min(size, cpuGrowth.knee(of.demand(), workers));
    }

    /**
     * {@return the smallest size that reaches {@value #ENOUGH} of the ceiling, from 1 to
     * {@link ServiceCurve#LARGEST_SIZE}}
     *
     * <p>More workers than that only wait for each other. Where CPU times vary less than exponential ones, the size is
     * still for exponential ones, because CPU times and the competition for the CPUs change over time. Where CPUs are
     * the limit, the size is at least one worker more than there are CPUs. That worker uses a CPU while another one
     * fetches its next task or waits for a page of memory (B. Goetz et al., <i>Java Concurrency in Practice</i>, 2006,
     * chapter 8.2).
     */
    public int saturatedSize() {
        return kneeOf(with(cautious, share.middle()));
    }

    /**
     * {@return the smallest size that reaches {@value #ENOUGH} of the ceiling of a given curve}
     *
     * @param cautious a curve for CPU times that vary at least like exponential ones, not null
     */
    public static int saturatedSize(ServiceCurve cautious) {
        Demand demand = cautious.demand();
        if (Double.isInfinite(demand.ceiling())) {
            return ServiceCurve.LARGEST_SIZE;
        }
        boolean isCpuTheLimit = demand.ceiling() * demand.cpu() >= demand.cores() * ENOUGH;
        int least = isCpuTheLimit ? 1 + (int) Math.ceil(demand.cores() * ENOUGH) : 1;
        return Math.max(least, cautious.smallestReaching(ENOUGH));
    }

    /**
     * {@return the size that reaches {@value #ENOUGH} of the ceiling, from that for the CPUs that other processes leave
     * to that for all}
     *
     * @param process what uses the CPUs, not null
     * @param low the least wait outside divided by CPU time
     * @param likely the same as it was seen
     * @param high the largest
     */
    public static SizeRange saturatedRange(ProcessWindow process, double low, double likely, double high) {
        double all = process.cores();
        double left = ProcessCpus.left(process);
        return new SizeRange(sizeFor(low, left), sizeFor(likely, (left + all) / 2), sizeFor(high, all));
    }

    private static int sizeFor(double outsideByCpu, double cores) {
        return saturatedSize(ServiceCurve.of(Demand.of(1, outsideByCpu, cores)));
    }

    /**
     * {@return the number of workers by the book formula {@code cores × (1 + wait / compute)}; infinite when tasks burn
     * no CPU time}
     *
     * <p>The formula counts everything but CPU time as waiting, so it is for comparison only. In a pool that is too
     * large most of that wait is the queue for the CPU, which the pool itself causes.
     */
    public double bookFormula() {
        return estimate.cores * (1 + (estimate.wall - estimate.cpu) / estimate.cpu);
    }

    /** {@return throughput and service time of the saturated pool over its size} */
    public ServiceCurve curve() {
        return curve;
    }

    /** {@return the prediction for the size that the pool has, if it is saturated} */
    public ServiceCurve.Point now() {
        return curve.at(Math.max(1, Math.min(ServiceCurve.LARGEST_SIZE, workers)));
    }

    /** {@return the number of workers alive at the end of the window} */
    public int workers() {
        return workers;
    }

    /**
     * {@return whether the pool had something to do for every worker all the time, as {@link PoolWindow#isSaturated()}
     * says}
     */
    public boolean isSaturated() {
        return isSaturated;
    }

    /** {@return tasks per second in the windows used} */
    public double throughput() {
        return throughput;
    }

    /** {@return service time in seconds, by Little's law: busy workers divided by throughput} */
    public double serviceTime() {
        return estimate.wall;
    }

    /** {@return CPU time of one task in seconds, without what other threads burn for it} */
    public double cpuTime() {
        return estimate.cpu;
    }

    /** {@return how long a task was ready to run and had no CPU, in seconds; empty where the system does not say} */
    public OptionalDouble runQueueDelay() {
        return estimate.delay;
    }

    /** {@return how long a task waited for locks, in seconds; 0 without waiters or without stacks} */
    public double lockWait() {
        return estimate.lockWait;
    }

    /**
     * {@return how many CPUs the pool has for itself: those of the process without what others use; may be a fraction}
     */
    public double cores() {
        return estimate.cores;
    }

    /** {@return what the pool's own variation in concurrency shows: whether calls slow each other down} */
    public Concurrency concurrency() {
        return concurrency;
    }

    /** {@return how far the numbers can be trusted: the worst of all {@link #doubts()}} */
    public Certainty certainty() {
        return certainty;
    }

    /** {@return what makes the numbers less than certain, in plain words; empty when nothing does} */
    public List<String> doubts() {
        return doubts;
    }

    /**
     * {@return how the CPU time of a task grows with the threads, as a power from 0 to 1; 0 when the pool's own
     * variation shows no growth}
     */
    public double cpuGrowth() {
        return cpuGrowth.growth();
    }

    /**
     * {@return the prediction for one size, scaled to the measured throughput and service time}
     *
     * <p>Fewer workers are expected to keep the process's share of the CPUs, see {@link #leastThroughput}. For more of
     * them the {@linkplain CpuShare#middle() middle} counts.
     *
     * @param size how many workers, at least 1
     */
    public ServiceCurve.Point expected(int size) {
        Demand demand = curve.demand();
        ServiceCurve same = cpuGrowth.growth() == 0
                ? curve
                : ServiceCurve.of(cpuGrowth.at(size, workers, demand), curve.variability());
        ServiceCurve.Point there =
                with(same, size > workers ? share.middle() : share.least()).at(size);
        return new ServiceCurve.Point(size, throughput * there.throughput() / now().throughput(), there.serviceTime());
    }

    /**
     * {@return the throughput at one size, if the system divides the CPUs among threads, and other processes go on}
     *
     * <p>Then fewer threads get fewer CPUs. It is that of {@link #expected} where no others compute.
     *
     * @param size how many workers, at least 1
     */
    public double leastThroughput(int size) {
        ServiceCurve.Point there = expected(size);
        double runnable =
                Math.max(HARDLY_ANY, size - there.throughput() * curve.demand().outside());
        double kept = share.kept(runnable);
        if (size >= workers || kept == 1) {
            return there.throughput();
        }
        ServiceCurve.Point fewer = with(curve, share.least() * kept).at(size);
        return Math.min(there.throughput(), throughput * fewer.throughput() / now().throughput());
    }

    /**
     * {@return one clause on what changes with another size: {@code 64 → 20 threads: at least the same 1,300 tasks/s,
     * service time 46 ms → 15 ms}}
     *
     * <p>Fewer threads do <i>at least</i> as much: a task's CPU time often rises with the threads, which only a pool
     * that had different numbers of busy workers shows. Beside other processes they may do less, and the clause has
     * both numbers. More threads do <i>up to</i> what the CPUs carry.
     *
     * @param size how many workers, at least 1
     */
    public String change(int size) {
        return new SizeChange(workers, throughput, estimate.wall).to(expected(size), leastThroughput(size));
    }

    @Override
    public String toString() {
        return Units.format("%d -> %s (%s); %s", workers, Counted.of(recommendedSize(), "worker"), certainty, curve);
    }
}
