package io.lifeguard.pool.os;

/**
 * The times and context switches of one thread since it began, as counted by Linux. Immutable.
 *
 * @param cpuNanos CPU time, user and system
 * @param runQueueNanos how long it was ready to run and had no CPU
 * @param voluntarySwitches how often it gave the CPU away to wait for something
 * @param involuntarySwitches how often the CPU was taken from it
 */
public record ThreadReading(long cpuNanos, long runQueueNanos, long voluntarySwitches, long involuntarySwitches) {}
