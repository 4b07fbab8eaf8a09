package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;

/**
 * Says how certain a finding about another JVM is, and why. Immutable.
 *
 * @param level {@code certain}, {@code estimate} or {@code guess}
 * @param why one clause: what was seen, and what this source cannot know
 */
public record Certainty(String level, String why) {

    private static final String ONLY_LONG_WAITS =
            "; how many tasks are completed or queued cannot be seen from outside, and short waits are not recorded";
    private static final String GUESSED_QUEUE =
            "that tasks queue is concluded from workers that are never idle; endless loops over busy connections, and"
                    + " calls that wait for each other at the other end, look the same";
    private static final String NO_COUNTS = "; how many tasks are completed or queued cannot be seen from outside";

    /**
     * {@return how certain a finding is}
     *
     * @param finding made from thread dumps and the operating system's figures, not null
     */
    public static Certainty of(Finding finding) {
        return switch (finding.id()) {
            case "lock-contention" ->
                new Certainty("certain", "dumps show who waits for the lock, and mostly who holds it" + NO_COUNTS);
            case "starved-by-own-tasks" ->
                finding.severity() == Severity.CRITICAL
                        ? new Certainty(
                                "certain",
                                "by exclusion: no other thread runs the awaited tasks, no other pool can have them"
                                        + " queued, and no worker moves")
                        : new Certainty(
                                "estimate",
                                "by exclusion: only this pool was seen running tasks whose results are awaited, or no"
                                        + " other can have them queued");
            case "cpu-saturated", "high-system-cpu" ->
                new Certainty("certain", "the operating system measures the threads' times; a size is the model's");
            case "cpu-throttled" -> new Certainty("certain", "the container's own count");
            case "stands-still" ->
                new Certainty("certain", "dumps show for what all wait, and no worker was on a CPU" + NO_COUNTS);
            case "downstream-saturated" ->
                new Certainty(
                        "certain", "dumps show the line; how much is served at once is counted in them" + NO_COUNTS);
            case "event-loop-blocked" ->
                new Certainty(
                        "certain", "dumps show the handler that waits; one that computes for too long is not seen");
            case "waits-on-another-pool" -> ofWaits(finding);
            case "common-pool-blocked" ->
                new Certainty("guess", "that tasks queue is concluded from workers that are never idle" + NO_COUNTS);
            case "dispatcher-runs-tasks" ->
                new Certainty("estimate", "from the dumps in which the thread was seen running tasks" + NO_COUNTS);
            case "blocked-on-io" -> new Certainty("guess", GUESSED_QUEUE);
            default -> new Certainty("estimate", "as far as dumps show" + NO_COUNTS);
        };
    }

    private static Certainty ofWaits(Finding finding) {
        if (finding.severity() == Severity.CRITICAL) {
            return new Certainty(
                    "certain",
                    "by exclusion: no other thread runs the awaited tasks, no other pool can have them queued, and no"
                            + " worker moves; which of the pools has which task cannot be seen from outside");
        }
        return finding.severity() == Severity.INFO
                ? new Certainty("guess", GUESSED_QUEUE)
                : new Certainty(
                        "estimate", "by exclusion: only that pool was seen running tasks whose results are awaited");
    }

    /**
     * {@return how certain a finding is}
     *
     * @param finding made from a flight recording of a program without this library, not null
     */
    public static Certainty ofRecording(Finding finding) {
        return switch (finding.id()) {
            case "lock-contention" ->
                new Certainty(
                        "certain",
                        "the recording holds the waits for the lock, and who held a monitor before" + ONLY_LONG_WAITS);
            case "starved-by-own-tasks" ->
                new Certainty(
                        "estimate",
                        "by exclusion, from the recording's thread dumps: no other thread ran the awaited tasks then");
            case "cpu-saturated" ->
                new Certainty(
                        "estimate",
                        "CPU times are measured; that the rest is waiting for a CPU is concluded from full CPUs and"
                                + " from samples that show the threads running");
            case "cpu-throttled" -> new Certainty("estimate", "the container's own count, which comes each 30 s only");
            case "downstream-saturated" ->
                new Certainty(
                        "estimate",
                        "the recording holds the waits in line; how much is served at once is a guess"
                                + ONLY_LONG_WAITS);
            case "blocked-on-io" -> new Certainty("guess", GUESSED_QUEUE);
            case "waits-on-another-pool" -> ofWaits(finding);
            default -> new Certainty("estimate", "as far as the recording shows" + ONLY_LONG_WAITS);
        };
    }
}
