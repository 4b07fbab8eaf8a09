package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.cpu.Disturbances;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.log.Guard;

/**
 * What the parts of a monitor's rounds share. Immutable.
 *
 * @param listeners the monitor's own and users', as one
 */
record Engine(
        MonitorSettings settings,
        MonitorClock clock,
        EvidenceSources sources,
        Disturbances disturbances,
        Guard guard,
        RuleBook rules,
        FindingListener listeners,
        RoundRecorder recorder) {}
