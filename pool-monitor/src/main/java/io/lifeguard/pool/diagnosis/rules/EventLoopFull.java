package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks.Fill;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks.Loop;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Units;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Finds event loops that many short handlers and tasks fill, so that events wait for their turn. Stateless,
 * thread-safe.
 *
 * <p><b>Formula.</b> A loop is busy for a share {@code b} of the time in which it could have had a CPU, and waits for
 * events {@code n} times a second. So it works for {@code b / n} seconds on average until it waits again. In a queue
 * with random arrivals and random lengths of work (M/M/1; Kleinrock, <i>Queueing Systems</i> I, 1975, section 3.2) one
 * event in a hundred then waits for {@code b / n × ln(100 b)} or longer. That is the lag at p99. Only the loop's own
 * CPU time counts, so neither pauses of the collector nor compilers are lag. A loop that waits less than once a second
 * has no known lag. It is full.
 *
 * <p><b>Window.</b> The latest 3 to 5 s, not before the loop is 3 s old. Found in two windows.
 *
 * <p><b>Thresholds.</b> Busy for 90 % of the time: at less, a queue with random arrivals is short. A lag of 100 ms is
 * what people notice, and what Pekko's detector of starvation warns of.
 *
 * <p><b>Closest healthy workload.</b> A loop that is busy for 95 % of the time with handlers of 0.2 ms: its events wait
 * for 20 ms.
 *
 * <p>Loops that one handler holds up belong to {@link EventLoopBlocked}. Threads of a dispatcher share their work, and
 * may compute.
 */
public final class EventLoopFull extends EventLoopRule {

    static final String ID = "event-loop-full";

    /** Share of the time in which an event loop had work to do; at less, a queue with random arrivals is short. */
    private static final double BUSY = 0.9;

    static final Threshold LAG =
            new Threshold(ID + ".lag", 0.1, "seconds for which one event in a hundred waits; people notice 100 ms");

    /**
     * Waits a second, with fewer of which a loop is full and its lag is unknown; they may be for other things than
     * events.
     */
    private static final double WAITS = 1;

    /** Share of the CPUs that the process uses, 0 to 1, from which on more event loops are of no use. */
    private static final double FULL = 0.9;

    private static final int ONE_IN = 100; // events: the lag is that of the 99th percentile
    private static final int MOST_PARTS = 4; // in a text: a sentence with more is not read

    public EventLoopFull() {
        super(ID, LAG);
    }

    @Override
    Verdict examine(PoolWindow window, EventLoopLooks looks) {
        List<Loop> full = looks.shared()
                ? List.of()
                : looks.loops().stream().filter(loop -> isFull(window, loop)).toList();
        if (!full.isEmpty()) {
            return Verdict.found(finding(window, looks, full));
        }
        boolean isKnown = looks.shared()
                || looks.loops().stream().anyMatch(loop -> loop.fill().isPresent());
        return isKnown ? Verdict.clear() : Verdict.unknown("how full the event loops are");
    }

    private static boolean isFull(PoolWindow window, Loop loop) {
        if (loop.fill().isEmpty() || loop.held() >= window.threshold(EventLoopBlocked.LOOKS) * loop.looks()) {
            return false;
        }
        Fill fill = loop.fill().get();
        if (fill.busy() < BUSY) {
            return false;
        }
        return fill.waits().isEmpty()
                || fill.waits().getAsDouble() < WAITS
                || lag(fill).orElse(0) >= window.threshold(LAG);
    }

    /** {@return for how many seconds one event in a hundred waits; empty when it is unknown} */
    private static OptionalDouble lag(Fill fill) {
        double waits = fill.waits().orElse(0);
        return waits < WAITS
                ? OptionalDouble.empty()
                : OptionalDouble.of(fill.busy() / waits * Math.log(ONE_IN * fill.busy()));
    }

    private static double busy(Loop loop) {
        return loop.fill().map(Fill::busy).orElse(0.0);
    }

    private static Finding finding(PoolWindow window, EventLoopLooks looks, List<Loop> full) {
        Loop worst = full.stream()
                .max(Comparator.comparingDouble(EventLoopFull::busy))
                .orElseThrow();
        Fill fill = worst.fill().orElseThrow();
        OptionalDouble lag = lag(fill);
        Map<String, Double> parts = parts(full);
        Finding.Builder finding = Finding.of(ID, window)
                .severity(Severity.WARNING)
                .summary(
                        "%s %s at work %s of the time: %s; %s",
                        subject(window, looks, full),
                        full.size() == 1 ? "is" : "are",
                        Units.percent(fill.busy()),
                        lag.isPresent()
                                ? "one event in a hundred waits for about " + Units.time(lag.getAsDouble())
                                : wait(fill),
                        parts.isEmpty() ? "no handler was seen, so the work is the framework's own" : text(parts))
                .advice(advice(window))
                .evidence("eventLoop", worst.thread())
                .evidence("eventLoops", looks.loops().size())
                .evidence("full", full.size())
                .evidence("busyShare", fill.busy())
                .evidence("parts", parts.isEmpty() ? "" : text(parts));
        lag.ifPresent(seconds -> finding.evidence("lagP99", Units.twoDigits(seconds)));
        fill.waits().ifPresent(waits -> finding.evidence("waitsPerSecond", Units.twoDigits(waits)));
        parts.keySet().stream().findFirst().ifPresent(part -> finding.place(part));
        return finding.build();
    }

    private static String wait(Fill fill) {
        return fill.waits().isEmpty()
                ? "for how long events wait is unknown, because the system does not say how often the loop waits"
                : "it hardly ever waits for events, so these queue, and for how long is unknown";
    }

    /** What fills the loops, on average, the largest part first. */
    private static Map<String, Double> parts(List<Loop> full) {
        Map<String, Double> sums = full.stream()
                .flatMap(loop -> loop.fill().stream())
                .flatMap(fill -> fill.parts().entrySet().stream())
                .collect(Collectors.groupingBy(Map.Entry::getKey, Collectors.summingDouble(Map.Entry::getValue)));
        return sums.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_PARTS)
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        part -> part.getValue() / full.size(),
                        (one, other) -> one,
                        LinkedHashMap::new));
    }

    private static String text(Map<String, Double> parts) {
        return parts.entrySet().stream()
                .map(part -> Units.percent(part.getValue()) + " of it is " + part.getKey())
                .collect(Collectors.joining(", "));
    }

    private static String advice(PoolWindow window) {
        boolean isMachineFull = window.process().cpu().isPresent()
                && window.process().cpu().getAsDouble()
                        >= FULL * window.process().cores();
        return isMachineFull
                ? "Do less for each event: the CPUs are full, so neither more event loops nor a pool would help."
                : "Give the largest part to a pool of its own (executeBlocking, publishOn, a bounded instrumented"
                        + " pool), or spread the connections over more event loops.";
    }
}
