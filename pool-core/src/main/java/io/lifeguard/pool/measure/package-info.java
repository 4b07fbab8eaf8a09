/**
 * Recorders for the hot path: single-writer counters and histograms, the meter of CPU time, and immutable readings of
 * them.
 *
 * <p>Each worker writes its own {@link io.lifeguard.pool.measure.WorkerRecorder}; a
 * {@link io.lifeguard.pool.measure.PoolRecorder} adds them up when they are read.
 */
@NullMarked
package io.lifeguard.pool.measure;

import org.jspecify.annotations.NullMarked;
