package io.lifeguard.pool.measure;

import io.lifeguard.pool.os.Unknown;

/**
 * The counts and times of the tasks of one kind. Immutable.
 *
 * @param kind the class, the owner of the lambda, or the name the task gave itself
 * @param cpuNanos their CPU time: measured for long tasks, estimated from an unbiased sample for short ones;
 *     {@link Unknown#NUMBER} when there is no clock
 */
public record KindReading(String kind, long count, long wallNanos, long cpuNanos, long waitNanos) {}
