package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.sizing.ServiceCurve;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.Curve;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.Flow;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.Point;
import io.lifeguard.pool.recording.Observation.Process;
import io.lifeguard.pool.recording.Observation.Times;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Recorder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;

/** Records the windows of one monitor and its findings. Confined to the monitor's thread. */
final class RoundRecorder implements FindingListener {

    /** A finding that changes in its numbers only is recorded again after ten seconds; its first stack at once. */
    private static final long REPEAT_NANOS = 10_000_000_000L;

    /**
     * A curve costs as much as a few rules, so a pool's curve is recorded once in ten seconds, and when another
     * bottleneck is decided: a picture shows a curve only beside the bottleneck that it is about. The first one comes
     * after ten seconds, because a young JVM has to load sixty classes for it.
     */
    private static final long CURVE_NANOS = 10_000_000_000L;

    private final Recorder recorder;
    private final MonitorClock clock;
    private final Map<List<String>, Told> told = new HashMap<>(); // findings that stand, by pool and id
    private final Map<String, Long> first = new HashMap<>(); // when a pool's window was recorded first
    private final Map<String, Drawn> curves = new HashMap<>(); // a pool's curve that was recorded last

    RoundRecorder(Recorder recorder, MonitorClock clock) {
        this.recorder = recorder;
        this.clock = clock;
    }

    Recorder recorder() {
        return recorder;
    }

    /** A round begins. A flight recording that has just begun gets all findings that stand. */
    void advance() {
        if (recorder.advance(clock.nanoTime(), clock.now())) {
            curves.clear();
            told.values().forEach(one -> recorder.recordLive(change(one.finding, Change.UPDATED, "")));
        }
    }

    void forget(String pool) {
        first.remove(pool);
        curves.remove(pool);
    }

    // ---- windows ----

    /**
     * Records a window.
     *
     * @param withCurve whether to predict from it, which needs a window that was good enough to be judged
     * @param blind why the workers are unknown; empty if they are known
     */
    void window(PoolWindow window, boolean withCurve, String blind) {
        PoolSnapshot after = window.after();
        long length = window.length().toNanos();
        recorder.record(new WindowSummary(
                recorder.epochNanos(after.nanoTime()) - length,
                length,
                window.pool(),
                load(window),
                window.countsTasks()
                        ? Optional.of(new Flow(
                                window.submitted(),
                                window.completed(),
                                window.failed(),
                                window.rejected(),
                                window.callerRuns()))
                        : Optional.empty(),
                times(window.before().queueWait(), after.queueWait()),
                times(window.before().serviceTime(), after.serviceTime()),
                WindowSummary.shares(window.breakdown()),
                window.bottleneck().name(),
                process(window.process()),
                withCurve ? curve(window) : Optional.empty(),
                blind));
    }

    static OptionalInt queued(PoolSnapshot now) {
        return now.countsQueue() ? OptionalInt.of(now.queued()) : OptionalInt.empty();
    }

    private static Load load(PoolWindow window) {
        PoolSnapshot after = window.after();
        int core = after.limits().coreSize();
        int maximum = after.limits().maximumSize();
        return new Load(
                after.size(),
                after.active(),
                OptionalInt.of(core),
                maximum == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(maximum),
                queued(after),
                window.isQueueUnbounded() ? OptionalInt.empty() : OptionalInt.of(window.queueCapacity()));
    }

    private static Optional<Times> times(Distribution before, Distribution after) {
        if (!before.isKnown() || !after.isKnown()) {
            return Optional.empty();
        }
        Distribution now = after.since(before);
        boolean isEmpty = now.count() == 0;
        return Optional.of(new Times(
                now.count(),
                isEmpty
                        ? OptionalLong.empty()
                        : OptionalLong.of(now.percentile(0.5).toNanos()),
                isEmpty
                        ? OptionalLong.empty()
                        : OptionalLong.of(now.percentile(0.99).toNanos())));
    }

    /**
     * The CPU time of others is what the machine used, less what this process used. In a container with a quota it is
     * unknown how many CPUs the machine has.
     */
    static Process process(ProcessWindow process) {
        int processors = Runtime.getRuntime().availableProcessors();
        boolean isKnown = process.cpu().isPresent() && process.machineBusy().isPresent();
        OptionalDouble others = isKnown && process.cores() == processors
                ? OptionalDouble.of(Math.max(
                        0, process.machineBusy().getAsDouble() - process.cpu().getAsDouble() / processors))
                : OptionalDouble.empty();
        return Process.of(process, others);
    }

    // ---- curves ----

    private Optional<Curve> curve(PoolWindow window) {
        long now = clock.nanoTime();
        first.putIfAbsent(window.pool(), now);
        if (now - first.getOrDefault(window.pool(), now) < CURVE_NANOS) {
            return Optional.empty();
        }
        Drawn before = curves.get(window.pool());
        boolean isKnown = before != null
                && now - before.nanos() < CURVE_NANOS
                && (before.bottleneck() == window.bottleneck() || window.bottleneck() == Bottleneck.UNKNOWN);
        if (window.completed() == 0 || isKnown) {
            return Optional.empty();
        }
        Optional<Sizing> sizing = Sizing.of(window);
        sizing.ifPresent(known -> curves.put(window.pool(), new Drawn(window.bottleneck(), now)));
        return sizing.map(known -> curve(window, known));
    }

    private static Curve curve(PoolWindow window, Sizing sizing) {
        boolean hasSize = Sizing.whyNone(window).isEmpty();
        int size = Math.max(1, Math.min(ServiceCurve.LARGEST_SIZE, sizing.workers()));
        List<ServiceCurve> ends = sizing.interval();
        return new Curve(
                size,
                hasSize ? OptionalInt.of(sizing.recommendedSize()) : OptionalInt.empty(),
                sizes(size, Math.max(1, Math.min(sizing.recommendedSize(), ServiceCurve.LARGEST_SIZE))).stream()
                        .map(workers -> point(workers, sizing.curve(), ends))
                        .toList());
    }

    /** Every size up to 4, then four sizes for each doubling, to beyond twice the larger of both sizes. */
    private static SortedSet<Integer> sizes(int size, int recommended) {
        int most = Math.min(ServiceCurve.LARGEST_SIZE, 2 * Math.max(8, Math.max(size, recommended)));
        SortedSet<Integer> sizes = new TreeSet<>(List.of(size, recommended, most));
        for (double each = 1; each <= most; each = Math.max(each + 1, each * Math.pow(2, 0.25))) {
            sizes.add((int) Math.round(each));
        }
        return sizes;
    }

    private static Point point(int workers, ServiceCurve curve, List<ServiceCurve> ends) {
        ServiceCurve.Point expected = curve.at(workers);
        double low = expected.throughput();
        double high = low;
        for (ServiceCurve end : ends) {
            double throughput = end.at(workers).throughput();
            low = Math.min(low, throughput);
            high = Math.max(high, throughput);
        }
        return new Point(workers, expected.throughput(), low, high, Math.round(expected.serviceTime() * 1e9));
    }

    // ---- findings ----

    @Override
    public void raised(Finding finding) {
        tell(finding, Change.RAISED, "");
        remember(finding);
    }

    @Override
    public void updated(Finding finding) {
        Told before = told.get(key(finding));
        boolean isNews = before == null
                || before.finding.severity() != finding.severity()
                || !before.finding.recommendedSize().equals(finding.recommendedSize())
                || (before.finding.stack().isEmpty() && !finding.stack().isEmpty())
                || clock.nanoTime() - before.nanos >= REPEAT_NANOS;
        if (isNews) {
            tell(finding, Change.UPDATED, "");
            remember(finding);
        }
    }

    @Override
    public void resolved(Finding finding) {
        told.remove(key(finding));
        tell(finding, Change.RESOLVED, "");
    }

    @Override
    public void ended(Finding finding, String why) {
        told.remove(key(finding));
        tell(finding, Change.ENDED, why);
    }

    private void remember(Finding finding) {
        told.put(key(finding), new Told(finding, clock.nanoTime()));
    }

    private void tell(Finding finding, Change change, String why) {
        recorder.record(change(finding, change, why));
    }

    private FindingChange change(Finding finding, Change change, String why) {
        return FindingChange.of(
                recorder.epochNanos(clock.nanoTime()),
                change,
                why,
                finding.pool(),
                finding.id(),
                finding.severity(),
                finding.since(),
                finding.summary(),
                finding.advice(),
                finding.evidence(),
                finding.recommendedSize());
    }

    private static List<String> key(Finding finding) {
        return List.of(finding.pool(), finding.id());
    }

    /** When a curve was recorded, and what limited the pool then. */
    private record Drawn(Bottleneck bottleneck, long nanos) {}

    /** A finding as it was recorded last. */
    private record Told(Finding finding, long nanos) {}
}
