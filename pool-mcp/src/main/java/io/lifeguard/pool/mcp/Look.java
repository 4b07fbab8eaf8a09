package io.lifeguard.pool.mcp;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.tools.watch.PoolView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What was seen of one JVM in a bounded time. Immutable.
 *
 * @param name for instance {@code look-1}
 * @param time when it ended
 * @param length how long it took
 * @param pid the process
 * @param program its main class or jar, and its arguments
 * @param pools its pools, as they were last
 * @param findings the raised findings, worst first
 * @param obstacle without findings, why it would be a guess that nothing is wrong; with findings, what was not looked
 *     at because that could crash the JVM; otherwise empty
 */
record Look(
        String name,
        Instant time,
        Duration length,
        long pid,
        String program,
        List<PoolView> pools,
        List<Finding> findings,
        Optional<String> obstacle) {}
