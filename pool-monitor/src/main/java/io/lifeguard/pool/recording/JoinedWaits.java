package io.lifeguard.pool.recording;

import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Joins short waits of one submitter that follow each other closely, and its short runs of tasks likewise, so that a
 * thousand a second take the room of ten. Not thread-safe.
 *
 * <p>A joined wait begins with the first of its waits and lasts as long as all of them together. So a submitter's time
 * is as full of waits as it was, and no wait moves by more than 0.1 s. The same holds for runs.
 */
final class JoinedWaits {

    /** What begins within 0.1 s can become one wait. A longer wait stays as it is: there are at most ten a second. */
    private static final long LONGEST_NANOS = 100_000_000;

    /** Between waits that are joined, there is less than 1 ms. */
    private static final long GAP_NANOS = 1_000_000;

    /** Submitters whose waits are held back at the same time. They take about 10 KB. */
    private static final int MOST = 64;

    private final Consumer<Observation> out;

    /** Waits that may still become longer, those that were begun first at the head. */
    private final Map<Submitter, Open> open = new LinkedHashMap<>();

    JoinedWaits(Consumer<Observation> out) {
        this.out = out;
    }

    /** Takes a wait. It is passed on when nothing more can be joined to it. */
    void add(SubmitWait wait) {
        add(new Submitter(wait.pool(), wait.thread(), false, wait.accepted()), wait, 0);
    }

    /** Takes a run of a task by its submitter, likewise. */
    void add(CallerRun run) {
        add(new Submitter(run.pool(), run.thread(), true, true), run, run.idleWorkers());
    }

    private void add(Submitter submitter, Observation wait, double idleWorkers) {
        Open before = open.get(submitter);
        if (before != null && before.joins(wait, idleWorkers)) {
            return;
        }
        if (before != null) {
            open.remove(submitter);
            out.accept(before.joined());
        }
        if (wait.durationNanos() >= LONGEST_NANOS) {
            out.accept(wait);
            return;
        }
        if (open.size() == MOST) {
            passOldest();
        }
        open.put(submitter, new Open(submitter, wait, idleWorkers));
    }

    /**
     * Passes on what nothing more can be joined to.
     *
     * @param now the present moment, in nanoseconds since 1970; also an earlier one when the clock was set back
     */
    void advance(long now) {
        for (Open oldest = oldest(); oldest != null && oldest.isOver(now); oldest = oldest()) {
            passOldest();
        }
    }

    void flush() {
        while (!open.isEmpty()) {
            passOldest();
        }
    }

    private @Nullable Open oldest() {
        return open.isEmpty() ? null : open.values().iterator().next();
    }

    private void passOldest() {
        Iterator<Open> oldest = open.values().iterator();
        Observation wait = oldest.next().joined();
        oldest.remove();
        out.accept(wait);
    }

    private record Submitter(String pool, String thread, boolean runs, boolean accepted) {

        /** Written out: that of a record is slow until it is compiled. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Submitter submitter
                    && runs == submitter.runs
                    && accepted == submitter.accepted
                    && thread.equals(submitter.thread)
                    && pool.equals(submitter.pool);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * pool.hashCode() + thread.hashCode()) + (accepted ? 1 : 0) + (runs ? 2 : 0);
        }
    }

    /** A wait that may still become longer. */
    private static final class Open {
        private final Submitter submitter;
        private final Observation first;
        private long endNanos; // of the last one, in nanoseconds since 1970
        private long sumNanos;
        private double idleNanos; // of all workers meanwhile

        Open(Submitter submitter, Observation first, double idleWorkers) {
            this.submitter = submitter;
            this.first = first;
            this.endNanos = first.endNanos();
            this.sumNanos = first.durationNanos();
            this.idleNanos = idleWorkers * first.durationNanos();
        }

        boolean joins(Observation next, double idleWorkers) {
            long gap = next.startNanos() - endNanos;
            if (gap < 0 || gap >= GAP_NANOS || next.endNanos() - first.startNanos() > LONGEST_NANOS) {
                return false;
            }
            endNanos = next.endNanos();
            sumNanos += next.durationNanos();
            idleNanos += idleWorkers * next.durationNanos();
            return true;
        }

        boolean isOver(long now) {
            return Math.abs(now - first.endNanos()) > LONGEST_NANOS;
        }

        Observation joined() {
            long start = first.startNanos();
            return submitter.runs()
                    ? new CallerRun(
                            start, sumNanos, submitter.pool(), submitter.thread(), idleNanos / Math.max(1, sumNanos))
                    : new SubmitWait(start, sumNanos, submitter.pool(), submitter.thread(), submitter.accepted());
        }
    }
}
