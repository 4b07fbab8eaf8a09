package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Fits the lanes of one pool to its counters, window by window. Not thread-safe.
 *
 * <p>Looks tell what workers did, and the counters tell exactly how long they worked and how much CPU time they used.
 * Between two looks it is unknown when a worker changed. So where lanes hold more work than the counters of a window,
 * what was seen ends a little earlier, by the same share everywhere; where they hold less, it begins earlier. Between
 * two looks that saw the same, a change is less likely, so nothing is cut there until nothing else is left. Recorded
 * tasks tell begin and end, and stay. At the moment of a look the lane shows what the look saw, for one tick at least.
 *
 * <p>Where looks are rare, as while the monitor waits for a CPU, a short task often runs between two looks that both
 * find its worker idle. Such work is shown as what the looks at other busy workers of the window saw, in turn.
 *
 * <p>A runnable thread is on a CPU, waits for one, or is in a native call. The system's times of each worker tell how
 * long it was on a CPU and how long it waited for one. Where they are unknown, the CPU time that is left of the pool's
 * is shared out, and at most that of the process. Linux adds a wait for a CPU when it ends, and the times of hundreds
 * of workers are read in turn, so these times may be of another moment than the looks. Where they tell less than half
 * of what the tasks used, they count as unknown. Then the workers never compute longer than the process, and where the
 * CPUs are full, a worker whose stack shows that it computes waits for one, and so does a runnable worker without a
 * stack. The order of both within a look is unknown: waiting is drawn after computing.
 */
final class Calibration {

    /** Thread times are read behind the counters, and tell up to a fifth less of a short recording. */
    private static final double MOST_OWN = 1.25;

    /** A recording rounds lengths: 1 µs. */
    private static final long SAME_LENGTH = 1_000;

    private final List<FittedWindow> windows;
    private final IdentityHashMap<WindowSummary, FittedWindow> bySummary = new IdentityHashMap<>();
    private final Ticks ticks;
    private double ownShare = 1; // of the workers' CPU time, that of tasks

    private Calibration(List<FittedWindow> windows, Ticks ticks) {
        this.windows = windows;
        windows.forEach(window -> bySummary.putIfAbsent(window.summary, window));
        this.ticks = ticks;
    }

    static Calibration of(List<PoolLooks> looks, List<WindowSummary> summaries, Ticks ticks) {
        List<FittedWindow> windows = new ArrayList<>();
        int next = 0;
        for (WindowSummary summary : summaries) {
            PoolLooks found = null;
            while (next < looks.size() && looks.get(next).endNanos() < summary.endNanos() - summary.durationNanos()) {
                next++;
            }
            for (int i = next; i < looks.size() && distance(looks.get(i), summary) <= summary.durationNanos(); i++) {
                PoolLooks each = looks.get(i);
                if (isOf(each, summary) && (found == null || distance(each, summary) < distance(found, summary))) {
                    found = each;
                }
            }
            windows.add(new FittedWindow(summary, found, !looks.isEmpty()));
        }
        addLatest(windows, looks);
        return new Calibration(windows, ticks);
    }

    /**
     * A monitor that is short of CPU tells the figures of a window seconds after its looks. The looks tell the pool's
     * counters too, and the process is taken to be as busy as in the window before.
     */
    private static void addLatest(List<FittedWindow> windows, List<PoolLooks> looks) {
        if (windows.isEmpty()) {
            return;
        }
        FittedWindow last = windows.get(windows.size() - 1);
        for (PoolLooks each : looks) {
            if (each.startNanos() >= last.end() - FittedWindow.NEAR) {
                windows.add(new FittedWindow(last.summary, each, true));
            }
        }
    }

    /**
     * A flight recording gives an event the time at which it is written. On a busy machine that is much later for the
     * figures than for the looks of the same window, but both are as long.
     */
    private static boolean isOf(PoolLooks looks, WindowSummary summary) {
        boolean isAsLong = Math.abs(looks.durationNanos() - summary.durationNanos()) <= SAME_LENGTH;
        long distance = distance(looks, summary);
        return distance <= FittedWindow.NEAR || (isAsLong && distance < summary.durationNanos() / 2);
    }

    private static long distance(PoolLooks looks, WindowSummary summary) {
        return Math.abs(looks.endNanos() - summary.endNanos());
    }

    void lay(Collection<Lane> lanes, Lane.Holding holds, ToldLater told) {
        KindLooks kinds = new KindLooks();
        lanes.forEach(lane -> lane.bars(holds, kinds, told));
        kinds.beginRound();
        for (Lane lane : lanes) {
            Bars bars = lane.bars(holds, kinds, told);
            eachPart(bars, (window, i, from, to) -> {
                if (window != null) {
                    window.count(bars, i, (double) to - from);
                }
            });
            for (FittedWindow window : windows) {
                long[] own = lane.times(window.start());
                window.countOwnCpu(own == null ? 0 : own[0]);
            }
        }
        double tasks = windows.stream()
                .filter(window -> window.hasCpu() && window.ownCpu() > 0)
                .mapToDouble(FittedWindow::cpu)
                .sum();
        double own = windows.stream()
                .filter(window -> window.hasCpu() && window.ownCpu() > 0)
                .mapToDouble(FittedWindow::ownCpu)
                .sum();
        ownShare = own > 0 && tasks > 0 ? Math.min(MOST_OWN, tasks / own) : 1;
        eachLane(lanes, holds, kinds, told, LanePart::count);
        lanes.forEach(Lane::begin);
        eachLane(lanes, holds, kinds, told, LanePart::show);
        lanes.forEach(lane -> lane.segments().add(ticks.span(), Segments.NOTHING, 0));
    }

    /** Does something with each part of each lane, in one more round over them. */
    private void eachLane(
            Collection<Lane> lanes,
            Lane.Holding holds,
            KindLooks kinds,
            ToldLater told,
            BiConsumer<LanePart, Lane> action) {
        kinds.beginRound();
        windows.forEach(FittedWindow::beginRound);
        for (Lane lane : lanes) {
            Bars bars = lane.bars(holds, kinds, told);
            LanePart[] parts = {part(null)};
            eachPart(bars, (window, i, from, to) -> {
                if (window != parts[0].window()) {
                    action.accept(parts[0], lane);
                    parts[0] = part(window);
                }
                parts[0].add(bars, i, from, to);
            });
            action.accept(parts[0], lane);
        }
    }

    private LanePart part(@Nullable FittedWindow window) {
        return new LanePart(ticks, window, ownShare, this::nearest);
    }

    /** What is told of each part of a bar that lies in one window, or in none. */
    private interface Each {
        void part(@Nullable FittedWindow window, int bar, long from, long to);
    }

    private void eachPart(Bars bars, Each each) {
        int next = 0;
        for (int i = 0; i < bars.count(); i++) {
            long from = Math.max(ticks.first(), bars.from(i));
            long end = Math.min(ticks.last(), bars.to(i));
            while (from < end) {
                while (next < windows.size() && windows.get(next).end() <= from) {
                    next++;
                }
                FittedWindow window = next < windows.size() ? windows.get(next) : null;
                boolean isInside = window != null && window.start() <= from;
                long to = window == null ? end : Math.min(end, isInside ? window.end() : window.start());
                each.part(isInside ? window : null, i, from, to);
                from = to;
            }
        }
    }

    /** {@return the mean number of workers in a window by what they did: as its lanes show it, if it has looks} */
    double[] shares(WindowSummary summary) {
        FittedWindow window = Objects.requireNonNull(bySummary.get(summary), "summary must be one of the windows");
        return window.looks == null ? window.capped() : window.shares();
    }

    /** {@return the looks of a window; null where there are none} */
    @Nullable
    PoolLooks looks(WindowSummary summary) {
        FittedWindow window = bySummary.get(summary);
        return window == null ? null : window.looks;
    }

    /** {@return the window with looks that begins next, otherwise the last one; null when there is none} */
    private @Nullable FittedWindow nearest(long moment) {
        FittedWindow found = null;
        for (FittedWindow window : windows) {
            if (window.looks != null) {
                found = window;
                if (window.start() >= moment) {
                    break;
                }
            }
        }
        return found;
    }
}
