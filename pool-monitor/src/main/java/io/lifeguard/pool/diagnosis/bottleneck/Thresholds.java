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

    public static final Threshold OWN_TASKS = add(
            "starved-by-own-tasks.share",
            0.25,
            "share of the workers that wait for tasks in their own queue; a judgement: three more such bursts are a"
                    + " deadlock");

    static final Threshold ALL_WAIT = add(
            "starved-by-own-tasks.all",
            0.95,
            "share of the workers that counts as all of them, 0 to 1; not all are looked at in the same moment");

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

    public static final Threshold PER_CPU = add(
            "cpu-saturated.perCpu",
            1.2,
            "workers that compute or wait for a CPU, by the number of CPUs; with fewer hardly one waits");

    public static final Threshold CPU_USED = add(
            "cpu-saturated.used",
            0.6,
            "share of the CPUs in use, 0 to 1, below which threads do not queue for them; a judgement");

    public static final Threshold CPU_MUCH = add(
            "cpu-saturated.much",
            0.8,
            "share of the CPUs that the process uses, 0 to 1; without any other wait at most 1.25 times as much would be"
                    + " done");

    public static final Threshold CPU_FULL = add(
            "cpu-saturated.full",
            0.9,
            "share of the CPUs in use, 0 to 1, that counts as all; the rest is idle between two threads");

    static final Threshold COMPUTING = add(
            "cpu-saturated.computing",
            0.5,
            "share of the busy workers that compute or wait for a CPU, 0 to 1, in a saturated pool on full CPUs; more"
                    + " than all other waits together");

    static final Threshold SELDOM = add(
            "cpu-saturated.seldom",
            0.25,
            "share of the time for which workers want a CPU and have one, 0 to 1; with less, a lock's holder is likely"
                    + " to be without a CPU");

    static final Threshold HOLDERS = add(
            "cpu-saturated.holders",
            0.5,
            "workers that wait outside or sleep; a lock that is the limit has one holder all the time");

    // ---- locks ----

    public static final Threshold LOCK_WAITERS = add(
            "lock-contention.waiters",
            2,
            "mean number of workers that wait for the lock; a lock held 73 % of the time");

    public static final Threshold LOCK_SHARE = add(
            "lock-contention.share",
            0.2,
            "share of the busy workers that wait for the lock; without it the throughput is 1.25 times as high");

    static final Threshold LOCK_SMALL_POOL = add(
            "lock-contention.smallPool",
            0.4,
            "share of the busy workers that is enough in a small or well used pool where there are fewer than five, 0 to"
                    + " 1; two of five");

    static final Threshold LOCK_SMALL_SIZE = add(
            "lock-contention.smallSize",
            5,
            "workers from which on a pool is not small; of fewer, two that wait are 40 %");

    static final Threshold LOCK_UTILISED = add(
            "lock-contention.utilised",
            0.5,
            "share of the workers that are busy, 0 to 1, from which on a pool is well used; with fewer, the idle ones do"
                    + " what those at the lock do not");

    static final Threshold LOCK_HELD = add(
            "lock-contention.held",
            0.7,
            "share of the time for which the lock must be held, 0 to 1, as the model of one server has it for its"
                    + " waiters; two waiters of many are 73 %");

    // ---- limited resources ----

    public static final Threshold IN_LINE = add(
            "downstream-saturated.parked",
            0.3,
            "share of the busy workers that wait in one place for a connection or a permit, 0 to 1");

    static final Threshold LINE_WAITERS = add(
            "downstream-saturated.waiters",
            1,
            "workers that wait for a limited resource while no task queues; in an idle pool a short wait of a few is no"
                    + " limit");

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

    static final Threshold OTHER_POOL_BUSY = add(
            "waits-on-another-pool.busy",
            0.9,
            "share of the workers that are busy, 0 to 1; with an idle worker the wait holds up no task");

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

    static final Threshold DISPATCHER_LOOKS = add(
            "dispatcher-runs-tasks.looks",
            8,
            "looks that met a submitter running a task, for pools that are watched from outside; of fewer, chance has a"
                    + " large share");

    static final Threshold DISPATCHER_RUNS = add(
            "dispatcher-runs-tasks.runs",
            3,
            "tasks that submitters ran or a handler got; of fewer it is unknown whether they go on");

    static final Threshold DISPATCHER_DEFERRED_RUNS = add(
            "dispatcher-runs-tasks.deferredRuns",
            10,
            "runs that must be known before they are compared with tasks of workers; nine in ten of fewer is no number");

    static final Threshold DISPATCHER_DEFERRED = add(
            "dispatcher-runs-tasks.deferred",
            0.9,
            "share of the runs that are shorter than as many tasks of workers, 0 to 1; the two hardly overlap then");

    static final Threshold DISPATCHER_IDLE = add(
            "dispatcher-runs-tasks.idle",
            0.2,
            "share of the workers that idle while tasks are handed back, 0 to 1; fewer idle by chance");

    static final Threshold DISPATCHER_LOCK_WAITERS = add(
            "dispatcher-runs-tasks.lockWaiters",
            0.5,
            "mean number of workers that wait for a lock, below which the lock is no limit; a lock held half of the"
                    + " time");

    static final Threshold DISPATCHER_LOCK_SHARE = add(
            "dispatcher-runs-tasks.lockShare",
            0.05,
            "share of the busy workers that wait for a lock, 0 to 1, below which the lock is no limit; a gain of 5 %");

    // ---- the world outside, and the backlog ----

    public static final Threshold OUTSIDE = add(
            "blocked-on-io.outside",
            0.5,
            "share of the busy workers that wait outside or sleep, 0 to 1; below it the task mostly computes");

    static final Threshold DRAIN_SECONDS = add(
            "blocked-on-io.drainSeconds",
            30,
            "seconds in which a queue that shrinks is empty; somebody would watch a burst drain for about as long");

    static final Threshold DRAIN_CHANCE = add(
            "blocked-on-io.drainChance",
            2,
            "√(arrivals + departures) that a queue must shrink by; chance does so once in forty times");

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
        return ALL.stream().filter(each -> each.key().startsWith(id + ".")).toList();
    }
}
