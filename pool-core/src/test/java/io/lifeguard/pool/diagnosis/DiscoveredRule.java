package io.lifeguard.pool.diagnosis;

import java.util.Optional;

/** A user's rule, found by {@link java.util.ServiceLoader}; it leaves all pools but one alone. */
public final class DiscoveredRule implements Rule {

    static final String POOL = "discovered-by-rule";

    @Override
    public Optional<Finding> examine(PoolWindow window) {
        return window.pool().equals(POOL)
                ? Optional.of(Finding.of("discovered", window).build())
                : Optional.empty();
    }
}
