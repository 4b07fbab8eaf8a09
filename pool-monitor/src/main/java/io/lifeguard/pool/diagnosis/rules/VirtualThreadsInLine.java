package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.PoolWindow.Subject;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Kind;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Stopped;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds executors without a limit in which many virtual threads wait for the same connection pool, semaphore, lock or
 * monitor. Stateless.
 *
 * <p><b>Formula.</b> At each look in the window at least 20 threads waited for it, and five times as many as it serves
 * at a time (where that is unknown: as there are other threads). At the rate at which tasks end, the last of them waits
 * for {@code virtual-threads-in-line.wait} seconds or longer.
 *
 * <p><b>Standstill.</b> At least 20 threads wait for it, or for a result or for room in a queue, as many more have
 * begun, and for 4 s, and for twice as long as a task takes on average, no task has ended. Then no limit is
 * recommended.
 *
 * <p><b>Limit.</b> The threads that do not wait in this queue, {@code b} on average, are all that gets on. {@code b + 2
 * sqrt(b)} threads keep them so busy that the queue is hardly ever empty: the square-root rule of staffing (Halfin and
 * Whitt, 1981). Few looks may show too few of them by chance, which would cost throughput. So b is the mean of n looks
 * plus {@code 2 sqrt(b / n)}, two standard errors of a Poisson number, and at least the capacity, where that is known.
 *
 * <p><b>Window.</b> The latest one.
 *
 * <p><b>Threshold.</b> 20 threads, 5 times, 0.1 s. A service at 95 % of what ten permits allow has 19 waiting on
 * average, twice as many as are served, and for 40 ms at 500 tasks a second (M/M/10). Sick ones have 490 behind 10
 * connections.
 *
 * <p><b>Closest healthy workload.</b> A burst that comes once a second and drains; thousands of threads that wait for
 * messages or results, which is no queue for something limited. Where all threads of an executor wait for permits of
 * one semaphore, no task ends and none begins, it is unknown whether permits are lost or signal that there is work.
 * While carriers are starved, threads queue for whatever a thread without a carrier holds.
 */
public final class VirtualThreadsInLine extends StandardRule {

    static final String ID = "virtual-threads-in-line";

    private static final double THREADS = 20; // threads that wait for one thing at each look; 19 at 95 % of ten permits

    /** Waiting threads for each one that is served; 2 at 95 % of ten permits, 49 when sick. */
    private static final double TIMES = 5;

    static final Threshold WAIT =
            new Threshold(ID + ".wait", 0.1, "seconds that the last one in line waits; 0.04 at 95 % of ten permits");

    /**
     * Seconds that the last one in line would wait at the present rate, from which on no task counts as ended; a
     * judgement: longer than any client waits.
     */
    private static final double STILL = 60;

    /** Seconds in which more threads come and none gets what it waits for, as in a pool. */
    private static final double STOPPED = 4;

    private static final Verdict SIGNAL = Verdict.unknown("who holds the permits that all threads wait for");

    private static final Verdict STARVED = Verdict.unknown(
            "what threads would wait for if they had carriers: whoever holds it may wait for a carrier");

    public VirtualThreadsInLine() {
        super(ID, WAIT);
    }

    @Override
    public Subject examines() {
        return Subject.VIRTUAL_THREADS;
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (window.seen(CarrierLooks.class).isEmpty()) {
            return Verdict.unknown("what virtual threads wait for");
        }
        if (CarriersStarved.areStarved(window)) {
            return STARVED;
        }
        Optional<WaitingThreads> stopped = window.waitingThreads().stream()
                .filter(VirtualThreadsInLine::isStopped)
                .max(Comparator.comparingInt(WaitingThreads::waiting));
        if (stopped.isPresent()) {
            return Verdict.found(standstill(window, stopped.get()));
        }
        List<WaitingThreads> queues = window.waitingThreads().stream()
                .filter(line -> line.kind() != Kind.ROOM && line.kind() != Kind.RESULT && isQueue(window, line))
                .toList();
        Optional<WaitingThreads> worst = queues.stream()
                .filter(line -> !mayWaitForSignal(line))
                .max(Comparator.comparingInt(WaitingThreads::waiting));
        Verdict otherwise = queues.isEmpty() ? Verdict.clear() : SIGNAL;
        return worst.map(line -> Verdict.found(finding(window, line))).orElse(otherwise);
    }

    /** Whether more and more threads wait, and none has got what it waits for. */
    private static boolean isStopped(WaitingThreads line) {
        return line.stopped()
                .filter(stopped -> line.waiting() >= THREADS
                        && stopped.begun() >= THREADS
                        && stopped.length().toNanos() / 1e9 >= STOPPED)
                .isPresent();
    }

    private static Finding standstill(PoolWindow window, WaitingThreads line) {
        Stopped stopped = line.stopped().orElseThrow();
        return Finding.of(ID, window)
                .severity(Severity.CRITICAL)
                .summary(
                        "nothing moves: %s%s wait for %s at %s%s; none of them has got it for %s, while %s more came",
                        Counted.of(line.waiting(), "virtual thread"),
                        line.executor().isEmpty() ? "" : " of " + line.executor(),
                        what(line),
                        line.place(),
                        line.holder().isEmpty() ? "" : ", held by thread " + line.holder(),
                        Units.time(stopped.length()),
                        stopped.begun())
                .advice(remedy(line))
                .evidence("executor", line.executor())
                .evidence("waiting", line.waiting())
                .evidence("kind", line.kind().name())
                .evidence("object", line.object())
                .place(line.place())
                .evidence("others", Math.round(line.elsewhere()))
                .evidence("begun", stopped.begun())
                .evidence("standsStillFor", stopped.length())
                .stack(line.stack().stream().limit(16).toList())
                .build();
    }

    private static String remedy(WaitingThreads line) {
        return switch (line.kind()) {
            case PERMIT ->
                line.elsewhere() < 1
                        ? "No other thread is left that could have a permit, so permits were lost: release each in a"
                                + " finally block. Restart the process."
                        : "Look at the other threads: whoever has the permits gives none back. Release each in a"
                                + " finally block.";
            case CONNECTION ->
                "Look for what does not give it back: close each in try-with-resources, and let no holder wait for a"
                        + " second one.";
            case ROOM -> "Nobody takes from the queue: look for the thread that should.";
            case RESULT ->
                "Nobody brings what they wait for: look at the threads that should, and give the wait a time limit.";
            case LOCK, MONITOR -> "Look at the holder: it does not give the lock back.";
        };
    }

    /**
     * Whether no thread was seen that could hold a permit: consumers wait like this for a semaphore that says that
     * there is work.
     */
    private static boolean mayWaitForSignal(WaitingThreads line) {
        return line.kind() == Kind.PERMIT
                && line.elsewhere() < 1
                && (line.executor().isEmpty() || isStill(line));
    }

    private static boolean isStill(WaitingThreads line) {
        return seconds(line) > STILL;
    }

    private static double seconds(WaitingThreads line) {
        return line.waitTime().toNanos() / 1e9;
    }

    private static boolean isQueue(PoolWindow window, WaitingThreads line) {
        double served = line.capacity().isPresent() ? line.capacity().getAsInt() : Math.max(1, line.elsewhere());
        return line.waiting() >= THREADS && line.waiting() >= TIMES * served && seconds(line) >= window.threshold(WAIT);
    }

    /** {@return how many threads are enough to keep what is served as busy as it is} */
    static int enough(WaitingThreads line) {
        double seen = line.elsewhere() + 2 * Math.sqrt(line.elsewhere() / Math.max(1, line.looks()));
        double served = Math.max(line.capacity().orElse(1), seen);
        return (int) Math.ceil(served + 2 * Math.sqrt(served));
    }

    private static Finding finding(PoolWindow window, WaitingThreads line) {
        int limit = enough(line);
        boolean isStill = isStill(line) || line.stopped().isPresent();
        Finding.Builder finding = Finding.of(ID, window)
                .severity(Severity.WARNING)
                .summary(
                        "%s%s wait for %s at %s%s; %s",
                        Counted.of(line.waiting(), "virtual thread"),
                        line.executor().isEmpty() ? "" : " of " + line.executor(),
                        what(line),
                        line.place(),
                        line.holder().isEmpty() ? "" : ", held by thread " + line.holder(),
                        lasts(line, isStill))
                .advice(
                        "%s",
                        isStill
                                ? remedy(line)
                                : Units.format(
                                        "%s More threads gain nothing: %s would do as much. Bound them, so that the rest"
                                                + " waits as tasks: %s.",
                                        advice(line.kind()),
                                        Counted.of(limit, "thread"),
                                        bound(line.executor(), limit)))
                .evidence("executor", line.executor())
                .evidence("waiting", line.waiting())
                .evidence("kind", line.kind().name())
                .evidence("object", line.object())
                .place(line.place())
                .evidence("others", Math.round(line.elsewhere()))
                .stack(line.stack().stream().limit(16).toList());
        if (!isStill) {
            finding.evidence("limit", limit);
            finding.evidence("wait", line.waitTime());
        }
        line.capacity().ifPresent(capacity -> finding.evidence("capacity", capacity));
        line.inUse().ifPresent(inUse -> finding.evidence("inUse", inUse));
        if (!line.holder().isEmpty()) {
            finding.evidence("holder", line.holder());
        }
        return finding.build();
    }

    private static String lasts(WaitingThreads line, boolean isStill) {
        if (line.executor().isEmpty()) {
            return "two looks " + Units.time(line.waitTime()) + " apart show that";
        }
        return isStill ? "no task has ended meanwhile" : "the last one waits for " + Units.time(line.waitTime());
    }

    private static String what(WaitingThreads line) {
        return switch (line.kind()) {
            case CONNECTION ->
                line.inUse().isPresent() && line.capacity().isPresent()
                        ? "%s (%d of %d in use)"
                                .formatted(
                                        line.object(),
                                        line.inUse().getAsInt(),
                                        line.capacity().getAsInt())
                        : line.object();
            case PERMIT -> "a permit of " + line.object();
            case LOCK -> line.object().startsWith("a ") ? line.object() : "lock " + line.object();
            case MONITOR, ROOM, RESULT -> line.object();
        };
    }

    /** What the reader types: the key of an executor that has one, otherwise code. */
    private static String bound(String executor, int limit) {
        return Neighbours.settingOf(executor)
                .map(setting -> setting.size() + "=" + limit)
                .orElseGet(() -> Units.format(
                        "InstrumentedVirtualThreadExecutor.named(\"%s\").limit(%d)",
                        executor.isEmpty() ? "…" : executor, limit));
    }

    private static String advice(Kind kind) {
        return switch (kind) {
            case CONNECTION -> "Have more connections only if the server behind them can do more.";
            case PERMIT -> "Have more permits only if what they protect can do more.";
            case LOCK, MONITOR -> "Hold the lock for a shorter time, and not during a call.";
            case ROOM, RESULT ->
                throw new IllegalArgumentException("no queue for something limited (was " + kind + ")");
        };
    }
}
