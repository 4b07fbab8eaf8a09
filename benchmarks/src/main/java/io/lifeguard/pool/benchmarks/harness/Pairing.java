package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.scenarios.Scenario;

/** One rival in one scenario. Immutable. */
public record Pairing(Scenario scenario, Rival rival) {}
