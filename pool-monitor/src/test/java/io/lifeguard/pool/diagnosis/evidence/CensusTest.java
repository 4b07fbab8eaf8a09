package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that are parked on one object after the other. */
class CensusTest {

    private final Fixture fixture = new Fixture();
    private final Object queue = new Object();
    private final Object resource = new Object();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile Object blocker = queue;
    private final Census census = new Census();

    @AfterEach
    void close() {
        fixture.close();
    }

    private Thread parked() {
        return fixture.thread(() -> {
            while (end.getCount() > 0) {
                LockSupport.park(blocker);
            }
        });
    }

    private void moveTo(Thread thread, Object object) {
        blocker = object;
        fixture.eventually("the new blocker", () -> {
            if (LockSupport.getBlocker(thread) != object) { // otherwise it would wake up after it was seen there
                LockSupport.unpark(thread);
            }
            return LockSupport.getBlocker(thread) == object && thread.getState() == Thread.State.WAITING;
        });
    }

    /** Half of the looks see it at each object. */
    @Test
    void look_workerMoves_bothStrataAreCountedWithTheirError() {
        Thread thread = parked();
        census.members(List.of(worker(thread, false)));
        for (int i = 0; i < 10; i++) {
            moveTo(thread, i % 2 == 0 ? queue : resource);
            assertThat(census.look(1)).isEqualTo(1);
        }

        assertThat(census.workers()).isEqualTo(1);
        assertThat(census.means().values()).hasSize(2).allSatisfy(mean -> {
            assertThat(mean.value()).isEqualTo(0.5);
            assertThat(mean.error()).isCloseTo(0.5 / 3, within(1e-9));
        });
        end(thread);
    }

    @Test
    void look_whereIdleWorkersWait_isIdleWithoutListingThemAgain() {
        Thread thread = parked();
        moveTo(thread, queue);
        census.members(List.of(worker(thread, true)));

        assertThat(census.look(1)).isZero();
        moveTo(thread, resource);
        assertThat(census.look(1)).isEqualTo(1);
        moveTo(thread, queue);
        assertThat(census.look(1)).isZero();
        end(thread);
    }

    /** A worker that took a task between two reads must not hide all that wait where it waits. */
    @Test
    void members_moreBusyThanIdleWorkersThere_isNotIdle() {
        Thread thread = parked();
        moveTo(thread, resource);
        census.members(List.of(worker(thread, true)));
        census.members(List.of(worker(thread, false)));
        census.members(List.of(worker(thread, false)));

        assertThat(census.look(1)).isEqualTo(1);
        end(thread);
    }

    /** Three moments in one place and one in the other, in two looks. */
    @Test
    void look_standsForSeveralMoments_countsAsOftenButIsNoMoreCertain() {
        Thread thread = parked();
        census.members(List.of(worker(thread, false)));
        moveTo(thread, queue);
        census.look(3);
        moveTo(thread, resource);
        census.look(1);

        assertThat(census.looks()).isEqualTo(4);
        assertThat(census.workers()).isEqualTo(1);
        assertThat(census.means().values()).extracting(mean -> mean.value()).containsExactly(0.75, 0.25);
        assertThat(census.means().values())
                .allSatisfy(mean -> assertThat(mean.error()).isCloseTo(Math.sqrt(0.1875), within(1e-9)));
        end(thread);
    }

    private void end(Thread thread) {
        end.countDown();
        LockSupport.unpark(thread);
    }

    private static WorkerState worker(Thread thread, boolean idle) {
        return new WorkerState(thread, OptionalLong.empty(), !idle, idle, Optional.of("kind"), Duration.ZERO, 1);
    }
}
