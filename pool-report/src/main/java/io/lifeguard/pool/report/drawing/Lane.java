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

    private static final int IDLE = Segments.stateOf(Doing.IDLE);
    private final String thread;
    private final List<TaskRun> tasks = new ArrayList<>();
    private final List<Stay> stays = new ArrayList<>();
    private final Map<Long, long[]> times = new HashMap<>(); // CPU time and run-queue delay by begin of the window
    private long[] moments = new long[16]; // of the first of several equal looks
    private long[] lasts = new long[16]; // of the last one
    private long[] looks = new long[16]; // the detail times 32, plus 16 for a runnable thread, plus the state
    private int count;
    private long busyNanos;
    private Segments segments = new Segments();
    private int task; // the first one that has not ended, while bars are laid
    private KindLooks kindLooks = new KindLooks(); // of the pool

    Lane(String thread) {
        this.thread = thread;
    }

    /** Adds one look at a worker. */
    void look(long nanos, Doing doing, int detail) {
        looks(nanos, nanos, doing, detail, doing == Doing.COMPUTING);
    }

    /** Adds looks at a worker that follow each other closely, and saw the same. */
    void looks(long first, long last, Doing doing, int detail, boolean isRunnable) {
        if (count == moments.length) {
            moments = Arrays.copyOf(moments, 2 * count);
            lasts = Arrays.copyOf(lasts, 2 * count);
            looks = Arrays.copyOf(looks, 2 * count);
        }
        moments[count] = first;
        lasts[count] = last;
        looks[count++] = 32L * detail + (isRunnable ? 16 : 0) + Segments.stateOf(doing);
    }

    /** Adds what the system told of a worker in a window. */
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

    /** Adds a time that the thread spent as a submitter. */
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
    Bars bars(Holding holds, KindLooks ofPool) {
        kindLooks = ofPool;
        sortLooks();
        tasks.sort(Comparator.comparingLong(TaskRun::startNanos));
        Bars bars = new Bars();
        task = 0;
        if (count == 0) {
            fill(bars, Long.MIN_VALUE, Long.MAX_VALUE, Segments.NOTHING, -1);
            return bars;
        }
        fill(bars, Long.MIN_VALUE, moments[0], Segments.NOTHING, 0);
        for (int i = 0; i < count; i++) {
            long next = i + 1 < count ? moments[i + 1] : Long.MAX_VALUE;
            long last = Math.min(next, lasts[i]); // a stack may have been taken between equal looks
            long end = Math.min(next, holds.until(last));
            long from = moments[i];
            if (state(i) != IDLE) {
                seenThrough(bars, i, last);
                from = seen(bars, i, last, end);
            }
            fill(bars, from, end, IDLE, i + 1);
            if (end < next) {
                fill(bars, end, next, Segments.NOTHING, i + 1);
            }
        }
        return bars;
    }

    /** Adds what equal looks saw from the first to the last one, whatever tasks it was in. */
    private void seenThrough(Bars bars, int look, long last) {
        long from = moments[look];
        while (task < tasks.size() && tasks.get(task).startNanos() < last) {
            TaskRun run = tasks.get(task);
            long start = Math.max(from, run.startNanos());
            long end = Math.min(last, run.endNanos());
            if (end > start) {
                bars.add(from, start, state(look), detail(look), flag(look));
                bars.add(start, end, state(look), detail(look), flag(look) | Bars.EXACT);
                kindLooks.see(run.kind(), state(look), detail(look), flag(look));
                from = end;
            }
            if (run.endNanos() > last) {
                break;
            }
            task++;
        }
        bars.add(from, last, state(look), detail(look), flag(look));
    }

    /** Adds what a look saw, until its task ends. {@return until when} */
    private long seen(Bars bars, int look, long moment, long end) {
        while (task < tasks.size() && tasks.get(task).endNanos() <= moment) {
            task++;
        }
        long until = end;
        boolean isExact = false;
        if (task < tasks.size()) {
            TaskRun run = tasks.get(task);
            isExact = run.startNanos() <= moment;
            until = Math.min(end, isExact ? run.endNanos() : run.startNanos());
            if (isExact) {
                kindLooks.see(run.kind(), state(look), detail(look), flag(look));
            }
        }
        bars.add(moment, until, state(look), detail(look), flag(look) | (isExact ? Bars.EXACT : 0));
        return until;
    }

    /**
     * Adds the long tasks of a time in which the worker was idle at the look before, or no look was taken, and between
     * them a state.
     */
    private void fill(Bars bars, long from, long to, int state, int nextLook) {
        long free = from; // threads of one name may run tasks at the same time
        while (task < tasks.size() && tasks.get(task).startNanos() < to) {
            TaskRun run = tasks.get(task);
            long start = Math.max(free, run.startNanos());
            long end = Math.min(to, run.endNanos());
            if (end > start) {
                gap(bars, free, start, state);
                boolean isSeen = run.endNanos() > to
                        && nextLook >= 0
                        && nextLook < count
                        && to == moments[nextLook]
                        && state(nextLook) != IDLE;
                if (isSeen) {
                    bars.add(start, end, state(nextLook), detail(nextLook), Bars.EXACT | flag(nextLook));
                } else {
                    kindLooks.guess(bars, start, end, run.kind());
                }
                free = end;
            }
            if (run.endNanos() > to) {
                break;
            }
            task++;
        }
        gap(bars, free, to, state);
    }

    private static void gap(Bars bars, long from, long to, int state) {
        if (state != Segments.NOTHING) {
            bars.add(from, to, state, 0, 0);
        }
    }

    private int state(int look) {
        return (int) (looks[look] % 16);
    }

    private int flag(int look) {
        return looks[look] / 16 % 2 == 1 ? Bars.RUNNABLE : 0;
    }

    private int detail(int look) {
        return (int) (looks[look] / 32);
    }

    /** Begins to lay what is shown. */
    void begin() {
        segments = new Segments();
    }

    /** Shows a stretch of time, which begins where the former one ended or later. */
    void show(Ticks ticks, long from, long to, int state, int detail) {
        segments.add(ticks.of(from), state, detail);
        segments.add(ticks.of(to), Segments.NOTHING, 0);
    }

    private void sortLooks() {
        boolean isSorted = IntStream.range(1, count).allMatch(i -> moments[i - 1] <= moments[i]);
        if (!isSorted) {
            int[] order = IntStream.range(0, count)
                    .boxed()
                    .sorted(Comparator.comparingLong(i -> moments[i]))
                    .mapToInt(i -> i)
                    .toArray();
            moments = Arrays.stream(order).mapToLong(i -> moments[i]).toArray();
            lasts = Arrays.stream(order).mapToLong(i -> lasts[i]).toArray();
            looks = Arrays.stream(order).mapToLong(i -> looks[i]).toArray();
        }
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

    /** {@return the columns of the lane, by name} */
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

    private record Stay(long from, long to, int state, int detail) {}
}
