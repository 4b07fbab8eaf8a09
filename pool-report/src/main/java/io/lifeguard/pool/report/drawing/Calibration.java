package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.diagnosis.window.Doing;
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

    private static final int COMPUTING = Segments.stateOf(Doing.COMPUTING);
    private static final int FOR_CPU = Segments.stateOf(Doing.WAITING_FOR_CPU);
    private static final int OUTSIDE = Segments.stateOf(Doing.WAITING_OUTSIDE);
    private static final int IDLE = Segments.stateOf(Doing.IDLE);
    private static final int UNKNOWN = Segments.stateOf(Doing.UNKNOWN);

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

    /**
     * {@return a calibration to these windows}
     *
     * @param looks the looks of windows, ordered by time
     * @param summaries the figures of windows, ordered by time
     */
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
            windows.add(new FittedWindow(summary, found));
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
                windows.add(new FittedWindow(last.summary, each));
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

    /** Lays all lanes. */
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
        eachLane(lanes, holds, kinds, told, Part::count);
        lanes.forEach(Lane::begin);
        eachLane(lanes, holds, kinds, told, Part::show);
        lanes.forEach(lane -> lane.segments().add(ticks.span(), Segments.NOTHING, 0));
    }

    /** Does something with each part of each lane, in one more round over them. */
    private void eachLane(
            Collection<Lane> lanes,
            Lane.Holding holds,
            KindLooks kinds,
            ToldLater told,
            BiConsumer<Part, Lane> action) {
        kinds.beginRound();
        windows.forEach(FittedWindow::beginRound);
        for (Lane lane : lanes) {
            Bars bars = lane.bars(holds, kinds, told);
            Part[] parts = {new Part(null)};
            eachPart(bars, (window, i, from, to) -> {
                if (window != parts[0].window) {
                    action.accept(parts[0], lane);
                    parts[0] = new Part(window);
                }
                parts[0].add(bars, i, from, to);
            });
            action.accept(parts[0], lane);
        }
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

    /** What one lane did in one window. */
    private final class Part {
        private final List<long[]> pieces =
                new ArrayList<>(); // from, to, state, detail, whether it is open, and between equal looks
        private final @Nullable FittedWindow window;

        Part(@Nullable FittedWindow window) {
            this.window = window;
        }

        void add(Bars all, int bar, long from, long to) {
            double excess = window == null ? 0 : window.excess(all.isBetweenEquals(bar));
            boolean isIdle = all.state(bar) == IDLE;
            if (!isIdle && excess > 0 && !all.isExact(bar)) {
                long until = Math.max(seenUntil(from, to), to - Math.round(excess * (to - from)));
                put(from, until, all, bar);
                pieces.add(idle(until, to));
            } else if (isIdle && excess < 0) {
                addWork(all, bar, from, to, Math.round(-excess * (to - from)));
            } else {
                put(from, to, all, bar);
            }
        }

        /** {@return the earliest end of what was seen: whatever the counters say, the moment of the look shows it} */
        private long seenUntil(long from, long to) {
            return Math.min(to, from + ticks.nanos());
        }

        /**
         * A task that was seen next had begun before; otherwise the one that was seen before lasted longer. Recorded
         * tasks keep their begin and end, so between two of them a short one like them ran, which nobody saw.
         */
        private void addWork(Bars all, int bar, long from, long to, long more) {
            boolean isNext = bar + 1 < all.count() && all.state(bar + 1) != IDLE;
            boolean isBefore = bar > 0 && all.state(bar - 1) != IDLE;
            boolean isNextExact = isNext && all.isExact(bar + 1);
            boolean isBeforeExact = isBefore && all.isExact(bar - 1);
            long apart = Math.min(2 * ticks.nanos(), (to - from) / 2); // so that a tick of idleness is seen
            long least = from + (isBeforeExact ? apart : 0);
            long most = to - (isNextExact ? apart : 0);
            long length = Math.min(more, most - least);
            if (isNext && !isNextExact) {
                addWork(all, bar + 1, from, to - length, to, to);
            } else if (isBefore && !isBeforeExact) {
                addWork(all, bar - 1, from, from, from + length, to);
            } else {
                long begin = (least + most - length) / 2;
                addWork(all, isNext ? bar + 1 : isBefore ? bar - 1 : -1, from, begin, begin + length, to);
            }
        }

        /** Work as that of another bar, within idle time; where there is none, as that of other workers. */
        private void addWork(Bars all, int like, long from, long begin, long end, long to) {
            pieces.add(idle(from, begin));
            if (like >= 0) {
                put(begin, end, all, like);
            } else if (end > begin) {
                int[] seen = window == null ? null : window.unseen();
                boolean isOpen = seen == null ? window != null && window.cpu() > 0 : seen[2] == 1;
                pieces.add(new long[] {
                    begin, end, seen == null ? UNKNOWN : seen[0], seen == null ? 0 : seen[1], isOpen ? 1 : 0, 0
                });
            }
            pieces.add(idle(end, to));
        }

        private void put(long from, long to, Bars all, int like) {
            pieces.add(new long[] {
                from,
                to,
                all.state(like),
                all.detail(like),
                FittedWindow.isOpen(all, like) ? 1 : 0,
                all.isBetweenEquals(like) ? 1 : 0
            });
        }

        private static long[] idle(long from, long to) {
            return new long[] {from, to, IDLE, 0, 0, 0};
        }

        private double computing(long[] own, double all) {
            double most = window == null ? Double.POSITIVE_INFINITY : window.mostOwnShare();
            return Math.min((double) own[0] * Math.min(ownShare, most), all);
        }

        /** Counts the time of which it is to be decided whether it was computing. */
        void count(Lane lane) {
            if (window == null) {
                return;
            }
            double open = sum(COMPUTING, true) + sum(UNKNOWN, true);
            double rest = others(0) + others(1);
            long[] own = lane.times(window.start());
            if (own == null) {
                window.addOthers(open, rest);
            } else {
                window.addOwn(open, rest, computing(own, open + rest));
            }
        }

        void show(Lane lane) {
            if (pieces.isEmpty()) {
                return;
            }
            FittedWindow here = window == null ? nearest(pieces.get(0)[0]) : window;
            if (here == null) {
                pieces.forEach(piece -> lane.show(ticks, piece[0], piece[1], (int) piece[2], (int) piece[3]));
                return;
            }
            long[] own = window == null || !window.hasOwnTimes() ? null : lane.times(window.start());
            double told = sum(COMPUTING, true);
            double untold = sum(UNKNOWN, true);
            double[] others = {others(0), others(1)};
            double all = told + untold + others[0] + others[1];
            double computing;
            double waiting;
            if (own == null) {
                computing = here.computingShare() * (told + untold);
                waiting = here.isFull() ? told + untold - computing : 0;
                computing += window == null ? 0 : here.computingRest() * (others[0] + others[1]);
            } else {
                computing = computing(own, all);
                waiting = Math.min(Math.max((double) own[1], here.isFull() ? told - computing : 0), all - computing);
            }
            double more = computing + waiting - told - untold; // of that time of other causes it was runnable
            double known = computing + waiting;
            double ofTold = told == 0 ? 0 : Math.min(1, known / told);
            double ofUntold = untold == 0 ? 0 : Math.max(0, Math.min(1, (known - told) / untold));
            double onCpu = known == 0 ? 0 : computing / known;
            for (long[] piece : pieces) {
                boolean isTold = piece[2] == COMPUTING;
                if (piece[4] == 1) {
                    int left = !isTold && here.hasOutside() ? OUTSIDE : UNKNOWN;
                    split(lane, piece, isTold ? ofTold : ofUntold, onCpu, left, true);
                } else if (piece[2] != IDLE && more > 0) {
                    split(lane, piece, FittedWindow.share(more, others, piece[5] == 1), onCpu, (int) piece[2], false);
                } else {
                    put(lane, piece[0], piece[1], (int) piece[2], (int) piece[3]);
                }
            }
        }

        private double others(int isBetweenEquals) {
            return pieces.stream()
                    .filter(piece -> piece[4] == 0 && piece[2] != IDLE && piece[5] == isBetweenEquals)
                    .mapToDouble(piece -> piece[1] - piece[0])
                    .sum();
        }

        private double sum(int state, boolean isOpen) {
            return pieces.stream()
                    .filter(piece -> piece[2] == state && piece[4] == (isOpen ? 1 : 0))
                    .mapToDouble(piece -> piece[1] - piece[0])
                    .sum();
        }

        /** Shows a share of a piece as computing and waiting for a CPU, and the rest as it is, before or behind it. */
        private void split(Lane lane, long[] piece, double share, double onCpu, int rest, boolean isRestLast) {
            long begin = isRestLast ? piece[0] : seenUntil(piece[0], piece[1]);
            long length = piece[1] - begin;
            long cpu = Math.round(length * share * onCpu);
            long wait = Math.min(length - cpu, Math.round(length * share * (1 - onCpu)));
            long left = length - cpu - wait;
            long at = begin;
            int detail = (int) piece[3];
            if (!isRestLast) {
                at += left;
                put(lane, piece[0], at, rest, detail);
                detail = 0;
            }
            put(lane, at, at + cpu, COMPUTING, detail);
            put(lane, at + cpu, at + cpu + wait, FOR_CPU, detail);
            if (isRestLast) {
                put(lane, at + cpu + wait, piece[1], rest, detail);
            }
        }

        private void put(Lane lane, long from, long to, int state, int detail) {
            if (to > from) {
                lane.show(ticks, from, to, state, detail);
                if (window != null) {
                    window.show(state, (double) to - from);
                }
            }
        }
    }
}
