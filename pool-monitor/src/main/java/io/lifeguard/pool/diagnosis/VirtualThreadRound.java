package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.evidence.carrier.Carriers;
import io.lifeguard.pool.diagnosis.evidence.carrier.WaitingLines;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks;
import io.lifeguard.pool.diagnosis.window.PoolWindow.Subject;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.VirtualThreadLoad;
import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import io.lifeguard.pool.recording.Recorder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a round that is about virtual threads: their carriers, and what they wait for. Confined to the monitor's
 * thread, except {@link #findings}.
 */
final class VirtualThreadRound {

    /** In place of a pool's name. */
    static final String NAME = "virtual threads";

    /** Four looks in a usual window show whether a queue lasts. Each costs 0.1 ms for 500 threads or more. */
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(240);

    private final Engine engine;
    private final SubjectWindows windows;
    private final Carriers carriers;
    private @Nullable WaitingLines lines; // made for the first virtual threads, and so are the lanes
    private @Nullable VirtualThreadLanes lanes;
    private long lookedAt;
    private long windowBegan;
    private volatile @Nullable VirtualThreadLoad load; // of the latest window; written by the monitor's thread

    VirtualThreadRound(Engine engine) {
        this.engine = engine;
        this.windows = new SubjectWindows(NAME, engine);
        this.carriers = new Carriers(engine.clock());
        this.lookedAt = engine.clock().nanoTime();
        this.windowBegan = lookedAt;
    }

    /** {@return whether the next windows decide about a finding} */
    boolean isUndecided() {
        return windows.isUndecided();
    }

    /** {@return the raised findings} Any thread. */
    Stream<Finding> findings() {
        return windows.findings();
    }

    /** {@return what the latest window showed; empty while there are no virtual threads} Any thread. */
    Optional<VirtualThreadLoad> load() {
        return Optional.ofNullable(load);
    }

    /** Asks the scheduler how many virtual threads queue, and now and then the threads what they wait for. */
    void glance() {
        if (carriers.arePresent()
                && engine.rules().examine(Subject.VIRTUAL_THREADS)) { // otherwise no window would end what looks add up
            engine.guard().run(carriers, carriers::look);
            long now = engine.clock().nanoTime();
            WaitingLines known = lines();
            if (now - lookedAt >= BETWEEN_LOOKS_NANOS && !(known.areStill() && !isUndecided())) {
                lookedAt = now;
                engine.guard().run(known, () -> known.look(Pools.live()));
            }
        }
    }

    private WaitingLines lines() {
        WaitingLines known = lines;
        if (known == null) {
            Recorder to = engine.recorder().recorder();
            lanes = new VirtualThreadLanes(NAME, to::epochNanos, to::record);
            known = new WaitingLines(engine.clock());
            lines = known;
        }
        return known;
    }

    void make(Round round) {
        if (!Carriers.canExist()) {
            return;
        }
        if (!engine.rules().examine(Subject.VIRTUAL_THREADS)) {
            rest();
            return;
        }
        try {
            visit(round);
        } catch (Throwable e) {
            engine.guard().failed(windows, e);
        }
    }

    private void visit(Round round) {
        carriers.look();
        if (!carriers.arePresent()) {
            return;
        }
        double late = threshold(round, CarrierLooks.LATE);
        CarrierLooks looks =
                carriers.advance(Duration.ofNanos(Math.round(1e9 * late)), threshold(round, CarrierLooks.TAKEN));
        List<InstrumentedPool> pools = Pools.live();
        long now = engine.clock().nanoTime();
        WaitingLines known = lines();
        known.look(pools);
        lookedAt = now;
        List<WaitingThreads> waiting = known.advance(pools, Math.max(1e-3, (now - windowBegan) / 1e9));
        long began = windowBegan;
        windowBegan = now;
        load = new VirtualThreadLoad(
                looks.carriers(),
                carriers.running(),
                looks.queued(),
                looks.startDelay(),
                WaitingLines.threadsOf(pools),
                waiting);
        VirtualThreadLanes into = Objects.requireNonNull(lanes);
        engine.guard()
                .run(into, () -> into.record(began, now, looks, carriers.running(), known.bands(), round.process()));
        windows.next(round, looks.carriers(), window -> {
            window.subject(Subject.VIRTUAL_THREADS).waitingThreads(waiting);
            return tells(round, looks, late) ? window.seen(CarrierLooks.class, looks) : window;
        });
    }

    private static double threshold(Round round, Threshold threshold) {
        return round.thresholds().getOrDefault(threshold.key(), threshold.value());
    }

    /**
     * {@return whether looks say anything about the carriers} While the monitor's own thread gets too little CPU time,
     * a late start says nothing, unless it is known how long the carriers waited for a CPU.
     *
     * @param late from how many seconds on a start is late
     */
    static boolean tells(Round round, CarrierLooks looks, double late) {
        return !round.isStarved()
                || looks.cpuWait().isPresent()
                || looks.startDelay().toNanos() / 1e9 < late;
    }

    void rest() {
        load = null;
        windows.rest();
    }
}
