package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.window.PoolWindow;

/** Is found by {@link java.util.ServiceLoader} before {@link DiscoveredRule}, and cannot be made. */
public final class BrokenRule implements Rule {

    /** Throws. */
    public BrokenRule() {
        throw new NoClassDefFoundError("on purpose");
    }

    @Override
    public Verdict examine(PoolWindow window) {
        return Verdict.clear();
    }
}
