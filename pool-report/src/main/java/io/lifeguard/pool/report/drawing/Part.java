package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.recording.Observation;

/**
 * One recording of a report.
 *
 * @param name what it is called; empty when it is the only one
 * @param recording its observations, in any order
 */
record Part(String name, Iterable<? extends Observation> recording) {}
