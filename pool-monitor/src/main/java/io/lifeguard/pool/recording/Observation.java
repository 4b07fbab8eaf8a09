package io.lifeguard.pool.recording;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a recording: a long task, a wait, a look at a worker, the figures of a window, or news of a finding.
 * Immutable.
 *
 * <p>Moments are nanoseconds since 1970-01-01 UTC, and lengths are nanoseconds. No component is null. What is unknown
 * is empty, never 0. Names of pools, threads and kinds are as users gave them: escape them before you show them.
 */
public sealed interface Observation {

    /** {@return when it began, in nanoseconds since 1970} */
    long startNanos();

    /** {@return how long it lasted in nanoseconds; 0 for a moment} */
    default long durationNanos() {
        return 0;
    }

    /** {@return the pool's name; for event loops the name of their group} */
    String pool();

    /** {@return when it ended, in nanoseconds since 1970} */
    default long endNanos() {
        return startNanos() + durationNanos();
    }

    /** {@return a wall-clock time in nanoseconds since 1970} */
    static long nanos(Instant when) {
        return Math.addExact(Math.multiplyExact(when.getEpochSecond(), 1_000_000_000L), when.getNano());
    }

    /**
     * A task that ran for long, on a worker. Its duration is its service time.
     *
     * @param queueWaitNanos how long it waited in the queue; empty where that was not seen
     * @param cpuNanos how much CPU time it used; empty where that is unknown
     */
    record TaskRun(
            long startNanos,
            long durationNanos,
            String pool,
            String thread,
            String kind,
            OptionalLong queueWaitNanos,
            OptionalLong cpuNanos,
            boolean failed)
            implements Observation {}

    /**
     * A submitter that waited for room in a full pool.
     *
     * @param accepted whether the pool then accepted the task
     */
    record SubmitWait(long startNanos, long durationNanos, String pool, String thread, boolean accepted)
            implements Observation {}

    /**
     * A submitter that ran its task itself, because the pool was full.
     *
     * @param idleWorkers the mean number of workers that were idle meanwhile
     */
    record CallerRun(long startNanos, long durationNanos, String pool, String thread, double idleWorkers)
            implements Observation {}

    /**
     * A task that the pool refused.
     *
     * @param reason the name of the {@link io.lifeguard.pool.RejectionReason}; readers must expect names that they do
     *     not know
     */
    record Rejection(long startNanos, String pool, String thread, String reason) implements Observation {}

    /**
     * One look at one worker, or at one event loop.
     *
     * <p>What a worker did is known at such moments only. A sample holds until the next sample of the same worker, but
     * not for longer than {@link #HOLDS_NANOS}: then no look was taken.
     *
     * @param place the first frame that is the user's own, as {@code com.example.Orders.load(Orders.java:42)}; empty
     *     when no stack was taken
     * @param awaited the lock, pool or resource that it waited for; empty when it did not wait, or it is unknown
     * @param holder name of the thread that held the lock; empty when there is none, or it is unknown
     */
    record WorkerSample(
            long startNanos, String pool, String thread, Doing doing, String place, String awaited, String holder)
            implements Observation {
        /** How long a sample holds at most: 5 s. */
        public static final long HOLDS_NANOS = 5_000_000_000L;
    }

    /**
     * A stack to which looks at workers refer by number. It is told again from time to time while looks refer to it.
     *
     * @param number of the stack, not 0; equal stacks of a pool have equal numbers
     * @param frames top first, one line per frame
     */
    record WorkerStack(long startNanos, String pool, long number, List<String> frames) implements Observation {
        /** Copies the frames. */
        public WorkerStack {
            frames = List.copyOf(frames);
        }
    }

    /**
     * What all workers of one pool did in one window: many looks at all of them, beside the pool's own counters.
     *
     * @param busyNanos how long workers ran tasks, summed over all workers, by the pool's counters; empty where that is
     *     not measured
     * @param cpuNanos CPU time of these tasks, by the pool's counters; empty where that is not measured
     * @param callerRunNanos how long submitters ran tasks themselves, by the pool's counters; empty where that is not
     *     measured
     * @param busyBeforeNanos how long workers had run tasks before the pool's first window; empty in all later windows,
     *     and where that is not measured
     * @param callerRunsBeforeNanos the same, for tasks that submitters ran themselves
     * @param content the looks, as {@link WorkerLooks} writes them
     */
    record PoolLooks(
            long startNanos,
            long durationNanos,
            String pool,
            OptionalLong busyNanos,
            OptionalLong cpuNanos,
            OptionalLong callerRunNanos,
            OptionalLong busyBeforeNanos,
            OptionalLong callerRunsBeforeNanos,
            int stacks,
            String content)
            implements Observation {}

    /**
     * The figures of one window of one pool.
     *
     * @param flow what came and went; empty where the pool does not count its tasks
     * @param queueWait of the tasks begun; empty where it is not measured
     * @param serviceTime of the tasks ended; empty where it is not measured
     * @param shares where the workers' time went: the mean number of workers by what they did, {@link Doing#UNKNOWN}
     *     included; they add up to the mean number of workers
     * @param bottleneck the name of the {@link io.lifeguard.pool.diagnosis.window.Bottleneck} that limited the pool;
     *     readers must expect names that they do not know
     * @param curve throughput and service time at every size; empty while no size can be predicted
     * @param blind why it is unknown which threads are its workers, so that nobody looks at them; empty if it is known
     */
    record WindowSummary(
            long startNanos,
            long durationNanos,
            String pool,
            Load load,
            Optional<Flow> flow,
            Optional<Times> queueWait,
            Optional<Times> serviceTime,
            Map<Doing, Double> shares,
            String bottleneck,
            Process process,
            Optional<Curve> curve,
            String blind)
            implements Observation {
        /** Copies the shares. */
        public WindowSummary {
            shares = Map.copyOf(shares);
        }

        /** {@return the mean number of workers by what they did} */
        public static Map<Doing, Double> shares(TimeBreakdown times) {
            Map<Doing, Double> shares = new EnumMap<>(Doing.class);
            for (TimeBreakdown.Share share : times.shares()) {
                double before = shares.getOrDefault(share.doing(), 0.0);
                shares.put(share.doing(), before + share.workers().value());
            }
            return shares;
        }
    }

    /**
     * How full a pool was at the end of a window.
     *
     * @param size workers
     * @param active workers that ran a task
     * @param coreSize core pool size; empty where there is none
     * @param maximumSize largest number of workers; empty where there is no bound
     * @param queued tasks in the queue; empty where that is unknown
     * @param capacity of the queue; empty where there is no bound
     */
    record Load(
            int size,
            int active,
            OptionalInt coreSize,
            OptionalInt maximumSize,
            OptionalInt queued,
            OptionalInt capacity) {}

    /** How many tasks came to a pool and left it in a window. */
    record Flow(long submitted, long completed, long failed, long rejected, long callerRuns) {}

    /**
     * Times of the tasks of one window.
     *
     * @param medianNanos half of the tasks took at most so long; empty when there were none
     * @param p99Nanos 99 of 100 tasks took at most so long; empty when there were none
     */
    record Times(long count, OptionalLong medianNanos, OptionalLong p99Nanos) {}

    /**
     * The whole process in a window.
     *
     * @param cores how many CPUs it may use: the container's quota where there is one, which may be a fraction
     * @param cpu the mean number of CPUs that it used
     * @param othersShare share of the machine's CPUs that other processes used, 0 to 1
     * @param throttledNanos for how long the quota stopped the process
     */
    @SuppressWarnings("JavaLangClash") // nested, so it is always written with the name of its owner, or imported
    record Process(
            double cores,
            OptionalDouble cpu,
            OptionalDouble othersShare,
            OptionalLong gcNanos,
            OptionalLong throttledNanos) {

        public static Process of(ProcessWindow window, OptionalDouble othersShare) {
            return new Process(
                    window.cores(), window.cpu(), othersShare, nanos(window.gcTime()), nanos(window.throttled()));
        }

        private static OptionalLong nanos(Optional<Duration> time) {
            return time.isPresent() ? OptionalLong.of(time.get().toNanos()) : OptionalLong.empty();
        }
    }

    /**
     * Predictions for a pool at other sizes.
     *
     * @param size the present size
     * @param recommendedSize the size that is large enough; empty when none can be recommended
     * @param points one per size, smallest size first, not of every size
     */
    record Curve(int size, OptionalInt recommendedSize, List<Point> points) {

        /** Copies the points. */
        public Curve {
            points = List.copyOf(points);
        }
    }

    /**
     * The prediction for one size.
     *
     * @param size workers
     * @param low the lower end of the interval of the throughput
     * @param high the upper end of it; both ends are the throughput where the error is unknown
     */
    record Point(int size, double throughput, double low, double high, long serviceNanos) {}

    /**
     * News of a finding: it was raised, has changed, or is over.
     *
     * @param why why it ended, in plain words; empty unless the change is {@link Change#ENDED}
     * @param id which diagnosis, as {@code cpu-saturated}
     * @param severity the name of the {@code Severity}: {@code INFO}, {@code WARNING} or {@code CRITICAL}; readers must
     *     expect names that they do not know
     * @param sinceNanos when it was first seen, in nanoseconds since 1970
     * @param summary the cause with its decisive numbers, one sentence
     * @param evidence the numbers by name as text, in the best reading order, without stack
     * @param stack the decisive stack, top first, one line per frame; empty when there is none
     * @param holder the thread that holds the lock; empty when there is none, or it is unknown
     * @param recommendedSize the number of workers that the pool should have, where the advice is a size
     * @param sizeLow the smallest size that is as good, as far as one can tell
     * @param sizeHigh the largest such size
     */
    record FindingChange(
            long startNanos,
            String pool,
            Change change,
            String why,
            String id,
            String severity,
            long sinceNanos,
            String summary,
            String advice,
            Map<String, String> evidence,
            List<String> stack,
            String holder,
            OptionalInt recommendedSize,
            OptionalInt sizeLow,
            OptionalInt sizeHigh)
            implements Observation {
        /** Copies evidence and stack. */
        public FindingChange {
            evidence = Collections.unmodifiableMap(new LinkedHashMap<>(evidence));
            stack = List.copyOf(stack);
        }

        /** Name of the evidence with the smallest size that is as good as the recommended one. */
        public static final String SIZE_LOW = "sizeLow";

        /** Name of the evidence with the largest such size. */
        public static final String SIZE_HIGH = "sizeHigh";

        /** The evidence with a stack; that of a lock's holder comes first, because the cure is there. */
        private static final List<String> STACKS = List.of("ownerStack", "stack");

        /**
         * {@return news of a finding with such parts} Values of the evidence become text; what cannot be written
         * becomes the name of its failure.
         */
        public static FindingChange of(
                long nanos,
                Change change,
                String why,
                String pool,
                String id,
                Enum<?> severity,
                Instant since,
                String summary,
                String advice,
                Map<String, Object> evidence,
                OptionalInt recommendedSize) {
            Map<String, String> numbers = new LinkedHashMap<>();
            for (Map.Entry<String, Object> each : evidence.entrySet()) {
                if (!STACKS.contains(each.getKey())) {
                    numbers.put(each.getKey(), text(each.getValue()));
                }
            }
            return new FindingChange(
                    nanos,
                    pool,
                    change,
                    why,
                    id,
                    severity.name(),
                    nanos(since),
                    summary,
                    advice,
                    numbers,
                    stack(evidence),
                    numbers.getOrDefault("owner", ""),
                    recommendedSize,
                    size(evidence, SIZE_LOW),
                    size(evidence, SIZE_HIGH));
        }

        /** {@return the decisive stack in the evidence of a finding, top first; empty when there is none} */
        public static List<String> stack(Map<String, Object> evidence) {
            for (String name : STACKS) {
                if (evidence.get(name) instanceof List<?> lines && !lines.isEmpty()) {
                    List<String> texts = new ArrayList<>(lines.size());
                    for (Object line : lines) {
                        texts.add(text(line));
                    }
                    return List.copyOf(texts);
                }
            }
            return List.of();
        }

        private static OptionalInt size(Map<String, Object> evidence, String name) {
            return evidence.get(name) instanceof Integer size ? OptionalInt.of(size) : OptionalInt.empty();
        }

        /** A value of a user's class may throw, which must not cost the observation. */
        private static String text(@Nullable Object value) {
            if (value instanceof Duration time) {
                return Units.time(time);
            }
            try {
                return String.valueOf(value);
            } catch (RuntimeException e) {
                return "(" + e.getClass().getName() + ")";
            }
        }
    }

    /** What happened to a finding. */
    enum Change {
        /** It is shown from now on. */
        RAISED,
        /** It still holds, with newer numbers, or has become more severe. */
        UPDATED,
        /** Its rule has seen that all is well. */
        RESOLVED,
        /** It is no longer shown, although it was not seen that its cause is gone. */
        ENDED
    }
}
