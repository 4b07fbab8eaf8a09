package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.lang.ref.WeakReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one binder binds: which pools, whose findings, and with which choices. Thread-safe. */
final class Binding {

    private final MeterOptions options;
    private final @Nullable WeakReference<InstrumentedPool> only; // null: all pools

    // Null without findings. Written by the thread that binds, once, before a registry has meters.
    private volatile @Nullable PoolMonitor monitor;

    Binding(MeterOptions options, @Nullable InstrumentedPool only, @Nullable PoolMonitor monitor) {
        this.options = options;
        this.only = only == null ? null : new WeakReference<>(only);
        this.monitor = monitor;
    }

    MeterOptions options() {
        return options;
    }

    /** The monitor whose findings are shown, null without findings. */
    @Nullable
    PoolMonitor monitor() {
        return monitor;
    }

    void monitor(PoolMonitor global) {
        monitor = global;
    }

    List<Finding> findings(String pool) {
        PoolMonitor present = monitor;
        return present == null ? List.of() : present.findings(pool);
    }

    boolean wantsAll() {
        return only == null;
    }

    /** Whether the pool has its meters because of this binder; null stands for a pool that has been collected. */
    boolean wants(@Nullable InstrumentedPool pool) {
        return only == null || only.refersTo(pool);
    }

    /** The pools that are to be bound and have not been collected. */
    List<InstrumentedPool> wantedPools() {
        if (only == null) {
            return Pools.live();
        }
        InstrumentedPool pool = only.get();
        return pool == null ? List.of() : List.of(pool);
    }
}
