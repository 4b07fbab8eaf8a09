package io.lifeguard.pool;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a pool has measured since it was created: cumulative counts, five distributions, and what it looks like now.
 * Immutable.
 *
 * <p>Counts are consistent with each other in one direction: a snapshot never shows more tasks completed than submitted.
 * When the pool is at rest, {@code submitted = completed + queued + removed}, to the task, where <em>removed</em> are the
 * tasks that a caller took out of the queue again ({@code remove}, {@code purge}, {@code shutdownNow}).
 *
 * @param name the pool's name
 * @param size workers alive
 * @param active workers that run a task
 * @param queued tasks waiting in the queue
 * @param submitted tasks that were accepted; a rejected task is not, nor is one that its caller ran. Each further run of a
 *     periodic task counts as one
 * @param completed tasks that workers ran to their end, including the failed and, as in the JDK, the cancelled
 * @param failed tasks that ended with an exception, whether it was thrown or is kept in a future
 * @param rejected tasks turned away, for whatever {@linkplain Saturation#rejections() reason} except
 *     {@link RejectionReason#LEFT_TO_HANDLER}
 * @param callerRuns tasks run by the thread that submitted them because the pool was saturated
 * @param queueWait from acceptance to the start of the run; for scheduled tasks their lateness
 * @param serviceTime wall time of the runs
 * @param cpuTime CPU time that the runs burnt
 * @param blockedSubmit how long submitters waited for room, whether they got it or not
 * @param callerRunTime wall time of the tasks that callers ran
 * @param overhead what the pool itself costs: measuring, and CPU time of workers without a task
 * @param limits what the pool may grow to
 * @param saturation what happened when the pool was full
 * @param failures what is known of failed tasks that nobody asked
 * @param kinds the tasks by kind, most wall time first: the class of the task, the owner of a lambda, or the name the task
 *     was {@linkplain Tasks#named given}. At most 128 kinds; later ones are counted as {@code (other)}
 * @param idleTime how long workers had nothing to do, summed over all workers
 * @param oldestQueued age of the queue's head; zero when the queue is empty or cannot tell
 * @param eventsDropped events that a slow {@link PoolListener} missed
 * @param nanoTime {@link System#nanoTime()} when the snapshot was taken
 */
public record PoolSnapshot(
        String name,
        int size,
        int active,
        int queued,
        long submitted,
        long completed,
        long failed,
        long rejected,
        long callerRuns,
        Distribution queueWait,
        Distribution serviceTime,
        Distribution cpuTime,
        Distribution blockedSubmit,
        Distribution callerRunTime,
        Overhead overhead,
        Limits limits,
        Saturation saturation,
        Failures failures,
        List<TaskKind> kinds,
        Duration idleTime,
        Duration oldestQueued,
        long eventsDropped,
        long nanoTime) {

    /** Copies the list of kinds. */
    public PoolSnapshot {
        kinds = List.copyOf(kinds);
    }

    /**
     * The snapshot as a table for people, several lines long.
     *
     * @return the table, ending with a line separator
     */
    public String toTable() {
        return new SnapshotTable(this).render();
    }

    /** The decisive numbers in one line. */
    @Override
    public String toString() {
        return SnapshotTable.line(this);
    }

    /**
     * What the pool may grow to.
     *
     * @param coreSize workers that stay
     * @param maximumSize workers at most
     * @param queueRemaining free places in the queue; {@link Integer#MAX_VALUE} when it has no bound
     */
    public record Limits(int coreSize, int maximumSize, int queueRemaining) {}

    /**
     * What happened when the pool was full.
     *
     * @param blockedNow submitters that wait for room now
     * @param workerRuns tasks that a worker submitted to its own full pool, and ran at once because waiting for itself would
     *     be a deadlock
     * @param workerRunTime wall time of those, in sum
     * @param rejections tasks turned away, by reason; reasons that did not occur are absent
     * @param callers the threads that ran tasks themselves, busiest first; at most 32, later ones as {@code (other)}
     * @param eventLoops the threads among the submitters that must not block and yet ran tasks or waited, busiest first; at most 32,
     *     later ones as {@code (other)}
     */
    public record Saturation(
            int blockedNow,
            long workerRuns,
            Duration workerRunTime,
            Map<RejectionReason, Long> rejections,
            List<Caller> callers,
            List<EventLoop> eventLoops) {

        /** Copies the collections. */
        public Saturation {
            rejections = Map.copyOf(rejections);
            callers = List.copyOf(callers);
            eventLoops = List.copyOf(eventLoops);
        }

        /** Tasks turned away; those whose fate is a user's own handler's secret are not counted. */
        long rejected() {
            long sum = 0;
            for (Map.Entry<RejectionReason, Long> entry : rejections.entrySet()) {
                sum += entry.getKey() == RejectionReason.LEFT_TO_HANDLER ? 0 : entry.getValue();
            }
            return sum;
        }
    }

    /**
     * A thread that ran tasks of this pool because the pool was saturated.
     *
     * @param thread its name
     * @param runs how many tasks it ran
     * @param time wall time of those runs, in sum
     * @param idleWorkers mean number of workers that had nothing to do meanwhile, weighted by time
     */
    public record Caller(String thread, long runs, Duration time, double idleWorkers) {}

    /**
     * A thread that must not block (an event loop of Netty or Vert.x, a non-blocking thread of Reactor) and that this pool held up.
     *
     * @param thread its name
     * @param runs how many tasks it ran because the pool was saturated
     * @param runTime wall time of those runs, in sum
     * @param waits how often it waited for room, because the policy allows it to
     * @param waitTime how long it waited, in sum
     */
    public record EventLoop(String thread, long runs, Duration runTime, long waits, Duration waitTime) {}

    /**
     * Failed tasks whose exception nobody has seen: those that were {@code submit}ted, whose exception is kept in a future, and periodic
     * tasks, which an exception ends in silence. An exception of a task that was given to {@code execute} is not among them: it
     * reaches the thread's uncaught-exception handler.
     *
     * @param unseen by kind of task and class of exception, most first; at most 16, later ones are not kept apart
     */
    public record Failures(List<Unseen> unseen) {

        /** None. */
        public static final Failures NONE = new Failures(List.of());

        /** Copies the list. */
        public Failures {
            unseen = List.copyOf(unseen);
        }
    }

    /**
     * Failures of one kind of task, with one class of exception, that nobody has seen.
     *
     * @param kind kind of the tasks
     * @param exception class of the exception
     * @param lost futures that were garbage-collected without anybody having asked for their result: nobody ever will. Cumulative, and a
     *     lower bound: of a flood of failures some are followed only
     * @param waiting futures that nobody has asked for their result yet, as far as they are followed
     * @param oldestWaiting how long ago the first of those failed; zero when there is none
     * @param stopped periodic tasks that will never run again because they threw, and that were not scheduled anew
     */
    public record Unseen(
            String kind, String exception, long lost, long waiting, Duration oldestWaiting, long stopped) {}

    /**
     * The tasks of one kind.
     *
     * @param name the kind
     * @param count tasks that ran
     * @param wall their wall time, in sum
     * @param cpu their CPU time, in sum, from an unbiased sample where tasks are short; zero where CPU time is
     *     {@linkplain PoolSnapshot#cpuTime() unknown}
     * @param queueWait their queue wait, in sum, as far as it is known
     */
    public record TaskKind(String name, long count, Duration wall, Duration cpu, Duration queueWait) {}

    /**
     * What the pool itself costs beside its tasks: measuring, and the CPU time of workers that have no task.
     *
     * <p>The cost of measuring is estimated: how often the clocks were read, by submitters and workers, and how many tasks were
     * recorded, times what that costs on this machine once the virtual machine has compiled it. The first thousands of tasks of a
     * virtual machine cost more, as everything does then. The figure is the cheapest that the first snapshots find, which take 1 to
     * 10 ms for it, so it falls at first. Not included is that caches are colder for what was recorded: with that, at tasks of
     * 1 µs, measuring costs about twice as much.
     *
     * <p>{@link PoolSnapshot#cpuTime() cpuTime().total()} and {@code idleCpuTime} together are what the operating system says of the
     * workers' threads, less the start of a thread and the reads of its CPU clock. What measuring does between two tasks is part of the CPU
     * time of the tasks.
     *
     * @param total of measuring, in sum, over all workers and submitters
     * @param perTask of measuring, per completed task
     * @param idleCpuTime CPU time that workers burnt without a task, in search of one, in parking and in waking, summed over all
     *     workers; zero where CPU time is {@linkplain PoolSnapshot#cpuTime() unknown} or only sampled task by task, as in pools without
     *     workers of their own
     */
    public record Overhead(Duration total, Duration perTask, Duration idleCpuTime) {}
}
