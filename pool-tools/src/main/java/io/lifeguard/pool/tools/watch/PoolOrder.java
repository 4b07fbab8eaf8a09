package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.Comparator;
import java.util.function.ToDoubleFunction;

/** In which order a watch shows pools. */
public enum PoolOrder {
    /** Those with findings first, then those with most busy threads. */
    SICK(pool -> pool.findings().size() * 1e6 + pool.busy()),
    /** Those with most busy threads first. */
    BUSY(PoolView::busy),
    /** Those with most threads on a CPU first. */
    CPU(pool -> pool.threads(Doing.COMPUTING).orElse(0)),
    /** Those with most threads that wait within the process, or for a CPU, first. */
    WAITING(pool -> pool.threads(Doing.WAITING_FOR_CPU).orElse(0)
            + pool.threads(Doing.WAITING_FOR_LOCK).orElse(0)
            + pool.threads(Doing.WAITING_FOR_RESULT).orElse(0)
            + pool.threads(Doing.WAITING_IN_LINE).orElse(0)),
    /** By name. */
    NAME(pool -> 0);

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final ToDoubleFunction<PoolView> size;

    PoolOrder(ToDoubleFunction<PoolView> size) {
        this.size = size;
    }

    Comparator<PoolView> comparator() {
        return Comparator.comparingDouble(size).reversed().thenComparing(PoolView::name);
    }
}
