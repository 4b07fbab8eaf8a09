package io.lifeguard.examples.jaraudit;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import java.util.List;

/**
 * One audit of all jars. Immutable.
 *
 * @param elapsedNanos from the first submission to the end of the last worker
 * @param cpu who used the processors meanwhile
 * @param results the report about each jar
 * @param snapshot what the pool measured
 * @param findings what the lifeguard found wrong with the pool
 */
record RunResult(long elapsedNanos, CpuUse cpu, ResultSheet results, PoolSnapshot snapshot, List<Finding> findings) {}
