package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Units;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Finds queues that grow, because more tasks come than go, until they are full or the memory is. Stateless,
 * thread-safe.
 *
 * <p><b>Formula.</b> r = growth of the queue ÷ time. The queue is full in free places ÷ r, and the memory is used up in
 * free heap ÷ (r × bytes per task). The growth must be more than chance: random arrivals and departures differ by
 * √(arrivals + departures), and four times that happens once in 30,000. The workers are busy for at least 90 % of the
 * time, because idle ones would shorten the queue. A queue without free places is full, or beyond its capacity where
 * pools submit to each other. Critical when the memory is used up within ten minutes.
 *
 * <p><b>Window.</b> The last 2 s, in 80 % of whose windows the queue has grown, and in the latest in any case. Growth
 * that is too slow to be told from chance in that time is looked for in the last 5 s: growth adds up, and chance only
 * with its root. Where tasks are not counted, the queue must have grown in each of the last ten windows.
 *
 * <p><b>Thresholds.</b> 4 standard deviations of a Poisson difference. 1,000 bytes per queued task are a guess: a small
 * task with a small object it works on. Ten minutes are what somebody who is called needs to come: judgement, as are
 * the 90 %.
 *
 * <p><b>Closest healthy workload.</b> A burst that drains: it grows for a moment and shrinks for longer.
 */
public final class QueueGrowing extends StandardRule {

    static final String ID = "queue-growing";

    /** Growth ÷ √(arrivals + departures), which is what chance makes; 4 is once in 30,000. */
    private static final double DEVIATIONS = 4;

    static final Threshold BYTES_PER_TASK = new Threshold(
            ID + ".bytesPerTask", 1000, "heap that a waiting task keeps, in bytes; a guess, so set your own");

    private static final Duration RECENT = Duration.ofSeconds(2);
    private static final Duration LONGER = Duration.ofSeconds(5);
    /** Share of the windows in which the queue has grown, 0 to 1; a burst grows in fewer. */
    private static final double WINDOWS = 0.8;
    /** Windows in a row with growth, where tasks are not counted; chance does so once in a thousand times. */
    private static final int UNCOUNTED_WINDOWS = 10;
    /** Share of the workers' time that is busy, 0 to 1; idle workers would shorten the queue. */
    private static final double BUSY = 0.9;

    static final Threshold CRITICAL_SECONDS = new Threshold(
            ID + ".criticalSeconds",
            600,
            "seconds until the memory is used up, below which the finding is critical; what somebody who is called"
                    + " needs to come");

    public QueueGrowing() {
        super(ID, BYTES_PER_TASK, CRITICAL_SECONDS);
    }

    @Override
    public Verdict examine(PoolWindow latest) {
        if (!latest.countsQueue()) {
            return UNKNOWN_QUEUE;
        }
        if (!latest.countsTasks()) {
            return uncounted(latest);
        }
        Optional<PoolWindow> recent = grown(latest, RECENT);
        Optional<PoolWindow> window = recent.isPresent() ? recent : grown(latest, LONGER);
        return window.isPresent() ? Verdict.found(finding(latest, window.get())) : Verdict.clear();
    }

    /** Chance makes a queue grow in one window in two. */
    private static boolean hasGrownInAll(PoolWindow latest) {
        return latest.windows() >= UNCOUNTED_WINDOWS && windowsGrown(latest, UNCOUNTED_WINDOWS) == UNCOUNTED_WINDOWS;
    }

    private static Verdict uncounted(PoolWindow latest) {
        if (growth(latest) <= 0) {
            return Verdict.clear();
        }
        PoolWindow window = latest.last(UNCOUNTED_WINDOWS);
        return hasGrownInAll(latest) && window.utilisation() >= BUSY
                ? Verdict.found(finding(latest, window))
                : Verdict.unknown("how many tasks come and go");
    }

    private static Optional<PoolWindow> grown(PoolWindow latest, Duration time) {
        PoolWindow window = latest.last(time);
        int parts = 1 + latest.windows() - window.windows();
        boolean isLongEnough = window.lasts(time.toNanos() / 1e9);
        if (!isLongEnough || growth(latest) <= 0 || windowsGrown(latest, parts) < WINDOWS * parts) {
            return Optional.empty();
        }
        double chance = Math.sqrt((double) Math.max(growth(window), window.submitted() + window.completed()));
        return growth(window) >= DEVIATIONS * chance && window.utilisation() >= BUSY
                ? Optional.of(window)
                : Optional.empty();
    }

    private static Finding finding(PoolWindow latest, PoolWindow window) {
        double rate = growth(window) / window.seconds();
        Flow flow = Flow.of(window);
        boolean unbounded = window.isQueueUnbounded();
        OptionalDouble left = secondsLeft(latest, window, rate);
        boolean isSoon = left.isPresent() && left.getAsDouble() < window.threshold(CRITICAL_SECONDS);
        Finding.Builder finding = Finding.of(ID, latest)
                .severity(unbounded && isSoon ? Severity.CRITICAL : Severity.WARNING)
                .summary(
                        "%s more tasks/s come into the queue than leave it%s: the queue has grown from %,d to %,d in"
                                + " %s; %s",
                        flow.text(flow.more()),
                        window.countsTasks()
                                ? Units.format(
                                        " (%s in, %s out)", flow.text(flow.in()), flow.text(flow.in() - flow.more()))
                                : "",
                        window.before().queued(),
                        window.after().queued(),
                        Units.time(window.length()),
                        end(window, left))
                .advice(
                        unbounded
                                ? "Bound the queue and let submitters wait (BlockingWaitPolicy), so that"
                                        + " they slow down. Other findings say whether more workers would help."
                                : "Find out why tasks take so long (see other findings), or submit fewer. When the"
                                        + " queue is full, the saturation policy decides what happens.")
                .evidence("growthPerSecond", rate)
                .evidence("queued", window.after().queued());
        if (unbounded || !isBeyondCapacity(window)) { // otherwise the capacity is unknown
            finding.evidence("queueCapacity", unbounded ? "unbounded" : (Object) window.queueCapacity());
        }
        if (unbounded) {
            finding.changesQueue().changesSaturation();
        }
        if (left.isPresent()) {
            finding.evidence("secondsLeft", left.getAsDouble());
        }
        finding.evidence("oldestQueued", window.after().load().oldestQueued())
                .evidence("utilisation", window.utilisation());
        if (window.countsTasks()) {
            double in = arrivals(window, rate);
            finding.evidence("arrivalsPerSecond", in).evidence("departuresPerSecond", in - rate);
        }
        return finding.build();
    }

    /** Until the queue is full, or the heap; empty where the free heap is unknown. */
    private static OptionalDouble secondsLeft(PoolWindow latest, PoolWindow window, double rate) {
        if (!window.isQueueUnbounded()) {
            int free = window.after().limits().queueRemaining();
            return free == 0 ? OptionalDouble.empty() : OptionalDouble.of(free / rate);
        }
        OptionalLong free = latest.freeHeap();
        return free.isPresent()
                ? OptionalDouble.of(free.getAsLong() / (rate * window.threshold(BYTES_PER_TASK)))
                : OptionalDouble.empty();
    }

    private static String end(PoolWindow window, OptionalDouble left) {
        if (left.isEmpty()) {
            return window.isQueueUnbounded() ? "it has no bound" : full(window);
        }
        String time = Units.time(left.getAsDouble());
        return window.isQueueUnbounded()
                ? Units.format(
                        "it has no bound, and the free heap is used up in about %s if a waiting task keeps %,.0f bytes",
                        time, window.threshold(BYTES_PER_TASK))
                : Units.format("it is full in about %s", time);
    }

    private static String full(PoolWindow window) {
        return isBeyondCapacity(window)
                ? "it is full, and grows beyond its capacity, because pools submit to each other"
                : "it is full";
    }

    /** Only a worker that closes a cycle of pools may enqueue a task in a full queue. */
    private static boolean isBeyondCapacity(PoolWindow window) {
        return window.before().limits().queueRemaining() == 0;
    }

    /**
     * What came into the queue and what it has grown by, per second, both rounded alike, so that what left it is the
     * difference of what is said. That is what workers took: what they completed is less while they are still at it.
     */
    private record Flow(double in, double more, int decimals) {

        static Flow of(PoolWindow window) {
            double more = growth(window) / window.seconds();
            double in = arrivals(window, more);
            int decimals = Units.decimals(in);
            return new Flow(round(in, decimals), round(more, decimals), decimals);
        }

        private static double round(double number, int decimals) {
            return BigDecimal.valueOf(number)
                    .setScale(decimals, RoundingMode.HALF_UP)
                    .doubleValue();
        }

        String text(double perSecond) {
            return Units.number(perSecond, decimals);
        }
    }

    /** No fewer than the queue has grown by: both were read one after the other. */
    private static double arrivals(PoolWindow window, double growth) {
        return Math.max(window.arrivalRate(), growth);
    }

    private static long growth(PoolWindow window) {
        return (long) window.after().queued() - window.before().queued();
    }

    private static int windowsGrown(PoolWindow latest, int windows) {
        int grown = 0;
        for (PoolWindow each : latest.parts(windows)) {
            grown += growth(each) > 0 ? 1 : 0;
        }
        return grown;
    }
}
