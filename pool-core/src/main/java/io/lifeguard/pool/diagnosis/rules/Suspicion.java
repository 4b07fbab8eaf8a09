package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.StackSample;
import java.util.Optional;

/** Decides when a rule may ask for costly evidence. Stateless. */
final class Suspicion {

    /**
     * A suspicion that stacks have not confirmed is checked again after 4 windows, so that it costs a fraction of a
     * confirmed one.
     */
    private static final int EVERY = 4;

    /** From this share of the time of running tasks on, they compute, and so do not wait. */
    private static final double COMPUTING = 0.7;

    /**
     * From this share of all CPUs on, tasks wait for CPUs first: without other waits they would do 1.25 times as much
     * at most.
     */
    private static final double ALL_CPUS = 0.8;

    private Suspicion() {}

    /** Whether there are no stacks of the latest windows. */
    static boolean mayLookAgain(PoolWindow window) {
        return window.parts(EVERY).stream().noneMatch(each -> each.stacks().isPresent());
    }

    /** The latest stacks, if they are recent. For a large pool the budget does not allow stacks in every window. */
    static Optional<StackSample> recentStacks(PoolWindow window) {
        return window.last(EVERY).stacks();
    }

    /**
     * Whether workers are busy and yet do not compute, so that they wait for something. Where CPU time is unknown this
     * cannot be excluded.
     */
    static boolean workersWait(PoolWindow window) {
        if (window.busyWorkers() < 1.5 || window.utilisation() < 0.5) {
            return false;
        }
        double computing = Math.min(
                COMPUTING * window.busyWorkers() * window.seconds(),
                ALL_CPUS * window.process().cores() * window.seconds());
        return window.cpuTime().map(cpu -> cpu.seconds() < computing).orElse(true);
    }
}
