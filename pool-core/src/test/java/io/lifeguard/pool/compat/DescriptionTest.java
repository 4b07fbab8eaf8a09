package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.HeldTask;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;

/** The description of a pool: {@code toString} and the counters. */
class DescriptionTest {

    @EveryPool
    void toString_throughALife_isFormattedAsTheJdkFormatsIt(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(2);
        describes(pool, "Running, pool size = 0, active threads = 0, queued tasks = 0, completed tasks = 0");
        HeldTask first = pools.occupy(pool);
        HeldTask second = pools.occupy(pool);
        pool.execute(() -> {});
        describes(pool, "Running, pool size = 2, active threads = 2, queued tasks = 1, completed tasks = 0");
        first.release();
        pools.eventually("one worker idle", () -> pool.getCompletedTaskCount() == 2 && pool.getActiveCount() == 1);
        describes(pool, "Running, pool size = 2, active threads = 1, queued tasks = 0, completed tasks = 2");
        pool.shutdown();
        pools.eventually("one worker left", () -> pool.getPoolSize() == 1);
        describes(pool, "Shutting down, pool size = 1, active threads = 1, queued tasks = 0, completed tasks = 2");
        second.release();
        pools.eventually("terminated", pool::isTerminated);
        describes(pool, "Terminated, pool size = 0, active threads = 0, queued tasks = 0, completed tasks = 3");
    }

    @EveryPool
    void submittedFuture_describesItselfAsTheJdksDoes(PoolFixture pools) throws Exception {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask held = pools.occupy(pool);
        Future<String> future = pool.submit(() -> "value");
        String identity = FutureTask.class.getName() + "@" + Integer.toHexString(System.identityHashCode(future));
        assertThat(future.toString()).startsWith(identity + "[Not completed, task = ");
        held.release();
        future.get();
        assertThat(future).hasToString(identity + "[Completed normally]");
    }

    private static void describes(ThreadPoolExecutor pool, String state) {
        String identity = pool.getClass().getName() + "@" + Integer.toHexString(pool.hashCode());
        assertThat(pool).hasToString(identity + "[" + state + "]");
    }

    @EveryPool
    void counters_throughALife_countAsTheJdkCounts(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(2);
        counts(pool, 0, 0, 0, 0);
        HeldTask first = pools.occupy(pool);
        counts(pool, 1, 0, 1, 1);
        HeldTask second = pools.occupy(pool);
        pool.submit(() -> "value");
        counts(pool, 3, 0, 2, 2);
        first.release();
        pools.eventually("two completed", () -> pool.getCompletedTaskCount() == 2 && pool.getActiveCount() == 1);
        counts(pool, 3, 2, 1, 2);
        second.release();
        pools.eventually("idle", () -> pool.getCompletedTaskCount() == 3 && pool.getActiveCount() == 0);
        counts(pool, 3, 3, 0, 2);
        pool.shutdown();
        pools.eventually("terminated", pool::isTerminated);
        counts(pool, 3, 3, 0, 2);
    }

    private static void counts(ThreadPoolExecutor pool, long tasks, long completed, int active, int largest) {
        assertThat(pool.getTaskCount()).as("tasks").isEqualTo(tasks);
        assertThat(pool.getCompletedTaskCount()).as("completed").isEqualTo(completed);
        assertThat(pool.getActiveCount()).as("active").isEqualTo(active);
        assertThat(pool.getLargestPoolSize()).as("largest").isEqualTo(largest);
    }

    @EveryPool
    void equals_twoPools_goesByIdentity(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        ThreadPoolExecutor same = pool;
        assertThat(pool.equals(same)).isTrue();
        assertThat(pool).isNotEqualTo(pools.fixed(1));
        assertThat(pool.hashCode()).isEqualTo(System.identityHashCode(pool));
    }
}
