package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.Optional;

/** Is found by {@link java.util.ServiceLoader} before {@link DiscoveredRule}, and cannot be made. */
public final class BrokenRule implements Rule {

    /** Throws. */
    public BrokenRule() {
        throw new NoClassDefFoundError("on purpose");
    }

    @Override
    public Optional<Finding> examine(PoolWindow window) {
        return Optional.empty();
    }
}
