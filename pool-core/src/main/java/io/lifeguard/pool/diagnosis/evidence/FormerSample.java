package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.StackSample;
import io.lifeguard.pool.diagnosis.window.StackSample.Group;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows a breakdown in the form that rules read before there were breakdowns. Stateless. */
final class FormerSample {

    private FormerSample() {}

    static StackSample of(TimeBreakdown breakdown, PoolWindow window) {
        double certain = 0;
        double possible = 0;
        Map<String, StackSample.Lock> locks = new LinkedHashMap<>();
        Map<List<Object>, Group> groups = new LinkedHashMap<>();
        for (Share share : breakdown.shares()) {
            double workers = share.workers().value();
            Doing doing = share.doing() == Doing.WAITING_FOR_CPU ? Doing.COMPUTING : share.doing();
            if (doing == Doing.UNKNOWN) {
                continue;
            }
            Awaited awaited = share.awaited().orElse(null);
            groups.merge(
                    List.of(doing, share.place()),
                    new Group(doing, share.place(), workers, share.stack()),
                    (one, other) -> new Group(one.doing(), one.place(), one.workers() + other.workers(), one.stack()));
            if (awaited instanceof Awaited.Lock lock) {
                locks.merge(
                        lock.name(),
                        lock(lock, share),
                        (one, other) -> new StackSample.Lock(
                                one.lock(),
                                one.monitor(),
                                one.waiters() + other.waiters(),
                                one.place(),
                                one.owner(),
                                one.ownerStack(),
                                one.otherWaiters()));
            } else if (awaited instanceof Awaited.Result result) {
                if (result.queued()
                        && result.pool().filter(window.pool()::equals).isPresent()) {
                    certain += workers;
                } else if (result.pool().isEmpty() && window.after().queued() > 0) {
                    possible += workers;
                }
            }
        }
        return new StackSample(
                breakdown.looks(),
                breakdown.workers(),
                groups.values().stream()
                        .sorted(Comparator.comparingDouble(Group::workers).reversed())
                        .toList(),
                locks.values().stream()
                        .sorted(Comparator.comparingDouble(StackSample.Lock::waiters)
                                .reversed())
                        .toList(),
                certain,
                possible,
                breakdown.longestRunning());
    }

    private static StackSample.Lock lock(Awaited.Lock lock, Share share) {
        return new StackSample.Lock(
                lock.name(),
                lock.monitor(),
                share.workers().value(),
                share.place(),
                lock.owner(),
                lock.ownerStack(),
                lock.otherWaiters());
    }
}
