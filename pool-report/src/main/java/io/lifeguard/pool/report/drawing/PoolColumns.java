package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.Flow;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.Rejection;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.Times;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.WorkerLooks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns what a recording holds of one pool into columns. Not thread-safe. */
final class PoolColumns {

    /** More lanes than this are of no use to a reader; those with the most evidence are kept. */
    static final int MOST_WORKERS = 2_000;

    /** As above, for submitters, which stand above the workers. */
    static final int MOST_SUBMITTERS = 32;

    /** More would not make a guess more certain. */
    private static final int MOST_TOLD = 64;

    private static final double SECOND = 1e9;

    private final String name;
    private final Index<Detail> details;
    private final Map<String, Lane> workers = new LinkedHashMap<>();
    private final Map<String, Lane> submitters = new LinkedHashMap<>();
    private final List<WindowSummary> windows = new ArrayList<>();
    private final List<PoolLooks> looks = new ArrayList<>();
    private final IdentityHashMap<PoolLooks, Integer> moments =
            new IdentityHashMap<>(); // how many looks each window has
    private final ToldLater told = new ToldLater();
    private final List<CallerRun> callerRuns = new ArrayList<>();
    private final List<Long> rejections = new ArrayList<>();
    private final FindingSpans findings = new FindingSpans();
    private long first = Long.MAX_VALUE; // the begin of the first observation
    private @Nullable Calibration calibration; // null until lanes are laid
    private List<Lane> shownWorkers = List.of();
    private List<Lane> shownSubmitters = List.of();

    PoolColumns(String name, Index<Detail> details) {
        this.name = name;
        this.details = details;
    }

    void add(Observation observation) {
        first = Math.min(first, observation.startNanos());
        if (observation instanceof WorkerSample look) {
            Detail detail = new Detail(look.place(), look.awaited(), look.holder());
            worker(look.thread()).look(look.startNanos(), look.doing(), details.of(detail));
        } else if (observation instanceof PoolLooks window) {
            addLooks(window);
        } else if (observation instanceof TaskRun task) {
            worker(task.thread()).task(task);
        } else if (observation instanceof CallerRun run) {
            callerRuns.add(run);
            submitter(run.thread()).stay(run.startNanos(), run.endNanos(), Segments.CALLER_RUNS, 0);
        } else if (observation instanceof SubmitWait wait) {
            submitter(wait.thread()).stay(wait.startNanos(), wait.endNanos(), Segments.SUBMIT_WAIT, 0);
        } else if (observation instanceof Rejection) {
            rejections.add(observation.startNanos());
        } else if (observation instanceof WindowSummary window) {
            windows.add(window);
        } else if (observation instanceof FindingChange change) {
            findings.add(change);
        }
    }

    private void addLooks(PoolLooks window) {
        WorkerLooks read;
        try {
            read = WorkerLooks.read(window.content());
        } catch (IllegalArgumentException ignored) { // written by something else, or by a later version
            return;
        }
        looks.add(window);
        long[] when = read.moments().stream()
                .mapToLong(moment -> window.startNanos() + moment)
                .toArray();
        moments.put(window, read.moments().size());
        List<Integer> numbers = read.acts().stream()
                .map(act -> details.of(new Detail(act.place(), act.awaited(), act.holder(), act.stack())))
                .toList();
        for (WorkerLooks.Worker one : read.workers()) {
            Lane lane = worker(one.thread());
            if (one.cpuNanos().isPresent() && one.delayNanos().isPresent()) {
                lane.times(
                        window.startNanos(),
                        one.cpuNanos().getAsLong(),
                        one.delayNanos().getAsLong());
            }
            addLooks(when, read, one.acts(), numbers, lane);
        }
        told.add(new ToldLater.Window(window.startNanos(), told(read, numbers, true), told(read, numbers, false)));
    }

    /** {@return what stacks told of busy workers in a window, once for each worker that did it} */
    private static List<ToldLater.Told> told(WorkerLooks read, List<Integer> numbers, boolean isRunnable) {
        return read.workers().stream()
                .flatMap(worker -> worker.acts().stream().distinct())
                .filter(act -> act >= 0 && act < numbers.size())
                .filter(act -> {
                    WorkerLooks.Act what = read.acts().get(act);
                    return what.isRunnable() == isRunnable && !what.place().isEmpty() && what.doing() != Doing.IDLE;
                })
                .limit(MOST_TOLD)
                .map(act ->
                        new ToldLater.Told(Segments.stateOf(read.acts().get(act).doing()), numbers.get(act)))
                .toList();
    }

    /** Adds equal looks in a row together. */
    private static void addLooks(long[] when, WorkerLooks read, List<Integer> acts, List<Integer> numbers, Lane lane) {
        int count = Math.min(acts.size(), when.length);
        int until;
        for (int i = 0; i < count; i = until) {
            int act = acts.get(i);
            until = i + 1;
            while (until < count && acts.get(until) == act) {
                until++;
            }
            if (act >= 0 && act < numbers.size()) {
                WorkerLooks.Act what = read.acts().get(act);
                boolean isUntold = what.doing() == Doing.UNKNOWN && what.place().isEmpty();
                int state = isUntold ? Lane.UNTOLD : Segments.stateOf(what.doing());
                lane.looks(when, i, until, state, numbers.get(act), what.isRunnable());
            }
        }
    }

    private Lane worker(String thread) {
        return workers.computeIfAbsent(thread, Lane::new);
    }

    private Lane submitter(String thread) {
        return submitters.computeIfAbsent(thread, Lane::new);
    }

    /** Orders all lanes, and returns how many segments they have. */
    long layLanes(Ticks ticks) {
        windows.sort(Comparator.comparingLong(Observation::startNanos));
        shownWorkers = shown(workers.values(), MOST_WORKERS);
        shownSubmitters = shown(submitters.values(), MOST_SUBMITTERS);
        long[] ends = windows.stream().mapToLong(Observation::endNanos).toArray();
        long lastLength =
                windows.isEmpty() ? 0 : windows.get(windows.size() - 1).durationNanos();
        looks.sort(Comparator.comparingLong(Observation::startNanos));
        Calibration fitted = Calibration.of(looks, windows, ticks);
        long gone = gone();
        fitted.lay(workers.values(), moment -> Math.min(gone, until(moment, ends, lastLength)), told);
        calibration = fitted;
        shownSubmitters.forEach(lane -> lane.laySubmitter(ticks));
        return shownLanes().mapToLong(lane -> lane.segments().count()).sum();
    }

    /**
     * {@return the end of the last window where the pool had no worker left: it has ended, and no look holds longer}
     */
    private long gone() {
        WindowSummary last = windows.isEmpty() ? null : windows.get(windows.size() - 1);
        return last != null && last.load().size() == 0 ? last.endNanos() : Long.MAX_VALUE;
    }

    /**
     * A look holds for {@link WorkerSample#HOLDS_NANOS} at most, or until the end of the pool's next window where that
     * is later: then looks are rarer. A window that is still to come is taken to be as long as the last one.
     */
    private static long until(long moment, long[] ends, long lastLength) {
        int found = Arrays.binarySearch(ends, moment);
        int window = found < 0 ? -found - 1 : found;
        long next = window + 1 < ends.length ? ends[window + 1] : moment + 2 * lastLength;
        return Math.max(next, moment + WorkerSample.HOLDS_NANOS);
    }

    private static List<Lane> shown(Collection<Lane> lanes, int most) {
        return lanes.stream()
                .sorted(Comparator.comparingDouble(Lane::weight).reversed())
                .limit(most)
                .sorted(Comparator.comparing(Lane::thread, PoolColumns::compareNames))
                .toList();
    }

    /** Compares names so that {@code worker-9} comes before {@code worker-10}. */
    static int compareNames(String one, String other) {
        int digitsOne = digitsAtEnd(one);
        int digitsOther = digitsAtEnd(other);
        int byText =
                one.substring(0, one.length() - digitsOne).compareTo(other.substring(0, other.length() - digitsOther));
        if (byText != 0) {
            return byText;
        }
        int byLength = Integer.compare(digitsOne, digitsOther);
        return byLength != 0 ? byLength : one.compareTo(other);
    }

    private static int digitsAtEnd(String text) {
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(text.length() - 1 - digits))) {
            digits++;
        }
        return digits;
    }

    int lanes() {
        return shownWorkers.size() + shownSubmitters.size();
    }

    void coarsen(long ticks) {
        shownLanes().forEach(lane -> lane.coarsen(ticks));
    }

    private Stream<Lane> shownLanes() {
        return Stream.concat(shownSubmitters.stream(), shownWorkers.stream());
    }

    List<WindowSummary> windows() {
        return windows;
    }

    Map<String, Object> columns(Ticks ticks, Index<String> kinds) {
        Map<String, Object> columns = new LinkedHashMap<>();
        columns.put("name", name);
        columns.put("moreWorkers", workers.size() - shownWorkers.size());
        columns.put("moreSubmitters", submitters.size() - shownSubmitters.size());
        int present = shownLanes().mapToInt(lane -> lane.segments().present()).reduce(0, (a, b) -> a | b);
        columns.put(
                "states",
                IntStream.range(0, Segments.NOTHING)
                        .filter(state -> (present >> state & 1) == 1)
                        .boxed()
                        .toList());
        columns.put(
                "workers",
                shownWorkers.stream().map(lane -> lane.columns(ticks, kinds)).toList());
        columns.put(
                "submitters",
                shownSubmitters.stream().map(lane -> lane.columns(ticks, kinds)).toList());
        rejections.sort(Comparator.naturalOrder());
        columns.put("rejections", ticks.deltas(rejections));
        columns.put("windows", windowColumns(ticks));
        columns.put("before", before(ticks));
        columns.put("findings", findings.columns(ticks, windows, callerRunTimes(), Math.max(1, submitters.size())));
        CurveColumns.put(columns, windows);
        columns.put(
                "blind",
                windows.isEmpty() ? "" : windows.get(windows.size() - 1).blind());
        return columns;
    }

    /**
     * From when to when, in ticks, the pool was there, and nobody looked yet: until its first window. Then for how many
     * seconds workers and submitters had run tasks before that window, where it is known. Null where there is no
     * window.
     */
    private @Nullable List<Number> before(Ticks ticks) {
        if (windows.isEmpty()) {
            return null;
        }
        PoolLooks seen =
                Objects.requireNonNull(calibration, "lanes must be laid first").looks(windows.get(0));
        long begin = seen == null ? windows.get(0).startNanos() : seen.startNanos();
        List<Number> before = new ArrayList<>(List.of(ticks.of(Math.min(first, begin)), ticks.of(begin)));
        if (seen != null
                && seen.busyBeforeNanos().isPresent()
                && seen.callerRunsBeforeNanos().isPresent()) {
            before.add(seen.busyBeforeNanos().getAsLong() / SECOND);
            before.add(seen.callerRunsBeforeNanos().getAsLong() / SECOND);
        }
        return before;
    }

    /** For each window, how long submitters ran tasks in it, by its begin: by the counters, or what was recorded. */
    private Map<Long, Long> callerRunTimes() {
        NavigableMap<Long, Long> times = new TreeMap<>();
        windows.forEach(window -> times.put(window.startNanos(), 0L));
        for (CallerRun run : callerRuns) {
            Map.Entry<Long, Long> window = times.floorEntry(run.startNanos() + run.durationNanos() / 2);
            if (window != null) {
                times.put(window.getKey(), window.getValue() + run.durationNanos());
            }
        }
        for (WindowSummary window : windows) {
            PoolLooks seen = calibration == null ? null : calibration.looks(window);
            if (seen != null && seen.callerRunNanos().isPresent()) {
                times.put(window.startNanos(), seen.callerRunNanos().getAsLong());
            }
        }
        return times;
    }

    private Map<String, Object> windowColumns(Ticks ticks) {
        WindowColumns columns = new WindowColumns(windows);
        columns.times(ticks);
        columns.add("size", window -> window.load().size());
        columns.add("active", window -> window.load().active());
        columns.add("queued", window -> number(window.load().queued()));
        columns.add("capacity", window -> number(window.load().capacity()));
        columns.add("throughput", window -> rate(window, Flow::completed));
        columns.add("callerRuns", window -> rate(window, Flow::callerRuns));
        columns.add("rejected", window -> rate(window, Flow::rejected));
        columns.add("waitMedian", window -> seconds(window.queueWait(), Times::medianNanos));
        columns.add("waitP99", window -> seconds(window.queueWait(), Times::p99Nanos));
        columns.add("serviceMedian", window -> seconds(window.serviceTime(), Times::medianNanos));
        columns.add("serviceP99", window -> seconds(window.serviceTime(), Times::p99Nanos));
        Calibration fitted = Objects.requireNonNull(calibration, "lanes must be laid first");
        columns.put(
                "shares",
                Stream.of(Doing.values())
                        .map(Segments::stateOf)
                        .map(state -> columns.column(window -> fitted.shares(window)[state]))
                        .toList());
        columns.add("failed", window -> rate(window, Flow::failed));
        columns.add("busy", window -> busy(window, fitted.looks(window)));
        columns.add("limit", CurveColumns::limit);
        columns.add("looks", window -> ofLooks(fitted.looks(window), each -> moments.getOrDefault(each, 0)));
        columns.add("stacks", window -> ofLooks(fitted.looks(window), PoolLooks::stacks));
        columns.add("callerRunning", window -> callerRunning(fitted.looks(window)));
        return columns.byName();
    }

    /** By the pool's own counters; where it has none, at the end of the window. */
    private static double busy(WindowSummary window, @Nullable PoolLooks seen) {
        return seen == null || seen.busyNanos().isEmpty() || seen.durationNanos() <= 0
                ? window.load().active()
                : (double) seen.busyNanos().getAsLong() / seen.durationNanos();
    }

    private static double callerRunning(@Nullable PoolLooks seen) {
        return seen == null || seen.callerRunNanos().isEmpty() || seen.durationNanos() <= 0
                ? Double.NaN
                : (double) seen.callerRunNanos().getAsLong() / seen.durationNanos();
    }

    private static double ofLooks(@Nullable PoolLooks seen, ToIntFunction<PoolLooks> value) {
        return seen == null ? Double.NaN : value.applyAsInt(seen);
    }

    private static double number(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : Double.NaN;
    }

    private static double rate(WindowSummary window, ToLongFunction<Flow> count) {
        return window.flow().isEmpty() || window.durationNanos() <= 0
                ? Double.NaN
                : count.applyAsLong(window.flow().get()) * SECOND / window.durationNanos();
    }

    private static double seconds(Optional<Times> times, Function<Times, OptionalLong> value) {
        OptionalLong nanos = times.map(value).orElse(OptionalLong.empty());
        return nanos.isPresent() ? nanos.getAsLong() / SECOND : Double.NaN;
    }
}
