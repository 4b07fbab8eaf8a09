package io.lifeguard.pool.os;

/**
 * The times and context switches of one thread since it began, as counted by Linux. Immutable.
 *
 * @param cpuNanos CPU time in user mode and in the kernel
 * @param runQueueNanos how long the thread was ready to run and had no CPU
 * @param voluntarySwitches how often the thread gave up the CPU to wait
 * @param involuntarySwitches how often the CPU was taken from the thread
 */
public record ThreadReading(long cpuNanos, long runQueueNanos, long voluntarySwitches, long involuntarySwitches) {}
