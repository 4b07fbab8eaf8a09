package io.lifeguard.pool.diagnosis.sizing;

/**
 * The curves at both ends of the interval for the wait outside divided by the CPU time. Immutable.
 *
 * @param cautious the curve in the middle
 * @param error of the wait outside divided by the CPU time, as a share
 * @param estimate the demand, as far as it was seen
 */
record CurveInterval(ServiceCurve cautious, double error, DemandEstimate estimate) {

    ServiceCurve least() {
        return curve(varied(1 / factor()));
    }

    ServiceCurve most() {
        return curve(varied(factor()));
    }

    /** The curve at the lower end. While no stack was seen, that of tasks that only compute. */
    ServiceCurve lowest() {
        Demand demand = varied(1 / factor());
        return estimate.isRestUnseen()
                ? curve(new Demand(demand.cpu(), 0, demand.lock(), demand.cores(), 0, 1))
                : curve(demand);
    }

    /** The curve at the upper end. While no stack was seen, that of tasks that wait for all the rest of the time. */
    ServiceCurve highest() {
        Demand demand = varied(factor());
        return estimate.isRestUnseen()
                ? curve(demand.withTimes(demand.cpu(), Math.max(demand.outside(), estimate.unseenRest())))
                : curve(demand);
    }

    /** Half of the error to each of the two times. */
    private double factor() {
        return Math.sqrt(1 + error);
    }

    private Demand varied(double factor) {
        Demand demand = cautious.demand();
        return demand.withTimes(demand.cpu() / factor, demand.outside() * factor);
    }

    private ServiceCurve curve(Demand demand) {
        return ServiceCurve.of(demand, cautious.variability());
    }
}
