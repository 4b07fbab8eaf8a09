package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.bottleneck.Thresholds;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;

/**
 * Finds pools with work whose process was stopped by the CPU quota of its container. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> Throttled time ÷ time ≥ 0.05, some of it in each of the latest two windows, with at least one busy
 * worker.
 *
 * <p><b>Window.</b> The last 5 s.
 *
 * <p><b>Thresholds.</b> 5 % of the time is one stop of 50 ms in a second. The kernel hands out quota every 100 ms by
 * default, so a process that has used up its quota stands still for up to the rest of that time.
 *
 * <p><b>Closest healthy workload.</b> A burst, as at start-up, that is stopped once or twice.
 */
public final class CpuThrottled extends StandardRule {

    static final String ID = "cpu-throttled";

    private static final Duration RECENT = Duration.ofSeconds(5);

    public CpuThrottled() {
        super(ID);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        PoolWindow recent = window.last(RECENT);
        if (window.process().throttled().isEmpty()) {
            return Verdict.unknown("how long the container's quota stopped the process");
        }
        double share = share(recent);
        boolean holds = share(window) > 0
                && share >= window.threshold(Thresholds.THROTTLED)
                && Bottlenecks.busyWorkers(recent) >= 1
                && (window.windows() == 1 || share(window.earlier().get(0)) > 0);
        return holds ? Verdict.found(finding(window, recent, Math.min(1, share))) : Verdict.clear();
    }

    private static double share(PoolWindow window) {
        return window.process().throttled().orElse(Duration.ZERO).toNanos() / 1e9 / window.seconds();
    }

    private static Finding finding(PoolWindow window, PoolWindow recent, double share) {
        double quota = recent.process().cores();
        Finding.Builder finding = Finding.of(ID, window)
                .evidence("throttledShare", share)
                .evidence("throttled", recent.process().throttled().orElse(Duration.ZERO))
                .evidence("quota", quota)
                .evidence("workers", window.after().size());
        recent.process().cpu().ifPresent(cpu -> finding.evidence("cpu", cpu));
        finding.summary(
                "the container's quota of %s stopped the process for %s of the last %s (%s), with %s",
                Counted.of(Units.count(quota), "CPU", "CPUs"),
                Units.time(share * recent.seconds()),
                Units.time(recent.seconds()),
                Units.percent(share),
                Counted.of(Units.rate(Bottlenecks.busyWorkers(recent)), "worker busy", "workers busy"));
        SizingEvidence.noSize(finding, "the quota changes from moment to moment what a size achieves")
                .advice("Raise the quota: the work needs more CPU time than it allows. Each stop is a pause of up to"
                        + " 100 ms. With more threads than CPUs, the quota is used up sooner.");
        return finding.build();
    }
}
