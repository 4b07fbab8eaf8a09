package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.TaskRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/** What one thread did: looks at a worker, long tasks, and times as a submitter. Not thread-safe. */
final class Lane {

    private static final int IDLE = Segments.stateOf(Doing.IDLE);
    private static final int UNKNOWN = Segments.stateOf(Doing.UNKNOWN);

    private final String thread;
    private final List<TaskRun> tasks = new ArrayList<>();
    private final List<Stay> stays = new ArrayList<>();
    private long[] times = new long[16];
    private long[] looks = new long[16]; // the detail times 16, plus the state
    private int count;
    private long busyNanos;
    private Segments segments = new Segments();

    Lane(String thread) {
        this.thread = thread;
    }

    /** Adds one look at a worker. */
    void look(long nanos, Doing doing, int detail) {
        if (count == times.length) {
            times = Arrays.copyOf(times, 2 * count);
            looks = Arrays.copyOf(looks, 2 * count);
        }
        times[count] = nanos;
        looks[count++] = 16L * detail + Segments.stateOf(doing);
    }

    void task(TaskRun task) {
        tasks.add(task);
        busyNanos += task.durationNanos();
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

    /** Orders what is known. A look holds until the next one, at most until {@code holds} says that none was taken. */
    void layWorker(Ticks ticks, Holding holds) {
        sortLooks();
        tasks.sort(Comparator.comparingLong(TaskRun::startNanos));
        segments = new Segments();
        int task = 0;
        for (int i = 0; i < count; i++) {
            long next = i + 1 < count ? times[i + 1] : Long.MAX_VALUE;
            long end = Math.min(next, holds.until(times[i]));
            if (i == 0) {
                task = unseen(Long.MIN_VALUE, times[0], task, ticks);
            }
            int state = (int) (looks[i] % 16);
            segments.add(ticks.of(times[i]), state, (int) (looks[i] / 16));
            if (state == IDLE) {
                task = unseen(times[i], end, task, ticks);
            }
            if (end < next) {
                segments.add(ticks.of(end), Segments.NOTHING, 0);
                task = unseen(end, next, task, ticks);
            }
        }
        if (count == 0) {
            unseen(Long.MIN_VALUE, Long.MAX_VALUE, 0, ticks);
        } else {
            segments.add(ticks.span(), Segments.NOTHING, 0);
        }
    }

    /**
     * Shows the long tasks of a time in which the worker was idle at the look before, or no look was taken. The worker
     * ran them, but what it did meanwhile was not seen.
     */
    private int unseen(long from, long to, int firstTask, Ticks ticks) {
        int task = firstTask;
        long free = from; // threads of one name may run tasks at the same time
        while (task < tasks.size() && tasks.get(task).startNanos() < to) {
            TaskRun run = tasks.get(task);
            long start = Math.max(free, run.startNanos());
            long end = Math.min(to, run.endNanos());
            if (end > start) {
                segments.add(ticks.of(start), UNKNOWN, 0);
                segments.add(ticks.of(end), Segments.NOTHING, 0);
                free = end;
            }
            if (run.endNanos() > to) {
                break;
            }
            task++;
        }
        return task;
    }

    private void sortLooks() {
        boolean isSorted = IntStream.range(1, count).allMatch(i -> times[i - 1] <= times[i]);
        if (!isSorted) {
            int[] order = IntStream.range(0, count)
                    .boxed()
                    .sorted(Comparator.comparingLong(i -> times[i]))
                    .mapToInt(i -> i)
                    .toArray();
            times = Arrays.stream(order).mapToLong(i -> times[i]).toArray();
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
