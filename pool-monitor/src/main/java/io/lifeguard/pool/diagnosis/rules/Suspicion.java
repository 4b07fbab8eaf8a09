package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.bottleneck.Thresholds;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Decides when a rule asks for more stacks. Stateless. */
final class Suspicion {

    /** From this share of the time of running tasks on, they compute, and so do not wait. */
    private static final double COMPUTING = 0.7;

    /** Waits for less than a tenth of the time are no reason for a finding. */
    private static final double ALMOST_ALL = 0.9;

    /** One worker, and half of another one: a worker that is alone waits for none of its own pool. */
    private static final double FEWEST_BUSY = 1.5;

    /** With less than half of its workers busy, a pool does not wait for them. */
    private static final double LIGHT_LOAD = 0.5;

    private Suspicion() {}

    /**
     * What to collect about a pool whose tasks queue, in order to learn what its workers wait for. Stacks stop all
     * threads, and tell nothing of workers that do not wait.
     */
    static Set<Evidence> ofWaits(PoolWindow window) {
        return workersCompute(window) ? Set.of(Evidence.WORKERS) : EnumSet.allOf(Evidence.class);
    }

    /** Whether the system's times show that busy workers only compute, or wait for a CPU. */
    private static boolean workersCompute(PoolWindow window) {
        double busy = window.busyWorkers() * window.seconds();
        Optional<ThreadTimes> times = window.workerTimes();
        return times.isPresent()
                && times.get().cpu().plus(times.get().runQueueDelay()).toNanos() / 1e9 >= ALMOST_ALL * busy;
    }

    /**
     * Whether workers are busy and yet do not compute, so that they wait for something. Where CPU time is unknown this
     * cannot be excluded.
     */
    static boolean workersWait(PoolWindow window) {
        if (window.breakdown()
                        .workers(Doing.WAITING_FOR_LOCK, Doing.WAITING_FOR_RESULT, Doing.WAITING_IN_LINE)
                        .value()
                >= 1) {
            return true;
        }
        if (window.busyWorkers() < FEWEST_BUSY || window.utilisation() < LIGHT_LOAD) {
            return false;
        }
        double computing = Math.min(
                COMPUTING * window.busyWorkers() * window.seconds(),
                Thresholds.CPU_MUCH * window.process().cores() * window.seconds());
        return window.cpuTime().isEmpty() || window.cpuTime().get().seconds() < computing;
    }
}
