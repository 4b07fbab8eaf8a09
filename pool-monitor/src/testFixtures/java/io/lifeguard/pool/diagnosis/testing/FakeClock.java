package io.lifeguard.pool.diagnosis.testing;

import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import java.time.Duration;
import java.time.Instant;

/** Clocks that stand until they are moved. Safe for use by any thread. */
public final class FakeClock implements MonitorClock {

    private volatile long nanos = 1_000_000_000L;
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public Instant now() {
        return now;
    }

    /** Time passes. */
    public void pass(Duration time) {
        nanos += time.toNanos();
        now = now.plus(time);
    }

    /** The wall clock is set, and the monotonic clock goes on. */
    public void leap(Duration time) {
        now = now.plus(time);
    }
}
