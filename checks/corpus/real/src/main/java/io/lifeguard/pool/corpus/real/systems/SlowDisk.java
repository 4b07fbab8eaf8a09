package io.lifeguard.pool.corpus.real.systems;

import io.lifeguard.workbench.Waiting;
import java.io.OutputStream;

/** A disk that takes the same time for each write. Thread-safe. */
final class SlowDisk extends OutputStream {

    private final double millis;

    SlowDisk(double millis) {
        this.millis = millis;
    }

    @Override
    public void write(int b) {
        Waiting.millis(millis);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        Waiting.millis(millis);
    }
}
