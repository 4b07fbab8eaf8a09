package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;

/** Decides when a rule asks for more stacks. Stateless. */
final class Suspicion {

    /** From this share of the time of running tasks on, they compute, and so do not wait. */
    private static final double COMPUTING = 0.7;

    /**
     * From this share of all CPUs on, tasks wait for CPUs first: without other waits they would do 1.25 times as much
     * at most.
     */
    private static final double ALL_CPUS = 0.8;

    private Suspicion() {}

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
        if (window.busyWorkers() < 1.5 || window.utilisation() < 0.5) {
            return false;
        }
        double computing = Math.min(
                COMPUTING * window.busyWorkers() * window.seconds(),
                ALL_CPUS * window.process().cores() * window.seconds());
        return window.cpuTime().map(cpu -> cpu.seconds() < computing).orElse(true);
    }
}
