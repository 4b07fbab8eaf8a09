package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.diagnosis.evidence.stack.StackShares;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSource;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.FakePool;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pools of 50 busy workers share the stacks of a core of which each stack costs 54 µs, in fake time. */
class StackSharesTest {

    private static final int SECONDS = 20;
    private static final int LOOKS_A_SECOND = 20;

    private final FakeClock clock = new FakeClock();
    private final StackShares shares = new StackShares();
    private final Map<Integer, Integer> taken = new HashMap<>(); // by pool
    private long nanosPerStack = 54_000;
    private long cpu;

    @Test
    void look_fiveSuspectedPools_haveSixtyEachSecond() {
        run(5, 5);

        assertThat(perSecond(0, 5)).allSatisfy(stacks -> assertThat(stacks).isBetween(56.0, 66.0));
        assertThat(share()).isLessThan(0.02);
    }

    @Test
    void look_twentySuspectedPools_haveAFairShare() {
        run(20, 20);

        assertThat(perSecond(0, 20)).allSatisfy(stacks -> assertThat(stacks).isBetween(13.0, 17.0));
        assertThat(share()).isLessThan(0.02);
    }

    @Test
    void look_oneSuspectedPoolAmongTwenty_hasMostAndTheOthersSome() {
        run(20, 1);

        assertThat(perSecond(0, 1)).allSatisfy(stacks -> assertThat(stacks).isBetween(80.0, 99.0));
        assertThat(perSecond(1, 20)).allSatisfy(stacks -> assertThat(stacks).isBetween(1.0, 2.0));
    }

    @Test
    void look_nothingSuspected_leavesMostOfHalfAPercent() {
        run(20, 0);

        assertThat(perSecond(0, 20)).allSatisfy(stacks -> assertThat(stacks).isBetween(1.0, 2.0));
        assertThat(share()).isLessThan(0.002);
    }

    @Test
    void look_onePoolWorks_hasAsManyAsAPoolMayHave() {
        run(1, 0);

        assertThat(perSecond(0, 1)).allSatisfy(stacks -> assertThat(stacks).isBetween(13.0, 17.0));
    }

    @Test
    void look_deepStacks_areFewer() {
        nanosPerStack = 179_000;
        run(5, 5);

        assertThat(perSecond(0, 5)).allSatisfy(stacks -> assertThat(stacks).isBetween(14.0, 24.0));
        assertThat(share()).isLessThan(0.02);
    }

    private void run(int pools, int suspected) {
        EvidenceBudget budget = new EvidenceBudget(() -> cpu, clock::nanoTime);
        List<PoolEvidence> all = new ArrayList<>();
        for (int i = 0; i < pools; i++) {
            int pool = i;
            StackSource source = (ids, depth) -> {
                taken.merge(pool, ids.length, Integer::sum);
                cpu += ids.length * nanosPerStack;
                return ManagementFactory.getThreadMXBean().getThreadInfo(ids, depth);
            };
            all.add(new PoolEvidence(
                    "pool-" + i,
                    new StackSampler(source, budget, shares, clock::nanoTime),
                    resource -> Optional.empty(),
                    new BusyThreads(clock::nanoTime, List::of)));
        }
        budget.begin();
        shares.among(suspected, pools - suspected);
        List<WorkerState> workers = IntStream.range(0, 50)
                .mapToObj(i -> new WorkerState(
                        Thread.currentThread(),
                        OptionalLong.empty(),
                        true,
                        false,
                        Optional.of("kind"),
                        Duration.ZERO,
                        i))
                .toList();
        FakePool meter = new FakePool("fake", clock);
        meter.workers = workers;
        for (int look = 0; look < SECONDS * LOOKS_A_SECOND; look++) {
            clock.pass(Duration.ofMillis(1_000 / LOOKS_A_SECOND));
            int first = ThreadLocalRandom.current().nextInt(pools);
            for (int i = 0; i < pools; i++) {
                int pool = (first + i) % pools;
                all.get(pool).look(meter, pool < suspected, pool < suspected, new AwaitedTasks(List.of()));
            }
        }
        assertThat(all).allMatch(PoolEvidence::hasWork);
    }

    private List<Double> perSecond(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(pool -> taken.getOrDefault(pool, 0) / (double) SECONDS)
                .toList();
    }

    private double share() {
        return cpu / 1e9 / SECONDS;
    }
}
