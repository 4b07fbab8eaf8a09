/**
 * Recorders for the hot path: single-writer counters and histograms, the meter of CPU time, and immutable readings.
 *
 * <p>Each worker writes its own {@link io.lifeguard.pool.measure.WorkerRecorder}; a
 * {@link io.lifeguard.pool.measure.PoolRecorder} adds them up for each reading.
 */
@NullMarked
package io.lifeguard.pool.measure;

import org.jspecify.annotations.NullMarked;
