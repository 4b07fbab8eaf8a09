package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.window.Threshold;
import java.util.Set;

/**
 * A rule that comes with the library, with the one id of its findings and its thresholds. Immutable.
 *
 * <p>{@link java.util.ServiceLoader} calls the public constructors without arguments.
 */
abstract class StandardRule implements Rule {

    private final Set<String> ids;
    private final Set<Threshold> thresholds;

    StandardRule(String id, Threshold... thresholds) {
        this.ids = Set.of(id);
        this.thresholds = Set.of(thresholds);
    }

    @Override
    public final Set<String> ids() {
        return ids;
    }

    @Override
    public final Set<Threshold> thresholds() {
        return thresholds;
    }
}
