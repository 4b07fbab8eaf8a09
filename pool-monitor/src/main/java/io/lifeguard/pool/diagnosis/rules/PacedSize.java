package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.sizing.Demand;
import io.lifeguard.pool.diagnosis.sizing.ServiceCurve;

/** Sizes a pool whose pace is set by a lock or a limited resource. Stateless. */
final class PacedSize {

    /**
     * Share of the throughput of the lock or resource that is enough. Each further percent takes several workers more.
     */
    private static final double ENOUGH = 0.97;

    private PacedSize() {}

    /**
     * {@return how many workers a pool needs while a lock or a limited resource sets its pace}
     *
     * <p>With s workers that do not wait, c of them served at once, a task is served for c ÷ s of its time. So s
     * workers would do if all tasks took the same time. For exponential times, the smallest number is taken that
     * reaches {@value #ENOUGH} of the throughput: with fewer, the c are sometimes idle. Source: the closed network of
     * {@link ServiceCurve}, with c servers and all else as a delay.
     *
     * @param passed s, how many workers do not wait; at least 1
     * @param servers c, how many are served at once, 1 for a lock; at least 1
     */
    static int sizeFor(double passed, double servers) {
        double served = Math.min(passed, servers);
        Demand demand = new Demand(served, Math.max(1e-9, passed - served), 0, served, 0, 1);
        return Math.max((int) Math.round(passed), ServiceCurve.of(demand).smallestReaching(ENOUGH));
    }
}
