package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.log.Guard;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.FakePool;
import io.lifeguard.pool.recording.LiveSink;
import io.lifeguard.pool.recording.Recorder;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A thread that asks while another one makes the watch of a pool does not overlook that pool. */
class WatchedPoolsTest {

    private final FakeClock clock = new FakeClock();
    private final EvidenceSources sources = EvidenceSources.ofThisMachine(clock);
    private final FindingListener listener = FindingListener.ofEvents(event -> {});
    private final FakePool pool = new FakePool("pool", clock);
    private Runnable whileMade = () -> {};
    private final MonitorSettings settings = new MonitorSettings();
    private final Guard guard = new Guard();
    private final WatchedPools pools = new WatchedPools(
            new Engine(
                    settings,
                    clock,
                    sources,
                    sources.disturbances(),
                    guard,
                    new RuleBook(settings, guard),
                    listener,
                    new RoundRecorder(new Recorder(LiveSink.NONE), clock)),
            (source, name, bornNanos) -> {
                whileMade.run();
                return new PoolWatch(
                        source,
                        name,
                        sources.workerTimes(clock),
                        sources.evidence(name, clock),
                        new PoolDiagnosis(listener),
                        bornNanos);
            });

    /** Otherwise the monitor's thread would end, although it was seen to run when the pool was announced. */
    @Test
    void all_watchIsBeingMadeByAnotherThread_hasThePool() throws InterruptedException {
        AtomicBoolean sawNothing = new AtomicBoolean();
        Thread asks = new Thread(() -> sawNothing.set(pools.all().isEmpty()));
        whileMade = () -> {
            asks.start();
            await().until(() -> asks.getState() == Thread.State.BLOCKED || !asks.isAlive());
        };

        pools.announce(pool, "pool", 0);
        assertThat(pools.all()).hasSize(1);
        asks.join();

        assertThat(sawNothing).isFalse();
    }

    /** Otherwise its last window might never be closed. */
    @Test
    void terminated_watchIsBeingMade_isHeldUntilTheNextRound() {
        whileMade = () -> pools.terminated(pool);

        pools.announce(pool, "pool", 0);
        pools.all();

        assertThat(pools.departed()).isEqualTo(1);
    }

    @Test
    void announce_whileTheWatchOfAnotherIsMade_isWatchedInTheSameStep() {
        FakePool second = new FakePool("second", clock);
        whileMade = () -> {
            whileMade = () -> {};
            assertThat(pools.announce(second, "second", 0)).isFalse();
        };

        assertThat(pools.announce(pool, "pool", 0)).isTrue();

        assertThat(pools.all()).extracting(PoolWatch::name).containsExactly("pool", "second");
        assertThat(pools.announce(new FakePool("third", clock), "third", 0)).isTrue();
    }
}
