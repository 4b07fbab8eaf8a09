package io.lifeguard.pool.report.drawing;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one lane did in one window, or between windows: fits it to the counters, and shows it. Not thread-safe. */
final class LanePart {

    private final Ticks ticks;
    private final @Nullable FittedWindow window;
    private final double ownShare; // of the workers' CPU time, that of tasks
    private final Nearest nearest;
    private final List<Piece> pieces = new ArrayList<>();

    /**
     * What the lane shows for some time.
     *
     * @param isOpen whether the system's times tell what it is
     * @param isBetweenEquals whether the looks at both ends saw the same
     */
    private record Piece(long from, long to, int state, int detail, boolean isOpen, boolean isBetweenEquals) {
        double nanos() {
            return (double) to - from;
        }
    }

    /** Finds the window with looks that is nearest to a moment; null when there is none. */
    interface Nearest {
        @Nullable
        FittedWindow to(long moment);
    }

    LanePart(Ticks ticks, @Nullable FittedWindow window, double ownShare, Nearest nearest) {
        this.ticks = ticks;
        this.window = window;
        this.ownShare = ownShare;
        this.nearest = nearest;
    }

    @Nullable
    FittedWindow window() {
        return window;
    }

    void add(Bars all, int bar, long from, long to) {
        double excess = window == null ? 0 : window.excess(all.isBetweenEquals(bar));
        boolean isIdle = all.state(bar) == Segments.IDLE;
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
     * A task that was seen next had begun before; otherwise the one that was seen before lasted longer. Recorded tasks
     * keep their begin and end, so between two of them a short one like them ran, which no look saw.
     */
    private void addWork(Bars all, int bar, long from, long to, long more) {
        boolean isNext = bar + 1 < all.count() && all.state(bar + 1) != Segments.IDLE;
        boolean isBefore = bar > 0 && all.state(bar - 1) != Segments.IDLE;
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
            FittedWindow.Seen seen = window == null ? null : window.unseen();
            pieces.add(
                    seen == null
                            ? new Piece(begin, end, Segments.UNKNOWN, 0, window != null && window.cpu() > 0, false)
                            : new Piece(begin, end, seen.state(), seen.detail(), seen.isOpen(), false));
        }
        pieces.add(idle(end, to));
    }

    private void put(long from, long to, Bars all, int like) {
        boolean isOpen = FittedWindow.isOpen(all, like);
        pieces.add(new Piece(from, to, all.state(like), all.detail(like), isOpen, all.isBetweenEquals(like)));
    }

    private static Piece idle(long from, long to) {
        return new Piece(from, to, Segments.IDLE, 0, false, false);
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
        double open = open(Segments.COMPUTING) + open(Segments.UNKNOWN);
        double rest = others().all();
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
        FittedWindow here = window == null ? nearest.to(pieces.get(0).from()) : window;
        if (here == null) {
            pieces.forEach(piece -> lane.show(ticks, piece.from(), piece.to(), piece.state(), piece.detail()));
            return;
        }
        long[] own = window == null || !window.hasOwnTimes() ? null : lane.times(window.start());
        double told = open(Segments.COMPUTING);
        double untold = open(Segments.UNKNOWN);
        FittedWindow.Sums others = others();
        double all = told + untold + others.all();
        double computing;
        double waiting;
        if (own == null) {
            computing = here.computingShare() * (told + untold);
            waiting = here.isFull() ? told + untold - computing : 0;
            computing += window == null ? 0 : here.computingRest() * others.all();
        } else {
            computing = computing(own, all);
            waiting = Math.min(Math.max((double) own[1], here.isFull() ? told - computing : 0), all - computing);
        }
        double more = computing + waiting - told - untold; // of that time of other causes it was runnable
        double known = computing + waiting;
        double ofTold = told == 0 ? 0 : Math.min(1, known / told);
        double ofUntold = untold == 0 ? 0 : Math.max(0, Math.min(1, (known - told) / untold));
        double onCpu = known == 0 ? 0 : computing / known;
        for (Piece piece : pieces) {
            boolean isTold = piece.state() == Segments.COMPUTING;
            if (piece.isOpen()) {
                int left = !isTold && here.hasOutside() ? Segments.OUTSIDE : Segments.UNKNOWN;
                split(lane, piece, isTold ? ofTold : ofUntold, onCpu, left, true);
            } else if (piece.state() != Segments.IDLE && more > 0) {
                split(lane, piece, others.share(more, piece.isBetweenEquals()), onCpu, piece.state(), false);
            } else {
                put(lane, piece.from(), piece.to(), piece.state(), piece.detail());
            }
        }
    }

    /** The time that is neither open nor idle; last what lies between looks that saw the same. */
    private FittedWindow.Sums others() {
        FittedWindow.Sums others = new FittedWindow.Sums();
        pieces.stream()
                .filter(piece -> !piece.isOpen() && piece.state() != Segments.IDLE)
                .forEach(piece -> others.add(piece.isBetweenEquals(), piece.nanos()));
        return others;
    }

    private double open(int state) {
        return pieces.stream()
                .filter(piece -> piece.isOpen() && piece.state() == state)
                .mapToDouble(Piece::nanos)
                .sum();
    }

    /** Shows a share of a piece as computing and waiting for a CPU, and the rest as it is, before or behind it. */
    private void split(Lane lane, Piece piece, double share, double onCpu, int rest, boolean isRestLast) {
        long begin = isRestLast ? piece.from() : seenUntil(piece.from(), piece.to());
        long length = piece.to() - begin;
        long cpu = Math.round(length * share * onCpu);
        long wait = Math.min(length - cpu, Math.round(length * share * (1 - onCpu)));
        long left = length - cpu - wait;
        long at = begin;
        int detail = piece.detail();
        if (!isRestLast) {
            at += left;
            put(lane, piece.from(), at, rest, detail);
            detail = 0;
        }
        put(lane, at, at + cpu, Segments.COMPUTING, detail);
        put(lane, at + cpu, at + cpu + wait, Segments.FOR_CPU, detail);
        if (isRestLast) {
            put(lane, at + cpu + wait, piece.to(), rest, detail);
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
