package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.recording.Observation;
import java.util.Objects;

/**
 * One recording of a report.
 *
 * @param name what it is called; empty when it is the only one
 * @param recording its observations, in any order
 */
record Part(String name, Iterable<? extends Observation> recording) {

    Part {
        Objects.requireNonNull(name, "name must not be null");
        Objects.requireNonNull(recording, "recording must not be null");
    }
}
