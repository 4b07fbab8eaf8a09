package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.StackSample;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Workers that wait for tasks of their own pool, and their neighbours. */
class StarvationTest {

    private final Fixture fixture = new Fixture();
    private final InstrumentedThreadPoolExecutor pool = fixture.closing(
            InstrumentedThreadPoolExecutor.named("starved").size(2).build());
    private final StackSampler sampler = new StackSampler(Duration.ofSeconds(1));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void sample_allWaitForQueuedFutures_areStarved() throws Exception {
        bothWorkers(() -> pool.submit(() -> 1).get());

        StackSample sample = awaitWaiting(2);

        assertThat(sample.starvedWorkers()).isEqualTo(2);
        assertThat(sample.perhapsStarvedWorkers()).isZero();
    }

    @Test
    void sample_waitsInInvokeAll_isStarved() {
        fixture.occupy(pool);
        pool.submit(() -> pool.invokeAll(List.<Callable<Integer>>of(() -> 1, () -> 2)));

        await().until(() -> sample(pool).starvedWorkers() == 1);
    }

    @Test
    void sample_waitsForFutureOfAnotherPool_isNotStarvedThoughTasksQueue() throws Exception {
        ExecutorService other = fixture.closing(InstrumentedExecutors.newFixedThreadPool("other", 1));
        Gate gate = fixture.gate();
        bothWorkers(() -> other.submit(gate::passUninterruptibly).get());
        pool.submit(() -> 1);

        StackSample sample = awaitWaiting(2);

        assertThat(sample.starvedWorkers()).isZero();
        assertThat(sample.perhapsStarvedWorkers()).isZero();
    }

    @Test
    void sample_waitsForCompletableFutureInOwnQueue_isPerhapsStarved() throws Exception {
        bothWorkers(() -> CompletableFuture.supplyAsync(() -> 1, pool).get());

        StackSample sample = awaitWaiting(2);

        assertThat(sample.starvedWorkers()).isZero();
        assertThat(sample.perhapsStarvedWorkers()).isEqualTo(2);
    }

    @Test
    void sample_waitsForCompletableFutureWithEmptyQueue_isNotStarved() {
        CompletableFuture<String> elsewhere = new CompletableFuture<>();
        pool.submit(() -> elsewhere.get());

        assertThat(awaitWaiting(1).perhapsStarvedWorkers()).isZero();
    }

    @Test
    void sample_waitsForTaskThatIsNotDue_isNotStarved() {
        InstrumentedScheduledThreadPoolExecutor scheduled =
                fixture.closing(new InstrumentedScheduledThreadPoolExecutor(1));
        scheduled.submit(() -> scheduled.schedule(() -> 1, 1, TimeUnit.HOURS).get());
        await().until(() -> sample(scheduled).workers(Doing.WAITING_FOR_RESULT) == 1);

        assertThat(sample(scheduled).starvedWorkers()).isZero();
    }

    @Test
    void sample_usersQueueThatThrows_isNoStarvation() {
        InstrumentedThreadPoolExecutor odd =
                fixture.closing(new InstrumentedThreadPoolExecutor(1, 1, 1, TimeUnit.HOURS, new OddQueue()));
        Future<?> never = new CompletableFuture<>();
        odd.submit(() -> never.get());

        await().until(() -> sample(odd).workers(Doing.WAITING_FOR_RESULT) == 1);
        assertThat(sample(odd).starvedWorkers()).isZero();
    }

    /** Neither worker goes on before both are busy, so that none is left for what they submit. */
    private void bothWorkers(Callable<?> task) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(3);
        for (int i = 0; i < 2; i++) {
            pool.submit(() -> {
                barrier.await();
                return task.call();
            });
        }
        barrier.await();
        await().until(() -> sample(pool).groups().stream()
                .noneMatch(group -> group.stack().stream()
                        .anyMatch(frame -> frame.getClassName().endsWith("CyclicBarrier"))));
    }

    private StackSample awaitWaiting(int workers) {
        await().until(() -> sample(pool).workers(Doing.WAITING_FOR_RESULT) == workers);
        return sample(pool);
    }

    private StackSample sample(ThreadPoolExecutor of) {
        return sampler.sample(((InstrumentedPool) of).workers(), of).orElseThrow();
    }

    private static final class OddQueue extends LinkedBlockingQueue<Runnable> {
        @Override
        public Iterator<Runnable> iterator() {
            throw new AssertionError("not today");
        }
    }
}
