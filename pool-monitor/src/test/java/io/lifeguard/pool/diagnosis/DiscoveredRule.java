package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import java.util.Set;

/** A user's rule, found by {@link java.util.ServiceLoader}; it leaves all pools but one alone. */
public final class DiscoveredRule implements Rule {

    static final String POOL = "discovered-by-rule";

    @Override
    public Set<Threshold> thresholds() {
        return Set.of(new Threshold("discovered.limit", 1, "nothing is compared with it"));
    }

    @Override
    public Verdict examine(PoolWindow window) {
        return window.pool().equals(POOL)
                ? Verdict.found(Finding.of("discovered", window).build())
                : Verdict.clear();
    }
}
