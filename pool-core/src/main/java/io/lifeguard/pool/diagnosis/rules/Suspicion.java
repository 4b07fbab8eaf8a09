package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.StackSample;
import java.util.Optional;

/** When a rule may ask for evidence that costs something. Stateless. */
final class Suspicion {

    /**
     * A suspicion that stacks have not confirmed is looked into again after so many windows, so that it costs a
     * fraction of a standing one.
     */
    private static final int EVERY = 4;

    /** Share of the time of running tasks above which they compute, and so do not wait. */
    private static final double COMPUTING = 0.7;

    /**
     * Share of all CPUs from which on tasks wait for those, whatever else they wait for: without that they would do
     * 1.25 times as much at most.
     */
    private static final double ALL_CPUS = 0.8;

    private Suspicion() {}

    /** Whether nobody has looked at the workers' stacks for a while. */
    static boolean mayLookAgain(PoolWindow window) {
        return window.parts(EVERY).stream().noneMatch(each -> each.stacks().isPresent());
    }

    /**
     * The latest look at the workers' stacks, if it is recent: of a large pool the budget does not allow one in every
     * window.
     */
    static Optional<StackSample> recentStacks(PoolWindow window) {
        return window.last(EVERY).stacks();
    }

    /**
     * Whether workers are busy and yet do not compute: they wait for something. Where CPU time is unknown this cannot
     * be excluded.
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
