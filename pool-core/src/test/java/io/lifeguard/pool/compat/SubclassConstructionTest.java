package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.testing.Fixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The constructors call no method that a subclass may override: its fields are not set yet. */
class SubclassConstructionTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    /** Methods that were called on this thread while a subclass was not yet constructed. */
    private static final ThreadLocal<List<String>> EARLY = ThreadLocal.withInitial(ArrayList::new);

    @Test
    void threadPool_constructor_callsNoOverriddenMethod() throws Exception {
        Pool pool = fixture.closing(new Pool());
        assertThat(EARLY.get()).isEmpty();
        pool.submit(() -> {}).get(10, TimeUnit.SECONDS);
        assertThat(Pools.find(Pools.nameOf(pool))).containsSame(pool);
    }

    @Test
    void scheduledPool_constructor_callsNoOverriddenMethod() throws Exception {
        ScheduledPool pool = fixture.closing(new ScheduledPool());
        assertThat(EARLY.get()).isEmpty();
        pool.submit(() -> {}).get(10, TimeUnit.SECONDS);
        assertThat(Pools.find(Pools.nameOf(pool))).containsSame(pool);
    }

    private static <T> T called(String method, Object field, T result) {
        if (field == null) {
            EARLY.get().add(method);
        }
        return result;
    }

    private static final class Pool extends InstrumentedThreadPoolExecutor {
        private final Object field = new Object();

        Pool() {
            super(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        public BlockingQueue<Runnable> getQueue() {
            return called("getQueue", field, super.getQueue());
        }

        @Override
        public ThreadFactory getThreadFactory() {
            return called("getThreadFactory", field, super.getThreadFactory());
        }

        @Override
        public RejectedExecutionHandler getRejectedExecutionHandler() {
            return called("getRejectedExecutionHandler", field, super.getRejectedExecutionHandler());
        }

        @Override
        public int getCorePoolSize() {
            return called("getCorePoolSize", field, super.getCorePoolSize());
        }

        @Override
        public int getMaximumPoolSize() {
            return called("getMaximumPoolSize", field, super.getMaximumPoolSize());
        }

        @Override
        public int getPoolSize() {
            return called("getPoolSize", field, super.getPoolSize());
        }

        @Override
        public boolean isShutdown() {
            return called("isShutdown", field, super.isShutdown());
        }

        @Override
        public boolean isTerminated() {
            return called("isTerminated", field, super.isTerminated());
        }

        @Override
        public String name() {
            return called("name", field, field == null ? null : super.name());
        }

        @Override
        public PoolSnapshot snapshot() {
            return called("snapshot", field, super.snapshot());
        }

        @Override
        public int hashCode() {
            return called("hashCode", field, super.hashCode());
        }

        @Override
        public boolean equals(Object other) {
            return called("equals", field, super.equals(other));
        }

        @Override
        public String toString() {
            return called("toString", field, super.toString());
        }
    }

    private static final class ScheduledPool extends InstrumentedScheduledThreadPoolExecutor {
        private final Object field = new Object();

        ScheduledPool() {
            super(1);
        }

        @Override
        public BlockingQueue<Runnable> getQueue() {
            return called("getQueue", field, super.getQueue());
        }

        @Override
        public int getCorePoolSize() {
            return called("getCorePoolSize", field, super.getCorePoolSize());
        }

        @Override
        public boolean isTerminated() {
            return called("isTerminated", field, super.isTerminated());
        }

        @Override
        public String name() {
            return called("name", field, field == null ? null : super.name());
        }

        @Override
        public PoolSnapshot snapshot() {
            return called("snapshot", field, super.snapshot());
        }
    }
}
