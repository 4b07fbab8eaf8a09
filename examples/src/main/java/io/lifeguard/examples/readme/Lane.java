package io.lifeguard.examples.readme;

import java.util.List;

/**
 * What one thread did during a run. Immutable.
 *
 * @param thread the name of the thread
 * @param running the times in which it ran a task, in order
 * @param waiting the times in which it waited for room in the pool, in order
 */
record Lane(String thread, List<Span> running, List<Span> waiting) {

    Lane {
        running = List.copyOf(running);
        waiting = List.copyOf(waiting);
    }

    /**
     * A stretch of time. Immutable.
     *
     * @param start seconds from the beginning of the run
     * @param end seconds from the beginning of the run
     */
    record Span(double start, double end) {

        /** Returns the part of this span between two times; its length is 0 or less if there is none. */
        Span within(double from, double to) {
            return new Span(Math.max(start, from), Math.min(end, to));
        }

        double length() {
            return end - start;
        }
    }

    /** Returns the seconds between two times in which the thread ran a task. */
    double runningSeconds(double from, double to) {
        return running.stream()
                .mapToDouble(span -> Math.max(0, span.within(from, to).length()))
                .sum();
    }
}
