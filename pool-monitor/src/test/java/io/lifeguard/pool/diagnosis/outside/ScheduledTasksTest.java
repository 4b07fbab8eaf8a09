package io.lifeguard.pool.diagnosis.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Unseen;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A plain scheduler is read through its queue: late heads and periodic tasks that died. */
class ScheduledTasksTest {

    private final Fixture fixture = new Fixture();
    private final ScheduledThreadPoolExecutor scheduler = fixture.closing(new ScheduledThreadPoolExecutor(1));
    private final ExternalThreadPool watched = new ExternalThreadPool(scheduler, "jobs", "");

    @AfterEach
    void close() {
        fixture.close();
    }

    private static void importOrders() {
        throw new IllegalStateException("on purpose");
    }

    private Future<?> dies() {
        CountDownLatch seen = new CountDownLatch(1);
        Future<?> task = scheduler.scheduleAtFixedRate(
                () -> {
                    if (seen.getCount() == 0) {
                        importOrders();
                    }
                },
                0,
                1,
                TimeUnit.MILLISECONDS);
        await().until(() -> {
            watched.snapshot(); // which sees the task in the queue, unless it runs
            seen.countDown();
            return task.isDone();
        });
        return task;
    }

    @Test
    void snapshot_periodicTaskThrew_saysItsMethodAndException() {
        dies();
        assertThat(watched.snapshot().unseenFailures()).singleElement().satisfies(death -> {
            assertThat(death.kind()).startsWith(ScheduledTasksTest.class.getName() + ".lambda$dies$");
            assertThat(death.exception()).isEqualTo("java.lang.IllegalStateException");
            assertThat(death.stopped()).isEqualTo(1);
        });
    }

    @Test
    void snapshot_taskWasScheduledAnew_isNoLongerBlamed() {
        dies();
        assertThat(watched.snapshot().unseenFailures()).hasSize(1);
        scheduler.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
        assertThat(watched.snapshot().unseenFailures()).isEmpty();
    }

    @Test
    void snapshot_periodicTaskWasCancelled_isNoFailure() {
        Future<?> task = scheduler.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
        watched.snapshot();
        task.cancel(false);
        assertThat(watched.snapshot().unseenFailures()).isEqualTo(List.<Unseen>of());
    }

    @Test
    void blindness_moreThanAThousandQueued_saysThatDeathsAreNotSeen() {
        for (int i = 0; i < 1_000; i++) {
            scheduler.schedule(() -> {}, 1, TimeUnit.HOURS);
        }
        watched.snapshot();
        assertThat(watched.blindness()).isEmpty();

        Future<?> last = scheduler.schedule(() -> {}, 1, TimeUnit.HOURS);
        watched.snapshot();
        assertThat(watched.blindness())
                .hasValue("its queue of more than 1000 tasks is not searched for periodic tasks that have died");

        last.cancel(false);
        scheduler.purge();
        watched.snapshot();
        assertThat(watched.blindness()).isEmpty();
    }

    @Test
    void snapshot_longTaskKeepsTheOnlyThread_saysHowLateTheNextIs() {
        Gate gate = fixture.gate();
        scheduler.execute(gate::passUninterruptibly);
        fixture.await("the long task", gate.arrived());
        scheduler.schedule(() -> {}, 1, TimeUnit.MILLISECONDS);
        scheduler.schedule(() -> {}, 1, TimeUnit.HOURS);

        await().until(() -> lateness().compareTo(Duration.ofMillis(50)) > 0);
        gate.open();
        await().until(() -> lateness().isZero());
    }

    private Duration lateness() {
        PoolSnapshot.Load load = watched.snapshot().load();
        return load.oldestQueued();
    }
}
