package io.lifeguard.pool.soak;

/** How many tasks met which fate. Not thread-safe. */
final class Tally {

    long tasks;
    long ran;
    long ranInline;
    long rejected;
    /**
     * Cancelled before they ran, and neither taken out of the queue nor handed back by name: a worker or purge() saw to
     * them.
     */
    long cancelled;

    long removed;
    long returned;
    /** Dropped by the policy without a word; of other pools there must be none. */
    long dropped;
    /** The thread factory failed, the submitter was told so, and the task was not in the pool. */
    long factoryFailed;
    /**
     * The thread factory failed when the task was in the queue already: the submitter got an exception, and the pool
     * the task.
     */
    long factoryFailedButQueued;
    /** Runs by workers that threw. */
    long failedRuns;

    void add(Tally other) {
        tasks += other.tasks;
        ran += other.ran;
        ranInline += other.ranInline;
        rejected += other.rejected;
        cancelled += other.cancelled;
        removed += other.removed;
        returned += other.returned;
        dropped += other.dropped;
        factoryFailed += other.factoryFailed;
        factoryFailedButQueued += other.factoryFailedButQueued;
        failedRuns += other.failedRuns;
    }

    /**
     * Adds one task whose fate is sealed.
     *
     * @return what is wrong with it; empty when nothing is
     */
    String add(SoakTask task) {
        tasks++;
        int runs = task.count(SoakTask.RAN);
        int inline = task.count(SoakTask.RAN_INLINE);
        int refusals = task.count(SoakTask.REJECTED);
        int out = task.count(SoakTask.REMOVED) + task.count(SoakTask.RETURNED);
        int cancels = task.count(SoakTask.CANCELLED);
        int faults = task.count(SoakTask.FACTORY_FAILED);
        int fates = runs + inline + refusals + out;
        ran += runs;
        ranInline += inline;
        rejected += refusals;
        removed += task.count(SoakTask.REMOVED);
        returned += task.count(SoakTask.RETURNED);
        if (task.deed == SoakTask.Deed.THROW) {
            failedRuns += runs;
        }
        if (fates > 1 || cancels > 1 || faults > 1) {
            return "more than one fate: " + task;
        }
        if (faults == 1) {
            if (refusals > 0 || inline > 0) {
                return "refused for two reasons: " + task;
            }
            if (fates == 0) {
                factoryFailed++;
            } else {
                factoryFailedButQueued++;
            }
        } else if (fates == 0) {
            if (cancels == 1) {
                cancelled++;
            } else {
                dropped++;
                return task.generation.shape().mayDropSilently() ? "" : "lost: " + task;
            }
        }
        if (runs == 1 && task.future() != null && !task.future().isDone()) {
            return "ran, but its future is not done: " + task;
        }
        return "";
    }

    /**
     * Takes futures into account that {@code shutdownNow} returned and no task knows: {@code submit} had thrown, since
     * the thread factory failed when the future was queued already.
     *
     * @return whether there were as many such tasks
     */
    boolean adopt(int futures) {
        factoryFailed -= futures;
        factoryFailedButQueued += futures;
        returned += futures;
        return factoryFailed >= 0;
    }

    /**
     * The sum over all fates, which exclude each other. A task that was reported though queued is in the one that it
     * met then.
     */
    long accountedFor() {
        return ran + ranInline + rejected + cancelled + removed + returned + dropped + factoryFailed;
    }

    @Override
    public String toString() {
        return String.format(
                "%,d tasks: %,d ran by a worker (%,d of them threw), %,d by their submitter, %,d cancelled, %,d"
                        + " rejected,"
                        + " %,d removed, %,d returned by shutdownNow, %,d dropped by policy, %,d refused by a"
                        + " failing thread"
                        + " factory, %,d reported so though queued (the JDK's corner)",
                tasks,
                ran,
                failedRuns,
                ranInline,
                cancelled,
                rejected,
                removed,
                returned,
                dropped,
                factoryFailed,
                factoryFailedButQueued);
    }
}
