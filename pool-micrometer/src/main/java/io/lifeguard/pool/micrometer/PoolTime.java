package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import java.time.Duration;

/** One of the five durations of which a pool keeps the distribution. */
enum PoolTime {
    QUEUE_WAIT("lifeguard.queue.wait", "From acceptance to the start of the run"),
    SERVICE_TIME("lifeguard.service.time", "Wall time of the runs"),
    CPU_TIME("lifeguard.cpu.time", "CPU time of the runs"),
    BLOCKED_SUBMIT("lifeguard.blocked.submit", "How long submitters waited for room"),
    CALLER_RUN_TIME("lifeguard.caller.run.time", "Wall time of the tasks that their submitters ran");

    @SuppressWarnings("ImmutableEnumChecker") // three strings
    private final MeterRow timer;

    PoolTime(String meter, String description) {
        this.timer = new MeterRow(meter, null, description);
    }

    MeterRow timer() {
        return timer;
    }

    /** A meter beside the timer. */
    MeterRow beside(String suffix, String what) {
        return new MeterRow(timer.name() + suffix, null, what + timer.description());
    }

    /** Returns everything that was recorded until the snapshot. */
    Distribution of(PoolSnapshot snapshot) {
        return switch (this) {
            case QUEUE_WAIT -> snapshot.queueWait();
            case SERVICE_TIME -> snapshot.serviceTime();
            case CPU_TIME -> snapshot.cpuTime();
            case BLOCKED_SUBMIT -> snapshot.blockedSubmit();
            case CALLER_RUN_TIME -> snapshot.callerRunTime();
        };
    }

    double count(Reading reading) {
        return of(reading.now()).count();
    }

    /** {@return the sum in nanoseconds; NaN when it is too great to be known} */
    double totalNanos(Reading reading) {
        Distribution times = of(reading.now());
        return times.isMeanKnown() ? times.total().toNanos() : Double.NaN;
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
