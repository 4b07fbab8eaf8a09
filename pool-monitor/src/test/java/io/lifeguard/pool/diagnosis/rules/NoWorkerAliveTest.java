package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tasks or submitters wait for a pool without a worker. */
class NoWorkerAliveTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final Rule rule = new NoWorkerAlive();

    private static Windows deserted() {
        return Windows.of("orders")
                .size(2)
                .alive(0)
                .grownFrom(0)
                .busy(0)
                .tasks(0)
                .queued(16);
    }

    @Test
    void examine_tasksQueuedAndNoWorkerForThreeSeconds_isCritical() {
        Finding finding = rule.examine(deserted().times(3)).finding().orElseThrow();
        assertThat(finding.id()).isEqualTo("no-worker-alive");
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.summary())
                .isEqualTo("the pool has no worker: 16 tasks are queued, 0 submitters wait for room, and nothing has"
                        + " run for 3 s");
        assertThat(finding.evidence()).containsEntry("queued", 16);
    }

    @Test
    void examine_poolThatStartsItsFirstWorkerOrHasNothingToDo_isSilent() {
        assertThat(rule.examine(deserted().times(2)).finding())
                .as("for a moment")
                .isEmpty();
        assertThat(rule.examine(deserted().queued(0).times(5)).finding())
                .as("nothing to do")
                .isEmpty();
        assertThat(rule.examine(Windows.history(
                                deserted(), deserted(), deserted().queued(0, 0), deserted(), deserted()))
                        .finding())
                .as("comes and goes")
                .isEmpty();
        assertThat(rule.examine(deserted().alive(1).times(5)).finding())
                .as("has a worker")
                .isEmpty();
        assertThat(rule.examine(deserted().tasks(1, 1).times(5)).finding())
                .as("workers start and end")
                .isEmpty();
        assertThat(rule.examine(deserted().state(PoolState.TERMINATED).times(5)).finding())
                .as("has ended")
                .isEmpty();
    }

    /** The worker dies, the factory answers null from then on, the queue is full, and a submitter waits. */
    @Test
    void examine_realPoolWhoseFactoryFails_isFoundAndEndsWithTheNextWorker() {
        AtomicBoolean fails = new AtomicBoolean();
        InstrumentedThreadPoolExecutor pool = fixture.closing(InstrumentedThreadPoolExecutor.named("deserted")
                .size(1)
                .queueCapacity(4)
                .whenSaturated(BlockingWaitPolicy.forever())
                .threadFactory(body -> {
                    Thread thread = new Thread(body);
                    thread.setUncaughtExceptionHandler((dead, expected) -> {});
                    return fails.get() ? null : thread;
                })
                .build());
        Gate gate = fixture.gate();
        pool.execute(() -> {
            gate.passUninterruptibly();
            throw new IllegalStateException("on purpose");
        });
        fixture.await("start", gate.arrived());
        for (int i = 0; i < 4; i++) {
            pool.execute(() -> {});
        }
        fixture.thread(() -> pool.execute(() -> {}));
        fixture.eventually(
                "the submitter waits", () -> pool.snapshot().saturation().blockedNow() == 1);
        fails.set(true);
        gate.open();
        fixture.eventually("the worker has gone", () -> pool.workers().isEmpty() && pool.getPoolSize() == 0);

        PoolSnapshot without = pool.snapshot();
        Finding finding = rule.examine(threeSecondsOf(without)).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("the pool has no worker: 4 tasks are queued, 1 submitter waits for room, and nothing has run"
                        + " for 3 s");

        fails.set(false);
        fixture.eventually("the pool works again", () -> pool.snapshot().completed() == 6);
        assertThat(rule.examine(threeSecondsOf(pool.snapshot())).finding()).isEmpty();
    }

    private static PoolWindow threeSecondsOf(PoolSnapshot snapshot) {
        List<PoolWindow> earlier = new ArrayList<>();
        PoolWindow.Builder window = null;
        for (int i = 0; i < 3; i++) {
            long end = snapshot.nanoTime() + TimeUnit.SECONDS.toNanos(i + 1);
            PoolSnapshot before = snapshot.toBuilder()
                    .nanoTime(end - TimeUnit.SECONDS.toNanos(1))
                    .build();
            window = PoolWindow.between(
                    before, snapshot.toBuilder().nanoTime(end).build());
            if (i < 2) {
                earlier.add(0, window.build());
            }
        }
        return window.earlier(earlier).build();
    }
}
