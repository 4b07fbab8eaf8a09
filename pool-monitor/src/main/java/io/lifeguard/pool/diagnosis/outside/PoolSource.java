package io.lifeguard.pool.diagnosis.outside;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.window.PoolState;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** Gives access to the measurements of one pool, without keeping the pool from being collected. */
public interface PoolSource {

    /** {@return the pool's measurements; null when the pool was collected} */
    @Nullable
    InstrumentedPool meter();

    /** {@return the executor, as its user knows it; null when it was collected} */
    @Nullable
    Object executor();

    /** {@return whether it has ended, or was collected} */
    default boolean isGone() {
        Object executor = executor();
        return executor == null || PoolState.of(executor) == PoolState.TERMINATED;
    }

    /**
     * {@return a source for an instrumented pool}
     *
     * @param pool the pool, not null; held weakly
     */
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
