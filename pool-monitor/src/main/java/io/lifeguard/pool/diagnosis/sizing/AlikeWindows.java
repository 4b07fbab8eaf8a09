package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.ArrayList;
import java.util.List;

/** The latest windows in which a pool had the same size and was as saturated. Stateless. */
final class AlikeWindows {

    /**
     * Coefficient of variation of the windows. A judgement: beyond it, the mean of four windows is off by a tenth, and
     * so is a size.
     */
    private static final double UNSTEADY = 0.2;

    /** Windows that have a standard deviation: that of two is off by 70 % itself. */
    private static final int FEWEST_WINDOWS = 3;

    /** How many windows are used: enough for a mean, and few enough to describe the present. */
    private static final int MOST_WINDOWS = 10;

    private AlikeWindows() {}

    static int count(PoolWindow window) {
        int count = 1;
        for (PoolWindow earlier : window.earlier()) {
            if (count == MOST_WINDOWS
                    || earlier.before().size() != window.after().size()
                    || earlier.isSaturated() != window.isSaturated()) {
                break;
            }
            count++;
        }
        return count;
    }

    /** {@return the coefficient of variation of their throughput per busy worker} */
    static double spread(List<PoolWindow> windows) {
        List<Double> rates = new ArrayList<>();
        for (PoolWindow each : windows) {
            if (each.busyWorkers() > 0) {
                rates.add(each.throughput() / each.busyWorkers());
            }
        }
        return rates.size() < FEWEST_WINDOWS ? 0 : Samples.variation(rates, 0);
    }

    /** {@return whether so large a spread makes a size uncertain} */
    static boolean areUnsteady(double spread) {
        return spread > UNSTEADY;
    }
}
