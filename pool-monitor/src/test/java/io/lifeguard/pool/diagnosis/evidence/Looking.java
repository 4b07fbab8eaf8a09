package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.stack.ResourceNames;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.diagnosis.evidence.stack.StackShares;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSource;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Looks at a real pool in fake time, with as many stacks as a suspected pool may have. */
final class Looking {

    private final FakeClock clock = new FakeClock();
    private final InstrumentedPool pool;
    private final PoolEvidence evidence;
    private final List<InstrumentedPool> pools = new ArrayList<>();

    Looking(InstrumentedPool pool) {
        this(pool, StackSource.ofThisJvm(), resource -> Optional.empty());
    }

    Looking(InstrumentedPool pool, StackSource source, ResourceNames names) {
        this(pool, source, names, () -> 0);
    }

    /** A monitor that has spent more in each moment than it has for an hour. */
    static Looking withoutBudget(InstrumentedPool pool) {
        AtomicLong spent = new AtomicLong();
        return new Looking(
                pool,
                StackSource.ofThisJvm(),
                resource -> Optional.empty(),
                () -> spent.addAndGet(Duration.ofMinutes(1).toNanos()));
    }

    private Looking(InstrumentedPool pool, StackSource source, ResourceNames names, LongSupplier cpuNanos) {
        this.pool = pool;
        pools.add(pool);
        EvidenceBudget budget = new EvidenceBudget(cpuNanos, clock::nanoTime);
        evidence = new PoolEvidence(
                pool.name(),
                new StackSampler(source, budget, new StackShares(), clock::nanoTime),
                names,
                new BusyThreads(clock::nanoTime, List::of));
    }

    /** Adds pools in which the tasks may be that workers wait for. */
    Looking among(InstrumentedPool... others) {
        pools.addAll(Arrays.asList(others));
        return this;
    }

    void look() {
        clock.pass(Duration.ofMillis(250));
        evidence.look(
                pool,
                true,
                true,
                new AwaitedTasks(pools.stream()
                        .map(each -> new AwaitedTasks.Candidate(
                                each.name(), each instanceof PoolSource source ? source : PoolSource.of(each)))
                        .toList()));
    }

    PoolWindow close() {
        return evidence.close(
                PoolWindow.between(pool.snapshot(), pool.snapshot()).build());
    }

    /** The breakdown of so many looks. */
    TimeBreakdown looks(int count) {
        for (int i = 0; i < count; i++) {
            look();
        }
        return close().breakdown();
    }
}
