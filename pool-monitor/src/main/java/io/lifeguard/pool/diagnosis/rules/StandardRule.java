package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Thresholds;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A rule that comes with the library, with the one id of its findings and its thresholds. Immutable.
 *
 * <p>{@link java.util.ServiceLoader} calls the public constructors without arguments.
 */
abstract class StandardRule implements Rule {

    /** 16 lines, because a log line with more is not read. */
    private static final int MOST_LINES = 16;

    /** The answer about an external pool, where a rule needs times, callers or failures of tasks. */
    static final Verdict UNMEASURED = Verdict.unknown("what the tasks did: the pool does not measure them");

    /** The answer about a pool in another JVM, where a rule needs the queue. */
    static final Verdict UNKNOWN_QUEUE = Verdict.unknown("how many tasks are queued");

    private final Set<String> ids;
    private final Set<Threshold> thresholds;

    /** The thresholds of the rule are its own, and those that decide about the bottleneck that it explains. */
    StandardRule(String id, Threshold... own) {
        this.ids = Set.of(id);
        Set<Threshold> all = new HashSet<>(Thresholds.of(id));
        all.addAll(List.of(own));
        this.thresholds = Set.copyOf(all);
    }

    @Override
    public final Set<String> ids() {
        return ids;
    }

    @Override
    public final Set<Threshold> thresholds() {
        return thresholds;
    }

    /** {@return the kind of a worker's task, as findings print it} */
    static String kind(WorkerWindow worker) {
        return worker.kind().orElse("(unknown)");
    }

    static List<String> lines(List<StackTraceElement> stack) {
        List<String> lines = new ArrayList<>();
        for (StackTraceElement frame : stack.subList(0, Math.min(MOST_LINES, stack.size()))) {
            lines.add(frame.toString());
        }
        return List.copyOf(lines);
    }
}
