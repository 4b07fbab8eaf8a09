package io.lifeguard.pool.diagnosis.testing;

import io.lifeguard.pool.diagnosis.sizing.Demand;
import io.lifeguard.pool.diagnosis.sizing.ServiceCurve;
import io.lifeguard.pool.diagnosis.window.Doing;

/** Windows of saturated pools that behave as the model says, for tests of what is made of them. Stateless. */
public final class Simulated {

    private Simulated() {}

    /** A saturated pool on two cores; CPU time and wait outside in seconds. */
    public static Windows saturated(int workers, double cpu, double outside) {
        return saturated(workers, Demand.of(cpu, outside, 2));
    }

    public static Windows saturated(int workers, Demand demand) {
        return saturated("orders", workers, demand);
    }

    public static Windows saturated(String pool, int workers, Demand demand) {
        ServiceCurve.Point point = ServiceCurve.of(demand).at(workers);
        double throughput = point.throughput();
        double waiting = Math.max(0, point.serviceTime() - demand.cpu() - demand.outside() - demand.lock());
        double used = throughput * demand.cpu();
        return Windows.of(pool)
                .seconds(10)
                .size(workers)
                .busy(workers)
                .tasks(Math.round(throughput * 10))
                .queued(100)
                .blockedNow(1)
                .blockedSubmits(1000, 9)
                .service(point.serviceTime())
                .cpu(demand.cpu())
                .system(used * 10, waiting * throughput * 10, Math.round(throughput * 10), Math.round(throughput * 2))
                .doing(Breakdowns.of(workers)
                        .with(Doing.COMPUTING, used)
                        .with(Doing.WAITING_FOR_CPU, waiting * throughput)
                        .with(Doing.WAITING_OUTSIDE, Math.max(0, workers - used - waiting * throughput))
                        .build())
                .process(demand.cores(), used, 0.02, Math.min(1, (used + 0.02) / demand.cores()));
    }
}
