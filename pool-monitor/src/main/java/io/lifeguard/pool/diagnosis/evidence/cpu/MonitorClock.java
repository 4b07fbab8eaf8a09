package io.lifeguard.pool.diagnosis.evidence.cpu;

import java.time.Instant;

/** The two clocks of a monitor: a monotonic one to measure with, and the wall clock to say when. */
public interface MonitorClock {

    /** The clocks of this machine. */
    MonitorClock SYSTEM = new MonitorClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }
    };

    long nanoTime();

    Instant now();
}
