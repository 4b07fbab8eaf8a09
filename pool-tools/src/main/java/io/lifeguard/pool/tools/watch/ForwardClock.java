package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import java.time.Instant;

/**
 * A clock whose monotonic time never goes back: where the machine's does, it stands still for that step. Otherwise a
 * window would last until the machine's time has caught up. Used by one thread.
 */
final class ForwardClock implements MonitorClock {

    private final MonitorClock machine;
    private long latest; // the machine's
    private long behind; // nanoseconds that the machine's time has gone back in all

    ForwardClock(MonitorClock machine) {
        this.machine = machine;
        this.latest = machine.nanoTime();
    }

    @Override
    public long nanoTime() {
        long now = machine.nanoTime();
        behind += Math.max(0, latest - now);
        latest = now;
        return now + behind;
    }

    @Override
    public Instant now() {
        return machine.now();
    }
}
