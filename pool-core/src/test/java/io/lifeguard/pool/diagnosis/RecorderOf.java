package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.recording.Recorder;

/** Shows the recorder of a monitor to tests of other packages. */
public final class RecorderOf {

    private RecorderOf() {}

    public static Recorder monitor(PoolMonitor monitor) {
        return monitor.recorder();
    }
}
