package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.testing.Fixture;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A user's scheduled task whose {@code getDelay} throws does not keep a reader from its snapshot. */
class ThrowingDelayTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private volatile @Nullable Thread refused; // getDelay throws on this thread

    /** With an earlier version the exception reached the reader. */
    @Test
    void snapshot_getDelayOfTheHeadThrows_lateByNothing() {
        InstrumentedScheduledThreadPoolExecutor pool = fixture.closing(new Decorating());
        ScheduledFuture<?> later = pool.schedule(() -> {}, 1, TimeUnit.HOURS);
        refused = Thread.currentThread();
        PoolSnapshot snapshot;
        try {
            snapshot = pool.snapshot();
        } finally {
            refused = null;
        }
        assertThat(snapshot.load().oldestQueued()).isZero();
        assertThat(snapshot.load().queued()).isOne();
        later.cancel(false);
    }

    private final class Decorating extends InstrumentedScheduledThreadPoolExecutor {
        Decorating() {
            super(1);
        }

        @Override
        protected <V> RunnableScheduledFuture<V> decorateTask(Runnable task, RunnableScheduledFuture<V> future) {
            return new DecoratedFuture<>(future) {
                @Override
                public long getDelay(TimeUnit unit) {
                    if (Thread.currentThread() == refused) {
                        throw new IllegalStateException("no delay");
                    }
                    return super.getDelay(unit);
                }
            };
        }
    }
}
