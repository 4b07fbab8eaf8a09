package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.start.PoolPulse.Suspicion;
import io.lifeguard.pool.testing.Delays;
import io.lifeguard.pool.testing.Fixture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Each test looks at a real pool, as often as it needs, and does not wait in between. */
class PoolPulseTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final CountDownLatch end = new CountDownLatch(1);

    private InstrumentedThreadPoolExecutor pool(int size, int capacity) {
        return fixture.closing(InstrumentedThreadPoolExecutor.named("pulse")
                .size(size)
                .queueCapacity(capacity)
                .whenSaturated(new ThreadPoolExecutor.AbortPolicy())
                .build());
    }

    private static Suspicion looks(PoolPulse pulse, InstrumentedThreadPoolExecutor pool, int looks) {
        Suspicion last = Suspicion.NONE;
        for (int i = 0; i < looks; i++) {
            last = pulse.look(pool);
        }
        return last;
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitBusy(ThreadPoolExecutor pool, int workers) {
        await().atMost(Delays.PATIENCE).until(() -> pool.getActiveCount() == workers);
    }

    private static void queueAt(ReentrantLock lock, InstrumentedThreadPoolExecutor pool, int tasks, int workers) {
        for (int i = 0; i < tasks; i++) {
            pool.execute(() -> {
                lock.lock();
                lock.unlock();
            });
        }
        await().until(() -> lock.getQueueLength() == workers);
    }

    /** Where CPUs are full, the thread that submits waits for one as well. */
    @Test
    void look_queueIsEmptyForAMoment_poolCountsAsFullMeanwhile() {
        InstrumentedThreadPoolExecutor pool = pool(1, 10);
        pool.execute(this::awaitEnd);
        awaitBusy(pool, 1);
        PoolPulse pulse = new PoolPulse(pool);
        Runnable task = () -> {};
        pool.execute(task);
        pulse.look(pool);
        assertThat(pulse.isFullNow()).isTrue();

        pool.remove(task);
        looks(pulse, pool, 2);
        assertThat(pulse.fullNanos()).isPositive();
        assertThat(pulse.isFullNow()).isFalse();
        pulse.look(pool);
        assertThat(pulse.fullNanos()).isZero();
        end.countDown();
    }

    /** On full CPUs the holder of the lock of a queue of the JDK gets no CPU for long, and all others wait for it. */
    @Test
    void look_workersQueueAtTheLockOfTheirQueue_areNotIdle() throws Exception {
        int threads = 2 * Runtime.getRuntime().availableProcessors(); // more than the CPUs can carry
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        InstrumentedThreadPoolExecutor pool = fixture.closing(
                new InstrumentedThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new LockedQueue(lock)));
        pool.prestartAllCoreThreads();
        await().until(() -> lock.getQueueLength() == threads);
        PoolPulse pulse = new PoolPulse(pool);
        assertThat(looks(pulse, pool, 3)).isEqualTo(Suspicion.NONE);

        pool.execute(() -> {});
        assertThat(looks(pulse, pool, 3)).isEqualTo(Suspicion.FULL);
        lock.unlock();
    }

    /** Between its tasks it does what one CPU can. */
    @Test
    void isFullFor_oneWorkerSeenWithoutTask_beginsAnew() {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        InstrumentedThreadPoolExecutor pool = pool(1, 10);
        PoolPulse pulse = new PoolPulse(pool);
        fill(pool, first);
        pulse.look(pool);
        first.countDown();
        await().until(() -> pool.getCompletedTaskCount() == 2);
        pulse.look(pool);
        fill(pool, second);

        pulse.look(pool);
        assertThat(pulse.fullNanos()).isGreaterThan(2);
        assertThat(pulse.isFullFor(2, 1)).isFalse();
        pulse.look(pool);
        assertThat(pulse.isFullFor(2, 1)).isTrue();
        second.countDown();
    }

    private static void fill(InstrumentedThreadPoolExecutor pool, CountDownLatch end) {
        pool.execute(() -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        awaitBusy(pool, 1);
        pool.execute(() -> {});
    }

    private static final class LockedQueue extends LinkedBlockingQueue<Runnable> {
        private final transient ReentrantLock lock;

        LockedQueue(ReentrantLock lock) {
            this.lock = lock;
        }

        @Override
        public Runnable take() throws InterruptedException {
            lock.lockInterruptibly();
            lock.unlock();
            return super.take();
        }
    }

    @Test
    void look_poolWithoutTasks_sleeps() {
        InstrumentedThreadPoolExecutor pool = pool(4, 10);
        PoolPulse pulse = new PoolPulse(pool);

        assertThat(looks(pulse, pool, 10)).isEqualTo(Suspicion.NONE);
        assertThat(pulse.isAsleep()).isTrue();
        assertThat(pulse.hasWorked()).isFalse();
    }

    @Test
    void look_someWorkersWaitForDifferentThings_isNoSuspicion() {
        InstrumentedThreadPoolExecutor pool = pool(4, 10);
        pool.execute(this::awaitEnd);
        awaitBusy(pool, 1);
        PoolPulse pulse = new PoolPulse(pool);

        assertThat(looks(pulse, pool, 10)).isEqualTo(Suspicion.NONE);
        assertThat(pulse.isAsleep()).isFalse();
        end.countDown();
    }

    @Test
    void look_workersAtOneMonitor_waits() {
        InstrumentedThreadPoolExecutor pool = pool(8, 10);
        Object lock = new Object();
        synchronized (lock) {
            for (int i = 0; i < 3; i++) {
                pool.execute(() -> {
                    synchronized (lock) {
                        assertThat(lock).isNotNull();
                    }
                });
            }
            awaitBusy(pool, 3);
            await().until(() -> pool.workers().stream()
                            .filter(worker -> worker.thread().getState() == Thread.State.BLOCKED)
                            .count()
                    == 3);
            PoolPulse pulse = new PoolPulse(pool);

            assertThat(looks(pulse, pool, 2)).isEqualTo(Suspicion.NONE);
            assertThat(looks(pulse, pool, 1)).isEqualTo(Suspicion.WAITS);
        }
    }

    /** A lock that is given back is said without the monitor, and one that is not needs to be explained. */
    @Test
    void isPlain_lockThatIsNeverGivenBack_isNotPlainForLong() {
        InstrumentedThreadPoolExecutor pool = pool(2, 10);
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            queueAt(lock, pool, 3, 2);
            PoolPulse pulse = new PoolPulse(pool);

            assertThat(looks(pulse, pool, 3)).isEqualTo(Suspicion.WAITS);
            assertThat(pulse.isPlain(pool, "pool")).isTrue();
            assertThat(pulse.isToBeSaid()).isFalse();
            await().atMost(Delays.PATIENCE).until(() -> {
                pulse.look(pool);
                return !pulse.isPlain(pool, "pool");
            });
            assertThat(pulse.isToBeSaid()).isFalse();
        } finally {
            lock.unlock();
        }
    }

    @Test
    void isPlain_noTaskWaits_isNotPlain() {
        InstrumentedThreadPoolExecutor pool = pool(2, 10);
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            queueAt(lock, pool, 2, 2);
            PoolPulse pulse = new PoolPulse(pool);

            assertThat(looks(pulse, pool, 3)).isEqualTo(Suspicion.WAITS);
            assertThat(pulse.isPlain(pool, "pool")).isFalse();
        } finally {
            lock.unlock();
        }
    }

    @Test
    void look_workersAtOneLockOfTheJdk_waits() {
        InstrumentedThreadPoolExecutor pool = pool(8, 10);
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            queueAt(lock, pool, 3, 3);

            assertThat(looks(new PoolPulse(pool), pool, 3)).isEqualTo(Suspicion.WAITS);
        } finally {
            lock.unlock();
        }
    }

    @Test
    void look_allWorkersWaitAndTasksQueue_waits() {
        InstrumentedThreadPoolExecutor pool = pool(2, 10);
        Semaphore first = new Semaphore(0);
        Semaphore second = new Semaphore(0);
        pool.execute(first::acquireUninterruptibly);
        pool.execute(second::acquireUninterruptibly);
        pool.execute(() -> {});
        await().until(() -> first.hasQueuedThreads() && second.hasQueuedThreads());

        PoolPulse pulse = new PoolPulse(pool);
        assertThat(looks(pulse, pool, 3)).isEqualTo(Suspicion.WAITS);
        pulse.isPlain(pool, "pool");
        pulse.isPlain(pool, "pool");
        assertThat(pulse.isPlain(pool, "pool"))
                .as("two semaphores, at the third look")
                .isFalse();
        first.release();
        second.release();
    }

    @Test
    void look_allWorkersRunAndTasksQueue_isFull() {
        InstrumentedThreadPoolExecutor pool = pool(2, 10);
        AtomicBoolean isOver = new AtomicBoolean();
        for (int i = 0; i < 4; i++) {
            pool.execute(() -> {
                while (!isOver.get()) {
                    Thread.onSpinWait();
                }
            });
        }
        awaitBusy(pool, 2);

        assertThat(looks(new PoolPulse(pool), pool, 3)).isEqualTo(Suspicion.FULL);
        isOver.set(true);
    }

    @Test
    void look_rejectedTask_waits() {
        InstrumentedThreadPoolExecutor pool = pool(1, 1);
        PoolPulse pulse = new PoolPulse(pool);
        pool.execute(this::awaitEnd);
        pool.execute(this::awaitEnd);
        try {
            pool.execute(this::awaitEnd);
        } catch (java.util.concurrent.RejectedExecutionException expected) {
            assertThat(pool.troubles()).isOne();
        }

        assertThat(looks(pulse, pool, 1)).isEqualTo(Suspicion.WAITS);
        end.countDown();
    }

    @Test
    void look_lateScheduledTask_waits() {
        InstrumentedScheduledThreadPoolExecutor pool = fixture.closing(new InstrumentedScheduledThreadPoolExecutor(1));
        pool.execute(this::awaitEnd);
        pool.schedule(() -> {}, 1, TimeUnit.MILLISECONDS);
        PoolPulse pulse = new PoolPulse(pool);

        await().atMost(Delays.PATIENCE).until(() -> pulse.look(pool) == Suspicion.WAITS);
        end.countDown();
    }
}
