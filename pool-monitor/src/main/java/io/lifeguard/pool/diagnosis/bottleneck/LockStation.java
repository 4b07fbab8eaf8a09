package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.List;
import java.util.Optional;

/**
 * A lock as a station with one server. Immutable.
 *
 * <p>The lock is held for a share u of the time, so q = w + u tasks wait for it or hold it. By the arrival theorem for
 * n workers, q = u · (1 + q · (n − 1) / n). Here q · (n − 1) / n is P. Schweitzer's approximation of what a task meets
 * when it comes (Lazowska et al., chapter 6). So u = (√(w² + 4w · n / (n − 1)) − w) / 2, and a task holds the lock for
 * u / throughput.
 *
 * <p>The throughput that follows agrees within 10 % with simulations of tasks of exponential times, and was 13 % off in
 * one measurement. For tasks that all take the same time it is a fifth too low.
 *
 * @param lock its class and identity, or the place where tasks wait for it
 * @param busy the share of the time in which it is held, 0 to 1
 */
public record LockStation(String lock, double busy) {

    /**
     * {@return the lock with most waiters; empty when too few wait for it}
     *
     * @param running how many threads run tasks on average
     */
    public static Optional<LockStation> of(PoolWindow window, double running) {
        double fewest = Math.max(Thresholds.DISPATCHER_LOCK_WAITERS, Thresholds.DISPATCHER_LOCK_SHARE * running);
        List<WaitingWorkers> groups = WaitingWorkers.of(window.breakdown(), Doing.WAITING_FOR_LOCK);
        if (groups.isEmpty() || groups.get(0).workers().value() < fewest) {
            return Optional.empty();
        }
        WaitingWorkers most = groups.get(0);
        return Optional.of(new LockStation(name(most), busy(most.workers().value(), running)));
    }

    private static String name(WaitingWorkers group) {
        return group.largest().awaited().orElse(null) instanceof Awaited.Lock lock ? lock.name() : group.place();
    }

    /**
     * {@return how many of the threads that run tasks wait on average for a lock that is held for this share of the
     * time: w = u² / (n / (n − 1) − u), from the same equation}
     */
    static double waiters(double share, double running) {
        double n = Math.max(2, running);
        return share * share / (n / (n - 1) - share);
    }

    private static double busy(double waiters, double running) {
        double n = Math.max(2, running);
        return Math.min(1, (Math.sqrt(waiters * waiters + 4 * waiters * n / (n - 1)) - waiters) / 2);
    }
}
