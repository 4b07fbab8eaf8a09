package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerStack;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Turns one recording into the columns that the page reads. Not thread-safe. */
final class RecordingColumns {

    private static final long MILLISECOND = 1_000_000;
    private static final long SHORT_TICK = MILLISECOND / 10;

    /** From ten minutes on a tick is a millisecond, which saves a digit per segment. */
    private static final long LONG = 600_000 * MILLISECOND;

    private final Index<String> kinds = new Index<>();
    private final Index<Detail> details = new Index<>();
    private final Map<String, PoolColumns> pools = new LinkedHashMap<>();
    private final Map<Long, WorkerStack> stacks = new HashMap<>(); // by number
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    private RecordingColumns() {
        details.of(Detail.NONE);
    }

    /**
     * {@return the columns of a recording, by name}
     *
     * @param mostSegments how many segments its lanes may have in all
     */
    static Map<String, Object> of(Part part, int mostSegments) {
        RecordingColumns columns = new RecordingColumns();
        part.recording().forEach(columns::add);
        return columns.columns(part.name(), mostSegments);
    }

    private void add(Observation observation) {
        if (observation instanceof WorkerStack stack) {
            stacks.putIfAbsent(stack.number(), stack);
            return;
        }
        first = Math.min(first, observation.startNanos());
        last = Math.max(last, observation.endNanos());
        pools.computeIfAbsent(observation.pool(), name -> new PoolColumns(name, details))
                .add(observation);
    }

    private Map<String, Object> columns(String name, int mostSegments) {
        if (pools.isEmpty()) {
            first = 0;
            last = 0;
        }
        first = Math.floorDiv(first, MILLISECOND) * MILLISECOND; // so that times of two recordings can be compared
        Ticks ticks = new Ticks(first, last, last - first > LONG ? MILLISECOND : SHORT_TICK);
        List<PoolColumns> all = pools.values().stream()
                .sorted(Comparator.comparing(pool -> pool.windows().isEmpty())) // event loops come after pools
                .toList();
        long segments = all.stream().mapToLong(pool -> pool.layLanes(ticks)).sum();
        if (segments > mostSegments) {
            long lanes = all.stream().mapToLong(PoolColumns::lanes).sum();
            double shortest = (double) ticks.span() * lanes / mostSegments;
            all.forEach(pool -> pool.coarsen((long) Math.ceil(shortest)));
        }
        Map<String, Object> columns = new LinkedHashMap<>();
        columns.put("label", name);
        columns.put("start", first / MILLISECOND);
        columns.put("span", ticks.span());
        columns.put("tickMicros", ticks.nanos() / 1000);
        columns.put("process", process(ticks));
        columns.put(
                "pools", all.stream().map(pool -> pool.columns(ticks, kinds)).toList());
        columns.put("kinds", kinds.values());
        Map<String, WorkerStack> byPlace = new HashMap<>(); // samples of single workers have a place only
        details.values().forEach(detail -> {
            WorkerStack stack = stacks.get(detail.stack());
            if (stack != null) {
                byPlace.putIfAbsent(detail.place(), stack);
            }
        });
        Index<String> frames = new Index<>();
        Index<WorkerStack> used = new Index<>();
        columns.put(
                "details",
                details.values().stream()
                        .map(detail -> columns(detail, byPlace, used))
                        .toList());
        columns.put(
                "stacks",
                used.values().stream()
                        .map(stack -> stack.frames().stream().map(frames::of).toList())
                        .toList());
        columns.put("frames", frames.values());
        return columns;
    }

    private Map<String, Object> columns(Detail detail, Map<String, WorkerStack> byPlace, Index<WorkerStack> used) {
        Map<String, Object> columns = detail.columns();
        WorkerStack stack = detail.stack() == 0 ? byPlace.get(detail.place()) : stacks.get(detail.stack());
        if (stack != null) {
            columns.put("stack", used.of(stack));
        }
        return columns;
    }

    /** The process is the same in the windows of all pools, so the pool with the most windows tells all. */
    private Map<String, Object> process(Ticks ticks) {
        List<WindowSummary> windows = pools.values().stream()
                .map(PoolColumns::windows)
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
        WindowColumns columns = new WindowColumns(windows);
        columns.times(ticks);
        columns.add("cores", window -> window.process().cores());
        columns.add("cpu", window -> window.process().cpu().orElse(Double.NaN));
        columns.add("others", window -> percent(window.process().othersShare()));
        columns.add("gc", window -> percent(window.process().gcNanos(), window));
        columns.add("throttled", window -> percent(window.process().throttledNanos(), window));
        return columns.byName();
    }

    private static double percent(OptionalDouble share) {
        return 100 * share.orElse(Double.NaN);
    }

    /** At most 100: the system may count in this window what began in the one before. */
    private static double percent(OptionalLong nanos, WindowSummary window) {
        return nanos.isEmpty() || window.durationNanos() <= 0
                ? Double.NaN
                : 100.0 * Math.min(1, (double) nanos.getAsLong() / window.durationNanos());
    }
}
