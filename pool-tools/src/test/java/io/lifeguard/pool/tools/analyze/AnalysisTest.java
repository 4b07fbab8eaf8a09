package io.lifeguard.pool.tools.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.tools.watch.PoolKind;
import io.lifeguard.pool.tools.watch.PoolView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Silence about a pool that worked says nothing where most of what the pool did is unknown. */
class AnalysisTest {

    /** In all pools together, 8 of 108 workers are unknown. */
    @Test
    void silence_idlePoolsBesideAPoolOfWhichLittleIsKnown_namesThatPool() {
        Stream<PoolView> idle = IntStream.range(0, 100).mapToObj(i -> pool("idle-" + i, 1, Doing.IDLE, 1));
        List<PoolView> pools = Stream.concat(idle, Stream.of(pool("orders", 8, Doing.COMPUTING, 0.64)))
                .toList();

        assertThat(Analysis.silence(pools).orElseThrow()).startsWith("what pool orders did is unknown for 92% of the");
    }

    @Test
    void silence_enoughIsKnownOfEachPoolThatWorked_isAJudgement() {
        assertThat(Analysis.silence(List.of(pool("orders", 8, Doing.COMPUTING, 2.1), pool("idle", 1, Doing.IDLE, 0))))
                .isEmpty();
    }

    @Test
    void silence_noPoolIsKnownToHaveWorked_isUnknown() {
        assertThat(Analysis.silence(List.of(pool("a", 2, Doing.IDLE, 0.1)))).isPresent();
        assertThat(Analysis.silence(List.of())).isPresent();
    }

    /** Returns a pool of which so many workers did this, and what the others did is unknown. */
    private static PoolView pool(String name, int workers, Doing doing, double known) {
        ExecutorService executor = InstrumentedExecutors.newFixedThreadPool(name, workers);
        PoolSnapshot snapshot = ((InstrumentedPool) executor).snapshot();
        executor.shutdownNow();
        List<Share> shares = List.of(
                new Share(doing, "", Estimate.exactly(known), List.of(), Optional.empty()),
                new Share(Doing.UNKNOWN, "", Estimate.exactly(workers - known), List.of(), Optional.empty()));
        PoolWindow window = PoolWindow.between(snapshot, snapshot)
                .end(Instant.EPOCH)
                .breakdown(new TimeBreakdown(workers, 10, 10, shares, Map.of()))
                .build();
        return new PoolView(name, PoolKind.EXECUTOR, workers, 10, Optional.of(window), List.of(), Set.of());
    }
}
