/**
 * The recorders of the hot path: single-writer counters and histograms, the meter of CPU time, and what readers make of
 * them.
 *
 * <p>Each worker writes its own {@link io.lifeguard.pool.measure.WorkerRecorder}; a
 * {@link io.lifeguard.pool.measure.PoolRecorder} adds them up when somebody reads.
 */
@NullMarked
package io.lifeguard.pool.measure;

import org.jspecify.annotations.NullMarked;
