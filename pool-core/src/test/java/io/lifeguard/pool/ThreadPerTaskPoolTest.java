package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** An executor with a thread per task knows its threads, and ends as the JDK's does. */
@EnabledForJreRange(min = JRE.JAVA_21)
class ThreadPerTaskPoolTest {

    private static final int TASKS = 50;

    @AutoClose
    private final Fixture fixture = new Fixture(Duration.ofSeconds(20));

    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger interrupted = new AtomicInteger();

    private void waitInTask() {
        try {
            open.await();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
        }
    }

    private ExecutorService virtualThreads() {
        return fixture.closing(InstrumentedExecutors.newVirtualThreadPerTaskExecutor("tasks"));
    }

    @Test
    void threads_tasksRun_areAsManyAsWanted() {
        ExecutorService executor = virtualThreads();
        InstrumentedPool pool = (InstrumentedPool) executor;
        for (int i = 0; i < TASKS; i++) {
            executor.execute(this::waitInTask);
        }
        assertThat(pool.threadCount()).isEqualTo(TASKS);
        assertThat(pool.threads(7)).hasSize(7).doesNotHaveDuplicates();
        assertThat(pool.threads(1_000)).hasSize(TASKS).allMatch(Thread::isAlive);
        fixture.eventually("tasks run for a while", () -> !pool.longestRun().isZero());
        open.countDown();
        fixture.eventually("no thread is left", () -> pool.threadCount() == 0);
        assertThat(pool.threads(7)).isEmpty();
        assertThat(pool.longestRun()).isZero();
    }

    @Test
    void shutdown_tasksRun_terminatesWithTheLastOne() throws Exception {
        ExecutorService executor = virtualThreads();
        executor.execute(this::waitInTask);
        executor.shutdown();
        assertThat(executor.isShutdown()).isTrue();
        assertThat(executor.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        assertThatThrownBy(() -> executor.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("tasks has been shut down");
        open.countDown();
        assertThat(executor.awaitTermination(fixture.patience().toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(executor.isTerminated()).isTrue();
        assertThat(Pools.find("tasks")).isEmpty();
        assertThat(((InstrumentedPool) executor).snapshot().rejected()).isEqualTo(1);
    }

    /** With an earlier version, whoever had waited for the end could find the name still in use. */
    @Test
    void shutdown_observerIsStillTold_hasNotTerminatedYet() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ExecutorService executor = fixture.closing(InstrumentedExecutors.newVirtualThreadPerTaskExecutor("ends"));
        PoolObserver observer = new PoolObserver() {
            @Override
            public void terminated(InstrumentedPool pool) {
                if (pool == executor) {
                    told.countDown();
                    fixture.await("end of the test", goOn);
                }
            }
        };
        Pools.addObserver(observer);
        try {
            executor.execute(this::waitInTask);
            executor.shutdown();
            open.countDown();
            fixture.await("call of the observer", told);
            executor.shutdown(); // finds no thread, and must not go ahead of the one that tells
            assertThat(executor.isTerminated()).isFalse();
            assertThat(Pools.find("ends")).isEmpty();
            goOn.countDown();
            assertThat(executor.awaitTermination(fixture.patience().toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            goOn.countDown();
            Pools.removeObserver(observer);
        }
    }

    /** Threads that have not run yet are interrupted, too: they find the interrupt when they wait. */
    @Test
    void shutdownNow_manyTasks_interruptsEachOnce() throws Exception {
        ExecutorService executor = virtualThreads();
        for (int i = 0; i < TASKS; i++) {
            executor.execute(this::waitInTask);
        }
        assertThat(executor.shutdownNow()).isEmpty();
        assertThat(executor.awaitTermination(fixture.patience().toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(interrupted).hasValue(TASKS);
    }

    @Test
    void execute_factoryReturnsNullOrThrows_refusesAndKeepsNoThread() throws Exception {
        ExecutorService none = fixture.closing(InstrumentedExecutors.newThreadPerTaskExecutor("none", body -> null));
        assertThatThrownBy(() -> none.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("the thread factory of none returned null");
        Thread ended = new Thread(() -> {});
        ended.start();
        ended.join();
        ExecutorService used = fixture.closing(InstrumentedExecutors.newThreadPerTaskExecutor("used", body -> ended));
        assertThatThrownBy(() -> used.execute(() -> {})).isInstanceOf(IllegalThreadStateException.class);
        assertThat(((InstrumentedPool) used).threadCount()).isZero();
        assertThat(((InstrumentedPool) none).snapshot().submitted()).isZero();
    }
}
