package io.lifeguard.pool.diagnosis;

import java.util.concurrent.atomic.AtomicBoolean;

/** Says once that security managers are not supported, where one is set. Thread-safe. */
final class SecurityManagers {

    // from false to true, by the first thread of a monitor; CAS, so no read is stale
    private static final AtomicBoolean IS_SAID = new AtomicBoolean();

    private SecurityManagers() {}

    @SuppressWarnings("removal") // there is none since Java 24
    static void warn() {
        if (System.getSecurityManager() != null && IS_SAID.compareAndSet(false, true)) {
            LogLines.MONITOR.write(log -> log.warn("A security manager is set. Pools work under it. The monitor is not"
                    + " tested with one, and is silent about what it may not read"));
        }
    }
}
