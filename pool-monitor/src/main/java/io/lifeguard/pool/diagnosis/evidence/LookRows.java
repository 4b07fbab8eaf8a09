package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.recording.WorkerLooks;
import io.lifeguard.pool.recording.WorkerLooks.Act;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The looks of one window at all workers of a pool, one row per worker. Confined to the monitor's thread. Keeps no
 * thread.
 *
 * <p>What a worker did is either told by its own stack, or by its group of the census. The groups are resolved at the
 * end of the window, when all its stacks are known: each worker of a group does what one of the group's stacks showed,
 * in turn. So the workers of a group together do what {@link Breakdown} says of the group. Where a window has no stack
 * of a group, those of the last five seconds count.
 */
final class LookRows {

    static final Act IDLE = new Act(Doing.IDLE, false, "", "", "", 0);

    /** Of 2,000 workers ten looks are kept. */
    private static final int MOST_CELLS = 20_000;

    /** Five times as many as a usual window of 1 s has: longer windows keep one look of two, or of four. */
    private static final int MOST_LOOKS = 100;

    /** As long as {@link GroupMemory} lets the stacks of a group hold whose workers wait for objects of their own. */
    private static final long HOLDS_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Map<Object, Integer> numbers = new LinkedHashMap<>(); // of acts and strata
    private final Map<Long, Row> rows = new LinkedHashMap<>(); // by thread id
    private final Map<Stratum, Told> told = new HashMap<>(); // what the latest stacks of a group showed
    private long[] moments = new long[32];
    private int count;
    private int cells;
    private int kept = 1; // one look of so many
    private int skipped;

    /** Begins a look. {@return whether it is kept} */
    boolean begin(long nanos) {
        if (count > 0 && (cells + cells / count > MOST_CELLS || count == MOST_LOOKS)) {
            kept *= 2;
            skipped = 0;
            thin();
        }
        if (++skipped < kept) {
            return false;
        }
        skipped = 0;
        if (count == moments.length) {
            moments = Arrays.copyOf(moments, 2 * count);
        }
        moments[count++] = nanos;
        return true;
    }

    private void thin() {
        int left = (count + 1) / 2;
        for (int i = 0; i < left; i++) {
            moments[i] = moments[2 * i];
        }
        rows.values().forEach(row -> row.thin(left));
        cells = cells / 2;
        count = left;
    }

    /**
     * Adds what a worker did at the look that was begun last.
     *
     * @param what an {@link Act}, or the {@link Stratum} where no stack of the worker tells
     */
    void add(Long threadId, Thread thread, Object what) {
        Integer number = numbers.get(what);
        if (number == null) {
            number = numbers.size();
            numbers.put(what, number);
        }
        Row row = rows.get(threadId);
        if (row == null) {
            row = new Row(thread.getName());
            rows.put(threadId, row);
        }
        row.set(count - 1, number);
        cells++;
    }

    /** Forgets the looks of the window, but not what groups do. */
    void clear() {
        numbers.clear();
        rows.clear();
        count = 0;
        cells = 0;
        kept = 1;
        skipped = 0;
    }

    /**
     * {@return the looks of the window}
     *
     * @param start when the window began, by the monotonic clock
     * @param times what the system told of single workers, by thread id
     * @param stacks what the stacks of each group showed
     */
    WorkerLooks looks(long start, Map<Long, ThreadTimes> times, Map<Stratum, List<Act>> stacks) {
        long now = count == 0 ? start : moments[count - 1];
        for (Map.Entry<Stratum, List<Act>> group : stacks.entrySet()) {
            told.put(group.getKey(), new Told(group.getValue(), now));
        }
        for (Iterator<Told> each = told.values().iterator(); each.hasNext(); ) {
            if (now - each.next().nanos() > HOLDS_NANOS) {
                each.remove();
            }
        }
        List<Object> kinds = List.copyOf(numbers.keySet());
        Map<Act, Integer> acts = new LinkedHashMap<>();
        Map<Stratum, Integer> turns = new HashMap<>();
        List<WorkerLooks.Worker> workers = new ArrayList<>(rows.size());
        for (Map.Entry<Long, Row> each : rows.entrySet()) {
            Row row = each.getValue();
            List<Integer> cells = new ArrayList<>(count);
            int before = WorkerLooks.ABSENT;
            int act = WorkerLooks.ABSENT;
            for (int i = 0; i < count; i++) {
                int cell = row.at(i);
                if (cell != before) {
                    act = cell == WorkerLooks.ABSENT ? cell : number(resolved(kinds.get(cell), turns), acts);
                    before = cell;
                }
                cells.add(act);
            }
            ThreadTimes known = times.get(each.getKey());
            workers.add(new WorkerLooks.Worker(
                    row.name,
                    known == null
                            ? OptionalLong.empty()
                            : OptionalLong.of(known.cpu().toNanos()),
                    known == null
                            ? OptionalLong.empty()
                            : OptionalLong.of(known.runQueueDelay().toNanos()),
                    cells));
        }
        workers.sort(new ByNumber());
        List<Long> since = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            since.add(Math.max(0, moments[i] - start));
        }
        return new WorkerLooks(since, List.copyOf(acts.keySet()), workers);
    }

    /** The census meets workers in any order; those with consecutive names take least room. */
    private static final class ByNumber implements Comparator<WorkerLooks.Worker> {
        @Override
        public int compare(WorkerLooks.Worker one, WorkerLooks.Worker other) {
            int byLength = one.thread().length() - other.thread().length();
            return byLength == 0 ? one.thread().compareTo(other.thread()) : byLength;
        }
    }

    private static int number(Act act, Map<Act, Integer> acts) {
        Integer known = acts.putIfAbsent(act, acts.size());
        return known == null ? acts.size() - 1 : known;
    }

    private Act resolved(Object kind, Map<Stratum, Integer> turns) {
        if (kind instanceof Act act) {
            return act;
        }
        Stratum stratum = (Stratum) kind;
        if (stratum.idle()) {
            return IDLE;
        }
        Told known = told.get(stratum);
        if (known != null) {
            int turn = turns.getOrDefault(stratum, 0) + 1;
            turns.put(stratum, turn);
            return known.acts().get(turn % known.acts().size());
        }
        Doing doing = Breakdown.doing(stratum);
        String awaited = doing.isWaitInside() ? text(stratum.object()) : "";
        return new Act(doing, stratum.state() == Thread.State.RUNNABLE, "", awaited, "", 0);
    }

    private static String text(@Nullable String object) {
        return object == null ? "" : object;
    }

    static WorkerLooks everySecond(WorkerLooks looks) {
        return new WorkerLooks(
                half(looks.moments()),
                looks.acts(),
                looks.workers().stream()
                        .map(worker -> new WorkerLooks.Worker(
                                worker.thread(), worker.cpuNanos(), worker.delayNanos(), half(worker.acts())))
                        .toList());
    }

    /** {@return the same where workers that did the same have the mean of their CPU times and run-queue delays} */
    static WorkerLooks sharingTimes(WorkerLooks looks) {
        Map<List<Integer>, List<WorkerLooks.Worker>> alike =
                looks.workers().stream().collect(Collectors.groupingBy(WorkerLooks.Worker::acts));
        Map<List<Integer>, OptionalLong> cpu = new HashMap<>();
        Map<List<Integer>, OptionalLong> delay = new HashMap<>();
        alike.forEach((acts, group) -> {
            cpu.put(acts, mean(group, WorkerLooks.Worker::cpuNanos));
            delay.put(acts, mean(group, WorkerLooks.Worker::delayNanos));
        });
        return new WorkerLooks(
                looks.moments(),
                looks.acts(),
                looks.workers().stream()
                        .map(worker -> new WorkerLooks.Worker(
                                worker.thread(),
                                cpu.getOrDefault(worker.acts(), OptionalLong.empty()),
                                delay.getOrDefault(worker.acts(), OptionalLong.empty()),
                                worker.acts()))
                        .toList());
    }

    private static OptionalLong mean(List<WorkerLooks.Worker> group, Function<WorkerLooks.Worker, OptionalLong> value) {
        OptionalDouble mean =
                group.stream().map(value).flatMapToLong(OptionalLong::stream).average();
        return mean.isPresent() ? OptionalLong.of(Math.round(mean.getAsDouble())) : OptionalLong.empty();
    }

    private static <T> List<T> half(List<T> all) {
        return IntStream.range(0, (all.size() + 1) / 2)
                .mapToObj(i -> all.get(2 * i))
                .toList();
    }

    private record Told(List<Act> acts, long nanos) {

        /** Shuffled, because stacks that were taken together come first, and turns would meet them together. */
        Told {
            acts = new ArrayList<>(acts);
            Collections.shuffle(acts, new java.util.Random(acts.size()));
        }
    }

    /** One worker, with the number of what it did at each look. */
    private static final class Row {
        private final String name;
        private int[] cells = new int[24];
        private int length;

        Row(String name) {
            this.name = name;
        }

        void set(int look, int number) {
            while (cells.length <= look) {
                cells = Arrays.copyOf(cells, 2 * cells.length);
            }
            while (length < look) {
                cells[length++] = WorkerLooks.ABSENT;
            }
            cells[look] = number;
            length = look + 1;
        }

        int at(int look) {
            return look < length ? cells[look] : WorkerLooks.ABSENT;
        }

        void thin(int left) {
            for (int i = 0; i < left; i++) {
                cells[i] = at(2 * i);
            }
            length = Math.min(left, (length + 1) / 2);
        }
    }
}
