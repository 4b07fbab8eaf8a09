package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.attention.Attention;
import io.lifeguard.pool.diagnosis.evidence.AwaitedTasks;
import io.lifeguard.pool.diagnosis.evidence.stack.StackRounds;
import java.util.ArrayList;
import java.util.List;

/** Looks at the workers of all pools at some moments of each window. Confined to the monitor's thread. */
final class PoolGlance {

    /** A quarter of a second is between the moments of a usual window at which a sleeping pool may wake up. */
    private static final int LOOKS_AT_SLEEPERS = 4;

    private final Engine engine;
    private final WatchedPools pools;

    private int momentsPerSleeper = 1; // it is asked in one of so many whether something has happened

    PoolGlance(WatchedPools pools, Engine engine) {
        this.engine = engine;
        this.pools = pools;
    }

    /**
     * {@return at how many moments of this window workers are looked at}
     *
     * @param othersAreUndecided whether the next windows decide about a finding that is not about a pool
     */
    int moments(boolean othersAreUndecided) {
        boolean isAllAsleep = !othersAreUndecided && isAllAsleep();
        momentsPerSleeper = isAllAsleep ? 1 : StackRounds.USUAL / LOOKS_AT_SLEEPERS;
        return isAllAsleep ? LOOKS_AT_SLEEPERS : StackRounds.USUAL;
    }

    private boolean isAllAsleep() {
        for (PoolWatch watch : pools.all()) {
            if (!watch.attention().sleeps()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Looks at the workers of all pools, whatever was spent. Takes stacks as far as the budget allows, and a few to
     * name new groups of workers.
     */
    void make() {
        List<PoolWatch> all = pools.answering(pools.inTurn(), false);
        int suspected = 0;
        int others = 0;
        List<AwaitedTasks.Candidate> candidates = new ArrayList<>(all.size());
        for (PoolWatch watch : all) {
            boolean isSuspected = watch.wants(Evidence.STACKS);
            suspected += isSuspected ? 1 : 0;
            others += !isSuspected && watch.evidence().hasWork() ? 1 : 0;
            candidates.add(watch.candidate());
        }
        engine.sources().share(suspected, others);
        AwaitedTasks tasks = new AwaitedTasks(candidates);
        for (PoolWatch watch : all) {
            try {
                look(watch, tasks);
            } catch (Throwable e) {
                engine.guard().failed(watch, e);
            }
        }
    }

    private void look(PoolWatch watch, AwaitedTasks tasks) {
        InstrumentedPool meter = watch.source().meter();
        if (meter != null && !staysAsleep(watch)) {
            if (watch.isUnread()) {
                PoolSnapshot now = meter.snapshot();
                watch.advance(now); // its first window begins now
                watch.readIfMany(now, meter);
            }
            watch.evidence().look(meter, watch.wants(Evidence.STACKS), watch.isWaitedFor(), tasks);
        }
    }

    /** Whether nothing happens in a pool that sleeps. Otherwise it is looked at now, and at each moment from now on. */
    private boolean staysAsleep(PoolWatch watch) {
        Attention attention = watch.attention();
        if (!attention.sleeps()) {
            return false;
        }
        Object executor = watch.source().executor();
        int moments = attention.moment();
        if (moments % momentsPerSleeper != 0 || attention.lasts(executor)) {
            return true;
        }
        watch.evidence().wakes(moments - momentsPerSleeper);
        return false;
    }
}
