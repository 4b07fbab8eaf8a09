package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.text.UserCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls rules and listeners, and logs the first failure of each class. What they throw does not reach the monitor.
 * Thread-safe.
 */
final class Guard extends UserCode {

    private static final Logger LOG = LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");

    Guard() {
        super((who, failure) ->
                LOG.warn("{} failed and is ignored this time; further failures of it are not logged", who, failure));
    }
}
