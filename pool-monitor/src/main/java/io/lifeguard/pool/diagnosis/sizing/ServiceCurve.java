package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.text.Units;
import java.util.Arrays;
import java.util.Objects;

/**
 * Predicts throughput and service time of a saturated pool at every size, from what one task {@linkplain Demand asks
 * for}. Thread-safe.
 *
 * <p>The pool is a closed queueing network with as many customers as there are workers. They go round between the world
 * outside, the CPU and, if there is one, the contended lock. The world outside is a delay without a queue. The CPU is a
 * station with {@code cores} servers that all can reach, and the lock is a station with one server. Without a lock this
 * is the machine-repairman model. Source: E. D. Lazowska, J. Zahorjan, G. S. Graham, K. C. Sevcik, <i>Quantitative
 * System Performance</i>, Prentice-Hall 1984, chapters 5 (bounds), 6 to 8 (closed networks, load-dependent stations).
 *
 * <p>For a delay, and for a CPU shared in slices much shorter than tasks, only the means of times matter. But slices
 * are milliseconds long, and most tasks compute for less. They get the CPU first come, first served, and a long one
 * holds up those behind it. With the same load, the queue is then longer by the {@linkplain #variability() variability}
 * of CPU times. Sources: A. M. Lee, P. A. Longton, <i>Queueing processes associated with airline passenger
 * check-in</i>, Operational Research Quarterly 10, 1959; W. Whitt, <i>Approximations for the GI/G/m queue</i>,
 * Production and Operations Management 2, 1993.
 *
 * <p>For a lock the prediction assumes exponential times. It is a bit low near the knee when tasks always hold the lock
 * for the same time.
 */
public final class ServiceCurve {

    /**
     * The largest size with a prediction. A judgement: the curve then takes 0.5 MB, and few machines run more threads.
     */
    public static final int LARGEST_SIZE = 10_000;

    /** The variability of CPU times that are all the same: (1 + c²) / 2 with c = 0. */
    static final double LEAST_VARIABILITY = 0.5;

    /*
     * X(N) = G(N - 1) / G(N), where G(n) is the sum over all ways to spread n customers over the stations of the
     * product of the stations' factors: outside k customers have prod(Z(i) / i), at the CPU prod(C / min(i, m)), at the
     * lock L^k. From ceil(m) customers on, the CPU's factors are a geometric series. So the sum over them is carried
     * from n - 1 to n (`tail`) instead of being formed anew. The lock's factors are such a series from the start: G
     * with lock (n) = G without (n) + L * G with lock (n - 1). Nothing is ever subtracted, so nothing cancels out, as
     * it does in mean value analysis with several servers; logarithms keep it in range.
     *
     * The same sums with each term k times, where k customers are at the CPU, make up H(n); H(n) / G(n) is the mean
     * number there. With variability v as much is done with q customers waiting for a CPU as exponential times need q /
     * v for; so X(n) is reached with n + (v - 1) * q(n) workers, and between whole n both are interpolated.
     */
    private final Demand demand;
    private final double variability;
    private final int servers;
    private final double[] logCpu; // factors of 0 .. servers customers

    // guarded by this; extended on demand
    private double[] logOutside = new double[] {0};
    private double[] logG = new double[] {0};
    private double[] logH = new double[] {Double.NEGATIVE_INFINITY};
    private double logTail = Double.NEGATIVE_INFINITY;
    private double logTailH = Double.NEGATIVE_INFINITY;
    private int known;

    private ServiceCurve(Demand demand, double variability) {
        if (!(variability >= LEAST_VARIABILITY) || Double.isInfinite(variability)) {
            throw new IllegalArgumentException(
                    "variability must be >= " + LEAST_VARIABILITY + " (was " + variability + ")");
        }
        this.demand = Objects.requireNonNull(demand, "demand must not be null");
        this.variability = variability;
        this.servers = (int) Math.min(LARGEST_SIZE, Math.ceil(demand.cores()));
        this.logCpu = new double[servers + 1];
        for (int i = 1; i <= servers; i++) {
            logCpu[i] = logCpu[i - 1] + Math.log(demand.cpu() / Math.min(i, demand.cores()));
        }
    }

    /**
     * {@return the curve of a pool whose tasks ask for this}
     *
     * @param demand not null
     */
    public static ServiceCurve of(Demand demand) {
        return of(demand, 1);
    }

    /**
     * {@return the curve of a pool whose tasks ask for this on average, with CPU times that vary}
     *
     * @param demand not null
     * @param variability see {@link #variability()}
     * @throws IllegalArgumentException if variability is less than 0.5
     */
    public static ServiceCurve of(Demand demand, double variability) {
        return new ServiceCurve(demand, variability);
    }

    /** {@return what one task asks for} */
    public Demand demand() {
        return demand;
    }

    /**
     * {@return how much longer the queue for the CPU is than with exponential CPU times at the same load}
     *
     * <p>Where tasks are served first come, first served, that is (1 + c²) / 2, where c is the coefficient of variation
     * of CPU time: 0.5 for CPU times that are all the same. Where tasks share CPUs in small slices it is 1.
     */
    public double variability() {
        return variability;
    }

    /**
     * {@return the prediction for one size}
     *
     * @param workers how many workers, from 1 to {@link #LARGEST_SIZE}
     * @throws IllegalArgumentException if there are fewer or more
     */
    public synchronized Point at(int workers) {
        requireSize(workers);
        extendTo(variability < 1 ? 2 * workers : workers);
        double throughput = variability == 1 ? exponential(workers) : varying(workers);
        return new Point(workers, throughput, workers / throughput);
    }

    private static void requireSize(int workers) {
        if (workers < 1 || workers > LARGEST_SIZE) {
            throw new IllegalArgumentException(
                    "workers must be between 1 and " + LARGEST_SIZE + " (was " + workers + ")");
        }
    }

    /** Throughput of so many customers if CPU times are exponential. */
    private double exponential(int customers) {
        return customers == 0 ? 0 : Math.exp(logG[customers - 1] - logG[customers]);
    }

    private double varying(int workers) {
        int low = 0; // as many customers do with exponential times what not more than these workers do
        int high = variability < 1 ? 2 * workers - 1 : workers;
        while (low < high) {
            int middle = (low + high + 1) / 2;
            if (workersFor(middle) <= workers) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        double here = workersFor(low);
        if (here >= workers) {
            return exponential(low);
        }
        double share = (workers - here) / (workersFor(low + 1) - here);
        return exponential(low) * (1 - share) + exponential(low + 1) * share;
    }

    /** {@return how many workers do what so many customers do with exponential CPU times} */
    private double workersFor(int customers) {
        double atCpu = Math.exp(logH[customers] - logG[customers]);
        double served = exponential(customers) * demand.cpu() / Math.min(1, demand.cores());
        return customers + (variability - 1) * Math.max(0, atCpu - served);
    }

    /**
     * {@return the throughput in tasks per second that no number of workers exceeds; infinite when tasks only wait
     * outside}
     */
    public double ceiling() {
        return demand.ceiling();
    }

    /**
     * {@return the smallest size that reaches a share of the ceiling; {@link #LARGEST_SIZE} when no size does}
     *
     * @param share of the {@linkplain #ceiling() ceiling}, above 0 and below 1
     * @throws IllegalArgumentException if it is not
     */
    public int smallestReaching(double share) {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException("share must be between 0 and 1 (was " + share + ")");
        }
        return smallestWith(share * ceiling());
    }

    /** {@return the smallest size with at least this throughput; {@link #LARGEST_SIZE} when there is none} */
    int smallestWith(double throughput) {
        int low = 1;
        int high = 1;
        while (high < LARGEST_SIZE && at(high).throughput() < throughput) {
            low = high + 1;
            high = Math.min(LARGEST_SIZE, 2 * high);
        }
        while (low < high) { // throughput never falls with size
            int middle = (low + high) / 2;
            if (at(middle).throughput() < throughput) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private void extendTo(int customers) {
        if (customers >= logG.length) {
            int length = Math.min(2 * LARGEST_SIZE, Math.max(customers, 2 * logG.length)) + 1;
            logG = Arrays.copyOf(logG, length);
            logH = Arrays.copyOf(logH, length);
            logOutside = Arrays.copyOf(logOutside, length);
        }
        double logLock = Math.log(demand.lock());
        double logServed = Math.log(demand.cpu() / demand.cores());
        while (known < customers) {
            int n = ++known;
            logOutside[n] = logOutside[n - 1] + Math.log(demand.outside(n) / n);
            if (n >= servers) {
                double first = logCpu[servers] + logOutside[n - servers];
                logTailH = logSum(logServed + logSum(logTailH, logTail), first + Math.log(servers));
                logTail = logSum(logServed + logTail, first);
            }
            double sum = logTail;
            double sumH = logTailH;
            for (int atCpu = Math.min(n, servers - 1); atCpu >= 0; atCpu--) {
                double term = logCpu[atCpu] + logOutside[n - atCpu];
                sum = logSum(sum, term);
                sumH = logSum(sumH, term + Math.log(atCpu));
            }
            logG[n] = logSum(sum, logLock + logG[n - 1]);
            logH[n] = logSum(sumH, logLock + logH[n - 1]);
        }
    }

    /** The logarithm of the sum of two numbers whose logarithms are given; that of 0 is negative infinity. */
    private static double logSum(double a, double b) {
        double larger = Math.max(a, b);
        double smaller = Math.min(a, b);
        return smaller == Double.NEGATIVE_INFINITY ? larger : larger + Math.log1p(Math.exp(smaller - larger));
    }

    @Override
    public String toString() {
        return Units.format("at most %.4g/s, variability %.2f; %s", ceiling(), variability, demand);
    }

    /**
     * The prediction for one size. Immutable.
     *
     * @param workers how many workers
     * @param throughput tasks per second
     * @param serviceTime mean service time in seconds, waiting for CPU and lock included
     */
    public record Point(int workers, double throughput, double serviceTime) {}
}
