package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.scenarios.Scenario;
import java.util.List;

/**
 * One rival in one fork. Immutable.
 *
 * @param scenarios what the fork measures, which is usually one scenario
 */
public record Pairing(List<Scenario> scenarios, Rival rival) {
    public Pairing {
        scenarios = List.copyOf(scenarios);
    }

    /** Whether the fork runs under a quota of CPU. */
    public boolean needsQuota() {
        return first().neighbours().machine().cores() > 0;
    }

    /** What they have in common: the same fork, the same neighbours, the same arguments. */
    Scenario first() {
        return scenarios.get(0);
    }
}
