package io.lifeguard.pool.diagnosis.external;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.window.PoolState;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** Where the measurements of one pool come from, without keeping the pool. */
public interface PoolSource {

    /** What to read from; null when the pool was collected. */
    @Nullable
    InstrumentedPool meter();

    /** The executor, as its user knows it; null when it was collected. */
    @Nullable
    Object executor();

    /** Whether it has ended, or was collected. */
    default boolean isGone() {
        Object executor = executor();
        return executor == null || PoolState.of(executor) == PoolState.TERMINATED;
    }

    /** A pool that measures itself. */
    static PoolSource of(InstrumentedPool pool) {
        WeakReference<InstrumentedPool> reference = new WeakReference<>(pool);
        return new PoolSource() {
            @Override
            public @Nullable InstrumentedPool meter() {
                return reference.get();
            }

            @Override
            public @Nullable Object executor() {
                return reference.get();
            }
        };
    }
}
