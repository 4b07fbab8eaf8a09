package io.lifeguard.pool.diagnosis.window;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The process, the workers and their breakdown in one window, or in several that are joined when a rule asks for them:
 * most rules ask for counts only, and joining sixty windows takes longer than all rules together. Thread-safe.
 */
final class SeenParts {

    private final List<SeenParts> joined; // latest first; empty when nothing is joined
    private final List<Double> seconds; // how long each of these was

    // Null in joined windows until asked for. Written by any reader; after a stale read it is computed again.
    private @Nullable ProcessWindow process;
    private @Nullable WorkerParts workers;
    private @Nullable TimeBreakdown breakdown;

    SeenParts(ProcessWindow process, WorkerParts workers, TimeBreakdown breakdown) {
        this.joined = List.of();
        this.seconds = List.of();
        this.process = process;
        this.workers = workers;
        this.breakdown = breakdown;
    }

    SeenParts(List<SeenParts> joined, List<Double> seconds) {
        this.joined = joined;
        this.seconds = seconds;
    }

    ProcessWindow process() {
        ProcessWindow known = process;
        if (known == null) {
            List<ProcessWindow> parts = new ArrayList<>();
            for (SeenParts part : joined) {
                parts.add(part.process());
            }
            known = ProcessWindow.join(parts, seconds);
            process = known;
        }
        return known;
    }

    WorkerParts workers() {
        WorkerParts known = workers;
        if (known == null) {
            List<List<WorkerWindow>> parts = new ArrayList<>();
            for (SeenParts part : joined) {
                parts.add(part.workers().all());
            }
            known = new WorkerParts(parts, seconds);
            workers = known;
        }
        return known;
    }

    TimeBreakdown breakdown() {
        TimeBreakdown known = breakdown;
        if (known == null) {
            List<TimeBreakdown> parts = new ArrayList<>();
            for (SeenParts part : joined) {
                parts.add(part.breakdown());
            }
            known = BreakdownJoin.join(parts, seconds);
            breakdown = known;
        }
        return known;
    }
}
