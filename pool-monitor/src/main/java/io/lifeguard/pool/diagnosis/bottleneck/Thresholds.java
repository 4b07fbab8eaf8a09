package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.diagnosis.window.Threshold;
import java.util.ArrayList;
import java.util.List;

/**
 * The numbers that decide about the bottleneck, or that rules share with the sizes, each with its unit and its source.
 * Stateless.
 *
 * <p>The key begins with the id of the finding that the number belongs to. Users change a number under that key.
 */
public final class Thresholds {

    private static final List<Threshold> ALL = new ArrayList<>();

    // ---- tasks of the own queue ----

    /**
     * Share of the workers that wait for tasks in their own queue; a judgement: three more such bursts are a deadlock.
     */
    public static final double OWN_TASKS = 0.25;

    /** Share of the workers that counts as all of them, 0 to 1; not all are looked at in the same moment. */
    static final double ALL_WAIT = 0.95;

    public static final Threshold DEADLOCK_SECONDS = add(
            "starved-by-own-tasks.seconds",
            4,
            "seconds in which nothing was completed, before waiting workers count as a deadlock; a judgement: most tasks"
                    + " that wait for others take less");

    // ---- CPUs ----

    public static final Threshold CPU_DELAY = add(
            "cpu-saturated.delay",
            0.25,
            "share of the busy workers that wait for a CPU, 0 to 1; on 2 CPUs the model has 0.18 to 0.43 at the right"
                    + " size");

    /** Workers that compute or wait for a CPU, by the number of CPUs; with fewer hardly one waits. */
    public static final double PER_CPU = 1.2;

    public static final Threshold CPU_USED = add(
            "cpu-saturated.used",
            0.6,
            "share of the CPUs in use, 0 to 1, below which threads do not queue for them; a judgement");

    /**
     * Share of the CPUs that the process uses, 0 to 1; without any other wait at most 1.25 times as much would be done.
     */
    public static final double CPU_MUCH = 0.8;

    /** Share of the CPUs in use, 0 to 1, that counts as all; the rest is idle between two threads. */
    public static final double CPU_FULL = 0.9;

    /**
     * Share of the busy workers that compute or wait for a CPU, 0 to 1, in a saturated pool on full CPUs; more than all
     * other waits together.
     */
    static final double COMPUTING = 0.5;

    /**
     * Share of the time for which workers want a CPU and have one, 0 to 1; with less, a lock's holder is likely to be
     * without a CPU.
     */
    static final double SELDOM = 0.25;

    /** Workers that wait outside or sleep; a lock that is the limit has one holder all the time. */
    static final double HOLDERS = 0.5;

    // ---- locks ----

    /** Mean number of workers that wait for the lock; a lock held 73 % of the time. */
    public static final double LOCK_WAITERS = 2;

    public static final Threshold LOCK_SHARE = add(
            "lock-contention.share",
            0.2,
            "share of the busy workers that wait for the lock; without it the throughput is 1.25 times as high");

    /**
     * Share of the busy workers that is enough in a small or well used pool where there are fewer than five, 0 to 1;
     * two of five.
     */
    static final double LOCK_SMALL_POOL = 0.4;

    /** Workers from which on a pool is not small; of fewer, two that wait are 40 %. */
    static final double LOCK_SMALL_SIZE = 5;

    /**
     * Share of the workers that are busy, 0 to 1, from which on a pool is well used; with fewer, the idle ones do what
     * those at the lock do not.
     */
    static final double LOCK_UTILISED = 0.5;

    /**
     * Share of the time for which the lock must be held, 0 to 1, as the model of one server has it for its waiters; two
     * waiters of many are 73 %.
     */
    static final double LOCK_HELD = 0.7;

    // ---- limited resources ----

    /** Share of the busy workers that wait in one place for a connection or a permit, 0 to 1. */
    public static final double IN_LINE = 0.3;

    /**
     * Workers that wait for a limited resource while no task queues; in an idle pool a short wait of a few is no limit.
     */
    static final double LINE_WAITERS = 1;

    public static final Threshold MOVES_SECONDS = add(
            "downstream-saturated.seconds",
            5,
            "seconds in which a pool must complete a task; consumers that poll a queue forever complete none");

    static final Threshold STANDSTILL_SECONDS = add(
            "downstream-saturated.standstillSeconds",
            2,
            "seconds in which nothing was completed, before a pool stands still; twice the usual window");

    static final Threshold STANDSTILL_FIRST_SECONDS = add(
            "downstream-saturated.standstillFirstSeconds",
            4,
            "seconds before a pool stands still whose first task has not ended; its length is unknown, so as long as for"
                    + " a deadlock");

    static final Threshold STANDSTILL_TIMES_MEAN = add(
            "downstream-saturated.standstillTimesMean",
            2,
            "how many times as long as a task takes on average nothing must have been completed; workers that began"
                    + " together end together");

    static final Threshold STANDSTILL_SHARE = add(
            "downstream-saturated.standstillShare",
            0.9,
            "share of the workers, of those that were seen, that wait within the process, 0 to 1; the others may be on"
                    + " their way");

    static final Threshold STANDSTILL_SEEN = add(
            "downstream-saturated.standstillSeen",
            0.5,
            "share of the busy workers that must have been seen, 0 to 1; half say more than the other half could");

    // ---- other pools ----

    public static final Threshold OTHER_POOL = add(
            "waits-on-another-pool.share",
            0.3,
            "share of the busy workers that wait for results of another pool; without that wait the pool would do"
                    + " 1.4 times as much");

    /** Share of the workers that are busy, 0 to 1; with an idle worker the wait holds up no task. */
    static final double OTHER_POOL_BUSY = 0.9;

    static final Threshold OTHER_POOL_SECONDS = add(
            "waits-on-another-pool.seconds",
            2,
            "seconds in which a task was completed, so that the awaited ones are not in the own queue; half of what a"
                    + " deadlock takes");

    // ---- submitters that run tasks ----

    public static final Threshold DISPATCHER_GAIN = add(
            "dispatcher-runs-tasks.gain",
            1.05,
            "expected throughput with waiting submitters ÷ throughput now; from measurements, see the class");

    public static final Threshold DISPATCHER_GAIN_SEEN = add(
            "dispatcher-runs-tasks.gain-seen",
            1.15,
            "expected throughput with waiting submitters ÷ throughput now, for pools that are watched from outside and"
                    + " eight looks; with more looks less is enough");

    /**
     * Looks that met a submitter running a task, for pools that are watched from outside; of fewer, chance has a large
     * share.
     */
    static final double DISPATCHER_LOOKS = 8;

    static final Threshold DISPATCHER_RUNS = add(
            "dispatcher-runs-tasks.runs",
            3,
            "tasks that submitters ran or a handler got; of fewer it is unknown whether they go on");

    /** Runs that must be known before they are compared with tasks of workers; nine in ten of fewer is no number. */
    static final double DISPATCHER_DEFERRED_RUNS = 10;

    /** Share of the runs that are shorter than as many tasks of workers, 0 to 1; the two hardly overlap then. */
    static final double DISPATCHER_DEFERRED = 0.9;

    static final Threshold DISPATCHER_IDLE = add(
            "dispatcher-runs-tasks.idle",
            0.2,
            "share of the workers that idle while tasks are handed back, 0 to 1; fewer idle by chance");

    /** Mean number of workers that wait for a lock, below which the lock is no limit; a lock held half of the time. */
    static final double DISPATCHER_LOCK_WAITERS = 0.5;

    /** Share of the busy workers that wait for a lock, 0 to 1, below which the lock is no limit; a gain of 5 %. */
    static final double DISPATCHER_LOCK_SHARE = 0.05;

    // ---- the world outside, and the backlog ----

    public static final Threshold OUTSIDE = add(
            "blocked-on-io.outside",
            0.5,
            "share of the busy workers that wait outside or sleep, 0 to 1; below it the task mostly computes");

    /** Seconds in which a queue that shrinks is empty; somebody would watch a burst drain for about as long. */
    static final double DRAIN_SECONDS = 30;

    /** √(arrivals + departures) that a queue must shrink by; chance does so once in forty times. */
    static final double DRAIN_CHANCE = 2;

    // ---- the quota of a container ----

    public static final Threshold THROTTLED = add(
            "cpu-throttled.share",
            0.05,
            "share of the time in which the process was stopped, 0 to 1; half a period a second");

    private Thresholds() {}

    private static Threshold add(String key, double value, String meaning) {
        Threshold threshold = new Threshold(key, value, meaning);
        ALL.add(threshold);
        return threshold;
    }

    public static List<Threshold> of(String id) {
        List<Threshold> own = new ArrayList<>();
        for (Threshold each : ALL) {
            if (each.key().startsWith(id + ".")) {
                own.add(each);
            }
        }
        return own;
    }
}
