package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.TaskRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What one thread did: looks at a worker, long tasks, and times as a submitter. Not thread-safe. */
final class Lane {

    /** The state of a look that no stack told of: it is unknown unless stacks tell later. */
    static final int UNTOLD = 15;

    private final String thread;
    private final List<TaskRun> tasks = new ArrayList<>();
    private final List<Stay> stays = new ArrayList<>();
    private final Map<Long, long[]> times = new HashMap<>(); // CPU time and run-queue delay by begin of the window
    private long[][] moments = new long[16][]; // of a window's looks, which its lanes share
    private int[] firsts = new int[16]; // the first one of equal looks in a row
    private int[] untils = new int[16]; // the one after the last
    private long[] looks = new long[16]; // the detail times 32, plus 16 for a runnable thread, plus the state
    private int count;
    private long busyNanos;
    private Segments segments = new Segments();
    private int task; // the first one that has not ended, while bars are laid
    private KindLooks kindLooks = new KindLooks(); // of the pool

    Lane(String thread) {
        this.thread = thread;
    }

    void look(long nanos, Doing doing, int detail) {
        looks(new long[] {nanos}, 0, 1, Segments.stateOf(doing), detail, doing == Doing.COMPUTING);
    }

    /** Adds looks at a worker that follow each other, and saw the same. The moments must not change. */
    void looks(long[] all, int first, int until, int state, int detail, boolean isRunnable) {
        if (count == moments.length) {
            moments = Arrays.copyOf(moments, 2 * count);
            firsts = Arrays.copyOf(firsts, 2 * count);
            untils = Arrays.copyOf(untils, 2 * count);
            looks = Arrays.copyOf(looks, 2 * count);
        }
        moments[count] = all;
        firsts[count] = first;
        untils[count] = until;
        looks[count++] = pack(state, detail, isRunnable);
    }

    void times(long windowStart, long cpuNanos, long delayNanos) {
        times.put(windowStart, new long[] {cpuNanos, delayNanos});
    }

    /** {@return CPU time and run-queue delay in a window; null when they are unknown} */
    long @Nullable [] times(long windowStart) {
        return times.get(windowStart);
    }

    void task(TaskRun run) {
        tasks.add(run);
        busyNanos += run.durationNanos();
    }

    void stay(long from, long to, int state, int detail) {
        stays.add(new Stay(from, to, state, detail));
        busyNanos += to - from;
    }

    String thread() {
        return thread;
    }

    /** {@return how much is known of the thread: looks first, then time} */
    double weight() {
        return count * 1e9 + busyNanos;
    }

    Segments segments() {
        return segments;
    }

    void coarsen(long ticks) {
        segments = segments.coarser(ticks);
    }

    /**
     * {@return what is known of the worker}
     *
     * <p>A look holds until the next one, at most until {@code holds} says that none was taken, and until its task ends
     * where the task was recorded. Where a recorded task follows, the worker did what the look in that task saw.
     */
    Bars bars(Holding holds, KindLooks ofPool, ToldLater told) {
        kindLooks = ofPool;
        tasks.sort(Comparator.comparingLong(TaskRun::startNanos));
        Bars bars = new Bars();
        task = 0;
        Seen seen = seen(told);
        if (seen.count() == 0) {
            fill(bars, Long.MIN_VALUE, Long.MAX_VALUE, Segments.NOTHING, 0, null);
            return bars;
        }
        fill(bars, Long.MIN_VALUE, seen.moments()[0], Segments.NOTHING, 0, seen.at(0));
        for (int i = 0; i < seen.count(); i++) {
            Look look = seen.at(i);
            Look next = i + 1 < seen.count() ? seen.at(i + 1) : null;
            long until = next == null ? Long.MAX_VALUE : next.moment();
            long end = Math.max(look.moment(), Math.min(until, holds.until(look.moment())));
            int flag = next != null && next.what() == look.what() ? Bars.BETWEEN_EQUALS : 0;
            long from = look.state() == Segments.IDLE ? look.moment() : show(bars, look, end, flag);
            fill(bars, from, end, Segments.IDLE, flag, end == until ? next : null);
            if (end < until) {
                fill(bars, end, until, Segments.NOTHING, 0, next);
            }
        }
        return bars;
    }

    /** Adds what a look saw, until its task ends. {@return until when} */
    private long show(Bars bars, Look look, long end, int flag) {
        while (task < tasks.size() && tasks.get(task).endNanos() <= look.moment()) {
            task++;
        }
        long until = end;
        boolean isExact = false;
        if (task < tasks.size()) {
            TaskRun run = tasks.get(task);
            isExact = run.startNanos() <= look.moment();
            until = Math.min(end, isExact ? run.endNanos() : run.startNanos());
            if (isExact) {
                kindLooks.see(run.kind(), look.state(), look.detail(), look.flag());
            }
        }
        bars.add(look.moment(), until, look.state(), look.detail(), flag | look.flag() | (isExact ? Bars.EXACT : 0));
        return until;
    }

    /**
     * Adds the long tasks of a time in which the worker was idle at the look before, or no look was taken, and between
     * them a state.
     *
     * @param next the look with which that time ends; null when it ends without one
     */
    private void fill(Bars bars, long from, long to, int state, int flag, @Nullable Look next) {
        long free = from; // threads of one name may run tasks at the same time
        while (task < tasks.size() && tasks.get(task).startNanos() < to) {
            TaskRun run = tasks.get(task);
            long start = Math.max(free, run.startNanos());
            long end = Math.min(to, run.endNanos());
            if (end > start) {
                gap(bars, free, start, state, flag);
                if (run.endNanos() > to && next != null && next.state() != Segments.IDLE) {
                    bars.add(start, end, next.state(), next.detail(), Bars.EXACT | next.flag());
                } else {
                    kindLooks.guess(bars, start, end, run.kind(), count > 0);
                }
                free = end;
            }
            if (run.endNanos() > to) {
                break;
            }
            task++;
        }
        gap(bars, free, to, state, flag);
    }

    private static void gap(Bars bars, long from, long to, int state, int flag) {
        if (state != Segments.NOTHING) {
            bars.add(from, to, state, 0, flag);
        }
    }

    /** {@return a look that no stack told of, with what stacks told later} */
    private long known(long moment, long look, ToldLater told) {
        boolean isRunnable = look / 16 % 2 == 1;
        ToldLater.Told known = told.at(moment, isRunnable, thread.hashCode());
        return known == null
                ? pack(Segments.UNKNOWN, (int) (look / 32), isRunnable)
                : pack(known.state(), known.detail(), isRunnable);
    }

    private static long pack(int state, int detail, boolean isRunnable) {
        return 32L * detail + (isRunnable ? 16 : 0) + state;
    }

    private Seen seen(ToldLater told) {
        int all = 0;
        for (int i = 0; i < count; i++) {
            all += untils[i] - firsts[i];
        }
        long[] when = new long[all];
        long[] what = new long[all];
        boolean isSorted = true;
        int next = 0;
        for (int i = 0; i < count; i++) {
            for (int look = firsts[i]; look < untils[i]; look++) {
                when[next] = moments[i][look];
                what[next] = looks[i] % 16 == UNTOLD ? known(when[next], looks[i], told) : looks[i];
                isSorted &= next == 0 || when[next - 1] <= when[next];
                next++;
            }
        }
        if (isSorted) {
            return new Seen(when, what);
        }
        int[] order = IntStream.range(0, all)
                .boxed()
                .sorted(Comparator.comparingLong(i -> when[i]))
                .mapToInt(i -> i)
                .toArray();
        return new Seen(
                Arrays.stream(order).mapToLong(i -> when[i]).toArray(),
                Arrays.stream(order).mapToLong(i -> what[i]).toArray());
    }

    void begin() {
        segments = new Segments();
    }

    /** Shows a stretch of time, which begins where the former one ended or later. */
    void show(Ticks ticks, long from, long to, int state, int detail) {
        segments.add(ticks.of(from), state, detail);
        segments.add(ticks.of(to), Segments.NOTHING, 0);
    }

    /** Orders the times as a submitter. Of two that overlap, the later one is within the other and hides it. */
    void laySubmitter(Ticks ticks) {
        segments = new Segments();
        PriorityQueue<Stay> waiting = new PriorityQueue<>(Comparator.comparingLong(Stay::from));
        waiting.addAll(stays);
        long free = 0; // the tick after the latest one that is shown, which takes a whole tick
        while (!waiting.isEmpty()) {
            Stay stay = waiting.remove();
            Stay next = waiting.peek();
            long end = next == null ? stay.to() : Math.min(stay.to(), next.from());
            if (end > stay.from() || stay.to() == stay.from()) {
                long start = Math.max(free, ticks.of(stay.from()));
                free = Math.max(start + 1, ticks.of(end));
                segments.add(start, stay.state(), stay.detail());
                segments.add(free, Segments.NOTHING, 0);
            }
            if (next != null && stay.to() > next.to()) {
                waiting.add(new Stay(Math.max(end, next.to()), stay.to(), stay.state(), stay.detail()));
            }
        }
    }

    Map<String, Object> columns(Ticks ticks, Index<String> kinds) {
        Map<String, Object> columns = new LinkedHashMap<>();
        columns.put("n", thread);
        columns.put("s", segments.packed());
        if (!tasks.isEmpty()) {
            columns.put("k", packedTasks(ticks, kinds));
        }
        return columns;
    }

    /** For each task the ticks since the last one began, its length, kind, queue wait and CPU time; 0 is unknown. */
    private String packedTasks(Ticks ticks, Index<String> kinds) {
        Vlq text = new Vlq();
        long last = 0;
        for (TaskRun task : tasks) {
            long start = ticks.of(task.startNanos());
            text.add(start - last);
            text.add(Math.max(1, ticks.of(task.endNanos()) - start));
            text.add(kinds.of(task.kind()));
            text.add(
                    task.queueWaitNanos().isPresent()
                            ? 1 + ticks.length(task.queueWaitNanos().getAsLong())
                            : 0);
            text.add(
                    task.cpuNanos().isPresent()
                            ? 1 + ticks.length(task.cpuNanos().getAsLong())
                            : 0);
            last = start;
        }
        return text.toString();
    }

    /** Says until when a look holds. */
    interface Holding {

        /** {@return the moment in nanoseconds since 1970 from which on a look of this moment tells nothing} */
        long until(long moment);
    }

    /** All looks at one worker. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Seen(long[] moments, long[] whats) {

        int count() {
            return moments.length;
        }

        Look at(int i) {
            return new Look(moments[i], whats[i]);
        }
    }

    private record Look(long moment, long what) {

        int state() {
            return (int) (what % 16);
        }

        int flag() {
            return what / 16 % 2 == 1 ? Bars.RUNNABLE : 0;
        }

        int detail() {
            return (int) (what / 32);
        }
    }

    private record Stay(long from, long to, int state, int detail) {}
}
