package io.lifeguard.pool.measure;

/**
 * What it costs to read the time, and to record one task. Immutable.
 *
 * @param timeReadNanos of one {@link System#nanoTime()}
 * @param recordNanos of one {@link WorkerRecorder#begin} and {@link WorkerRecorder#end}
 */
record RecordingCost(double timeReadNanos, double recordNanos) {}
