package io.lifeguard.pool.diagnosis.evidence.cpu;

import java.time.Instant;
import java.util.function.LongSupplier;

/** The two clocks of a monitor: a monotonic one to measure with, and the wall clock to say when. */
public interface MonitorClock extends LongSupplier {

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

    /** The monotonic clock, for what needs no other. */
    @Override
    default long getAsLong() {
        return nanoTime();
    }

    Instant now();
}
