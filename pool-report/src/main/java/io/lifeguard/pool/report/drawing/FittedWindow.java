package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** One window of a pool to which {@link Calibration} fits the lanes, with sums over all lanes. Not thread-safe. */
final class FittedWindow {

    /** Begin and end of one window are told twice, and the clock may be set between: 5 ms. */
    static final long NEAR = 5_000_000;

    /** With less of the CPUs in use, a thread seldom waits for one. */
    private static final double FULL = 0.9;

    /** Thread times that tell less than half of what the tasks used are of another moment: a judgement. */
    private static final double HALF = 0.5;

    /** Fewer looks at busy workers do not tell what others did. */
    private static final int FEWEST_SEEN = 3;

    /** More would not make a turn more certain. */
    private static final int MOST_SEEN = 512;

    final WindowSummary summary;
    final @Nullable PoolLooks looks;
    private final boolean areLooksTold; // of other windows at least; watch tells samples of single workers

    // Of the bars, as they were seen.
    private double busy;
    private final Sums loose = new Sums(); // of these, not told by a recorded task; last between equal looks
    private final Sums idle = new Sums(); // likewise
    private final List<Seen> seen = new ArrayList<>(); // what busy workers did
    private boolean hasOutside;

    // Of the system's times of the workers.
    private double ownCpu;

    // Of the lanes, as they are fitted to the counters: of workers without such times, and with them.
    private final Sums open = new Sums();
    private final Sums others = new Sums(); // neither open nor idle
    private double ownComputing; // by the workers' own times
    private final double[] shown = new double[Segments.NOTHING]; // worker-nanoseconds by state
    private int turn;

    /**
     * What a look saw a worker do.
     *
     * @param isOpen whether the system's times tell what it is
     */
    record Seen(int state, int detail, boolean isOpen) {}

    /** The sums of two parts of some time. The last part is used when the first one is used up. Not thread-safe. */
    static final class Sums {
        private double first;
        private double last;

        void add(boolean isLast, double nanos) {
            first += isLast ? 0 : nanos;
            last += isLast ? nanos : 0;
        }

        double all() {
            return first + last;
        }

        /** {@return which share of one of the parts is used} */
        double share(double used, boolean isLast) {
            double of = isLast ? last : first;
            return of == 0 ? 0 : Math.max(0, Math.min(1, (isLast ? used - first : used) / of));
        }
    }

    FittedWindow(WindowSummary summary, @Nullable PoolLooks looks, boolean areLooksTold) {
        this.summary = summary;
        this.looks = looks;
        this.areLooksTold = areLooksTold;
    }

    long start() {
        return looks == null ? summary.startNanos() : looks.startNanos();
    }

    long end() {
        return looks == null ? summary.endNanos() : looks.endNanos();
    }

    // ---- what was seen ----

    /** Counts a bar, or the part of it that is in this window. */
    void count(Bars bars, int bar, double nanos) {
        if (bars.state(bar) == Segments.IDLE) {
            idle.add(bars.isBetweenEquals(bar), nanos);
            return;
        }
        busy += nanos;
        loose.add(bars.isBetweenEquals(bar), bars.isExact(bar) ? 0 : nanos);
        hasOutside |= bars.isRunnable(bar) && bars.state(bar) == Segments.OUTSIDE;
        if (!bars.isExact(bar) && seen.size() < MOST_SEEN) {
            seen.add(new Seen(bars.state(bar), bars.detail(bar), isOpen(bars, bar)));
        }
    }

    void countOwnCpu(long nanos) {
        ownCpu += nanos;
    }

    double ownCpu() {
        return ownCpu;
    }

    /** {@return whether a look saw a runnable worker wait outside, as in a native call} */
    boolean hasOutside() {
        return hasOutside;
    }

    boolean hasCpu() {
        return looks != null && looks.cpuNanos().isPresent();
    }

    double cpu() {
        return looks == null ? 0 : looks.cpuNanos().orElse(0);
    }

    // ---- fitting ----

    /** Another round over all lanes begins, which takes the same turns as the former one. */
    void beginRound() {
        turn = 0;
    }

    /**
     * {@return what a worker did that worked between two looks, neither of which saw it: what the looks at others saw,
     * in turn; null where there are too few}
     */
    @Nullable
    Seen unseen() {
        return seen.size() < FEWEST_SEEN ? null : seen.get(turn++ % seen.size());
    }

    /**
     * {@return the share by which what was seen ends earlier; negative where idleness ends earlier}
     *
     * @param isBetweenEquals whether the looks at both ends saw the same
     */
    double excess(boolean isBetweenEquals) {
        OptionalDouble told = busyTold();
        if (told.isEmpty()) {
            return 0;
        }
        double more = busy - told.getAsDouble();
        return Math.signum(more) * (more > 0 ? loose : idle).share(Math.abs(more), isBetweenEquals);
    }

    /** {@return how long workers were busy by the counters; in a window without looks, by its figures} */
    private OptionalDouble busyTold() {
        if (looks != null) {
            return looks.busyNanos().isPresent()
                    ? OptionalDouble.of((double) looks.busyNanos().getAsLong())
                    : OptionalDouble.empty();
        }
        if (!areLooksTold || summary.shares().isEmpty()) {
            return OptionalDouble.empty();
        }
        double workers = 0;
        for (Map.Entry<Doing, Double> share : summary.shares().entrySet()) {
            workers += share.getKey() == Doing.IDLE ? 0 : share.getValue();
        }
        return OptionalDouble.of(workers * (end() - start()));
    }

    /**
     * {@return whether the system's times of the workers are of this window} Those that it told for the first time are
     * all 0, and those of hundreds of workers are read in turn. The tasks' CPU time shows it, unless it is more than
     * the process used: then long tasks have ended, which used some of it before.
     */
    boolean hasOwnTimes() {
        if (cpu() == 0) {
            return true;
        }
        double own = open.last + others.last;
        double all = open.all() + others.all();
        double covered = all == 0 ? 1 : own / all;
        return ownCpu > 0 && (cpu() > processCpu() || ownCpu >= HALF * covered * cpu());
    }

    /** {@return the CPU time of the process in nanoseconds; infinity where it is unknown} */
    private double processCpu() {
        OptionalDouble process = summary.process().cpu();
        return process.isPresent() ? process.getAsDouble() * (end() - start()) : Double.POSITIVE_INFINITY;
    }

    /** {@return which share of the workers' own CPU time counts, at most: all together used what the process used} */
    double mostOwnShare() {
        return ownCpu == 0 ? Double.POSITIVE_INFINITY : processCpu() / ownCpu;
    }

    /** Adds fitted time of a worker without times of its own. */
    void addOthers(double openNanos, double otherNanos) {
        open.add(false, openNanos);
        others.add(false, otherNanos);
    }

    /** Adds fitted time of a worker with times of its own, by which it has computed for so long. */
    void addOwn(double openNanos, double otherNanos, double computing) {
        open.add(true, openNanos);
        others.add(true, otherNanos);
        ownComputing += computing;
    }

    /** {@return the CPU time that is left for workers whose own times are not used} */
    private double left() {
        double known = hasCpu() && cpu() > 0 ? Math.min(processCpu(), cpu()) : processCpu();
        return hasOwnTimes() ? Math.max(0, known - ownComputing) : known;
    }

    private double ofUntimed(Sums nanos) {
        return hasOwnTimes() ? nanos.first : nanos.all();
    }

    /** {@return which share of the open time of workers whose own times are not used was computing, at most} */
    double computingShare() {
        double all = ofUntimed(open);
        return all == 0 ? 0 : Math.min(1, left() / all);
    }

    /**
     * {@return which share of other time of those workers was computing too} Few looks in a short window may miss that
     * workers computed for a moment.
     */
    double computingRest() {
        double all = ofUntimed(others);
        return all == 0 || cpu() == 0 ? 0 : Math.max(0, Math.min(1, (left() - ofUntimed(open)) / all));
    }

    /** {@return whether the CPUs were used up, so that threads waited for one} */
    boolean isFull() {
        double used = summary.process().cpu().orElse(0)
                / Math.max(1e-3, summary.process().cores());
        return used + summary.process().othersShare().orElse(0) >= FULL;
    }

    // ---- what is shown ----

    void show(int state, double nanos) {
        shown[state] += nanos;
    }

    double[] shares() {
        return Arrays.stream(shown)
                .map(nanos -> nanos / Math.max(1, end() - start()))
                .toArray();
    }

    /** Shares as they were recorded, but at most as much computing as the process did. */
    double[] capped() {
        double[] shares = new double[Segments.NOTHING];
        summary.shares().forEach((doing, workers) -> shares[Segments.stateOf(doing)] = workers);
        double most = summary.process().cpu().orElse(Double.POSITIVE_INFINITY);
        double over = Math.max(0, shares[Segments.COMPUTING] - most);
        shares[Segments.COMPUTING] -= over;
        shares[isFull() ? Segments.FOR_CPU : Segments.UNKNOWN] += over;
        return shares;
    }

    /** Whether the times of the system tell what a bar is: it was runnable, and no stack showed another cause. */
    static boolean isOpen(Bars bars, int bar) {
        return bars.state(bar) == Segments.COMPUTING || (bars.state(bar) == Segments.UNKNOWN && bars.isRunnable(bar));
    }
}
