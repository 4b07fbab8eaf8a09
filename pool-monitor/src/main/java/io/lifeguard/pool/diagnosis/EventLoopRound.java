package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.evidence.loop.EventLoopGroup;
import io.lifeguard.pool.diagnosis.evidence.loop.EventLoops;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.PoolWindow.Subject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Makes the rounds over event loops: closes their windows, asks the rules for event loops, and keeps the findings.
 * Confined to the monitor's thread, except {@link #findings} and {@link #isSearching}.
 */
final class EventLoopRound {

    /** A program may start its event loops later than its monitor, and use no pool that is watched. */
    private static final Duration SEARCH = Duration.ofMinutes(1);

    /** A starved thread looks at event loops in one of so many rounds only. */
    private static final int ROUNDS_PER_LOOK = 4;

    /** Five looks a second, at 20 to 60 µs, are 0.01 to 0.03 % of a core. */
    private static final int GLANCES_PER_BUSY_LOOK = 4;

    private final Engine engine;
    private final EventLoops loops;

    // single writer: the monitor's thread; readers may lag by one window
    private final Map<EventLoopGroup, SubjectWindows> windows = new ConcurrentHashMap<>();

    // single writer: the monitor's thread; a stale read starts or keeps a thread that finds nothing to do
    private volatile long searchUntil;

    private int rounds; // confined to the monitor's thread
    private int glances; // confined to the monitor's thread

    EventLoopRound(Engine engine) {
        this.engine = engine;
        this.loops = new EventLoops(engine.clock(), engine.recorder().recorder());
        boolean mayHaveRules =
                engine.settings().discoversRules() || engine.rules().examine(Subject.EVENT_LOOPS);
        this.searchUntil = engine.clock().nanoTime() + (mayHaveRules ? SEARCH.toNanos() : 0);
    }

    /** {@return whether event loops are watched, or looked for} Any thread. */
    boolean isSearching() {
        return engine.clock().nanoTime() - searchUntil < 0;
    }

    /** {@return whether the next windows decide about a finding} */
    boolean isUndecided() {
        for (SubjectWindows each : windows.values()) {
            if (each.isUndecided()) {
                return true;
            }
        }
        return false;
    }

    /** {@return the raised findings} Any thread. */
    Stream<Finding> findings() {
        return windows.values().stream().flatMap(SubjectWindows::findings);
    }

    /** Looks at all loops if one of them was seen to be held up, and now and then if one is at work all the time. */
    void glance() {
        glances++;
        if (loops.isSuspected() || (glances % GLANCES_PER_BUSY_LOOK == 0 && loops.isAnyBusy())) {
            engine.guard().run(loops, loops::look);
        }
    }

    /**
     * Looks for new loops, closes the windows of all loops, and begins the next ones. Ends the findings of all loops
     * when no rule examines event loops.
     *
     * @param hasPools whether pools are watched; the search for loops lasts as long as they are
     */
    void make(Round round, boolean hasPools) {
        if (!engine.rules().examine(Subject.EVENT_LOOPS)) {
            rest();
            return;
        }
        rounds++;
        if (!round.isStarved() || rounds % ROUNDS_PER_LOOK == 0) {
            try {
                visit(round);
            } catch (Throwable e) {
                engine.guard().failed(loops, e);
            }
        }
        if (hasPools || !loops.groups().isEmpty()) {
            searchUntil = engine.clock().nanoTime() + SEARCH.toNanos();
        }
    }

    private void visit(Round round) {
        loops.round();
        for (EventLoopGroup loop : loops.groups()) {
            PoolWindow window = loop.advance(engine.clock().now())
                    .process(round.process())
                    .thresholds(round.thresholds())
                    .build();
            windows.computeIfAbsent(loop, key -> new SubjectWindows(key.name(), engine))
                    .judge(round, window);
        }
        for (EventLoopGroup dead : loops.removeDead()) {
            SubjectWindows known = windows.remove(dead);
            if (known != null) {
                known.rest("the event loop has ended");
                engine.guard().run(engine.recorder(), () -> engine.recorder().forget(dead.name()));
            }
        }
    }

    /** Ends the search and all findings. Loops are not looked at again until {@link #make} finds a rule for them. */
    void rest() {
        searchUntil = engine.clock().nanoTime();
        loops.forget();
        windows.values().forEach(each -> each.rest("event loops are no longer watched"));
        windows.clear();
        loops.removeDead();
    }
}
