package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Counts;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.PoolSnapshot.Saturation;
import io.lifeguard.pool.PoolSnapshot.Times;
import io.lifeguard.pool.RejectionReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Snapshots of a pool of four workers, made by hand. Immutable. */
record Snapshots(
        double at,
        int queued,
        int active,
        Sum waits,
        Sum service,
        Sum blocks,
        long rejected,
        long callerRuns,
        double idleSeconds,
        Limits limits) {

    Snapshots(double at) {
        this(at, 0, 0, Sum.NONE, Sum.NONE, Sum.NONE, 0, 0, 1, new Limits(4, 4, 1000));
    }

    Snapshots queued(int tasks) {
        return new Snapshots(at, tasks, active, waits, service, blocks, rejected, callerRuns, idleSeconds, limits);
    }

    Snapshots active(int workers) {
        return new Snapshots(at, queued, workers, waits, service, blocks, rejected, callerRuns, idleSeconds, limits);
    }

    Snapshots waited(long tasks, double seconds) {
        Sum sum = new Sum(tasks, seconds);
        return new Snapshots(at, queued, active, sum, service, blocks, rejected, callerRuns, idleSeconds, limits);
    }

    Snapshots served(long tasks, double seconds) {
        Sum sum = new Sum(tasks, seconds);
        return new Snapshots(at, queued, active, waits, sum, blocks, rejected, callerRuns, idleSeconds, limits);
    }

    Snapshots blocked(long submits, double seconds) {
        Sum sum = new Sum(submits, seconds);
        return new Snapshots(at, queued, active, waits, service, sum, rejected, callerRuns, idleSeconds, limits);
    }

    Snapshots turnedAway(long rejections, long runsOfCallers) {
        return new Snapshots(
                at, queued, active, waits, service, blocks, rejections, runsOfCallers, idleSeconds, limits);
    }

    /** Adds idle time of the workers, in sum, to the one second of the default. */
    Snapshots idle(double seconds) {
        return new Snapshots(at, queued, active, waits, service, blocks, rejected, callerRuns, 1 + seconds, limits);
    }

    Snapshots limits(int core, int most, int remaining) {
        Limits other = new Limits(core, most, remaining);
        return new Snapshots(at, queued, active, waits, service, blocks, rejected, callerRuns, idleSeconds, other);
    }

    PoolSnapshot snapshot() {
        return PoolSnapshot.builder("by-hand")
                .nanoTime(duration(at).toNanos())
                .load(new PoolSnapshot.Load(4, active, queued, Duration.ZERO))
                .limits(limits)
                .counts(new Counts(service.count, service.count, 0, rejected, callerRuns, 0))
                .times(new Times(waits, service, Sum.NONE, blocks, Sum.NONE, duration(idleSeconds)))
                .saturation(new Saturation(
                        0,
                        0,
                        Duration.ZERO,
                        Map.of(RejectionReason.ABORTED, rejected),
                        List.of(),
                        List.of(),
                        List.of()))
                .build();
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    /** A distribution of which count and sum are known. */
    record Sum(long count, double seconds) implements Distribution {

        static final Sum NONE = new Sum(0, 0);

        @Override
        public Duration total() {
            return duration(seconds);
        }

        @Override
        public Duration mean() {
            return count == 0 ? Duration.ZERO : duration(seconds / count);
        }

        @Override
        public Duration max() {
            return mean();
        }

        @Override
        public Duration percentile(double quantile) {
            return mean();
        }

        @Override
        public long countBelow(Duration bound) {
            return count;
        }

        @Override
        public Distribution since(Distribution earlier) {
            return this;
        }

        @Override
        public Accuracy accuracy() {
            return Accuracy.EXACT;
        }
    }
}
