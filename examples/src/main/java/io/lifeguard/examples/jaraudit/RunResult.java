package io.lifeguard.examples.jaraudit;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.report.LastMinute;
import java.util.List;

/**
 * One audit of all jars. Immutable.
 *
 * @param elapsedNanos the time from the first submission to the end of the last worker
 * @param cpu the use of the processors meanwhile
 * @param results the report about each jar
 * @param snapshot the measurements of the pool
 * @param findings the lifeguard's findings about the pool
 * @param lastMinute what the lifeguard recorded
 */
record RunResult(
        long elapsedNanos,
        CpuUse cpu,
        ResultSheet results,
        PoolSnapshot snapshot,
        List<Finding> findings,
        LastMinute lastMinute) {}
