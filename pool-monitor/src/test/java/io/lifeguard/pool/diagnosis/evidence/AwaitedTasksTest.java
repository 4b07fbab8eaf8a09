package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.outside.ExternalThreadPool;
import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
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

/** Real workers that wait for tasks of their own pool, or of another. */
class AwaitedTasksTest {

    private static final Result OWN_QUEUE = new Result(Optional.of("waiting"), true);
    private static final Result UNKNOWN = new Result(Optional.empty(), false);

    private final Fixture fixture = new Fixture();
    private final InstrumentedThreadPoolExecutor pool = fixture.closing(
            InstrumentedThreadPoolExecutor.named("waiting").size(2).build());

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void look_allWaitForQueuedFutures_isOwnQueue() throws Exception {
        bothWorkers(() -> pool.submit(() -> 1).get());

        assertThat(awaitResults(new Looking(pool), 2)).containsOnly(OWN_QUEUE);
    }

    @Test
    void look_waitsInInvokeAll_isOwnQueue() {
        fixture.occupy(pool);
        pool.submit(() -> pool.invokeAll(List.<Callable<Integer>>of(() -> 1, () -> 2)));

        assertThat(awaitResults(new Looking(pool), 2)).contains(OWN_QUEUE);
    }

    @Test
    void look_taskRunsInAnotherInstrumentedPool_isThatPoolThoughNotQueued() throws Exception {
        ExecutorService other = fixture.closing(InstrumentedExecutors.newFixedThreadPool("other", 2));
        Gate gate = fixture.gate();
        bothWorkers(() -> other.submit(gate::passUninterruptibly).get());
        pool.submit(() -> 1);
        Looking looking = new Looking(pool).among((InstrumentedPool) other);

        assertThat(awaitResults(looking, 2)).containsOnly(new Result(Optional.of("other"), false));
    }

    @Test
    void look_taskIsInTheQueueOfAWatchedPool_isThatPool() throws Exception {
        ThreadPoolExecutor plain =
                fixture.closing(new ThreadPoolExecutor(1, 1, 1, TimeUnit.HOURS, new LinkedBlockingQueue<>()));
        fixture.occupy(plain);
        bothWorkers(() -> plain.submit(() -> 1).get());
        Looking looking = new Looking(pool).among(new ExternalThreadPool(plain, "plain", ""));

        assertThat(awaitResults(looking, 2)).containsOnly(new Result(Optional.of("plain"), true));
    }

    /** Nothing shows which task completes it. */
    @Test
    void look_waitsForCompletableFuture_poolIsUnknown() throws Exception {
        bothWorkers(() -> CompletableFuture.supplyAsync(() -> 1, pool).get());

        assertThat(awaitResults(new Looking(pool), 2)).containsOnly(UNKNOWN);
    }

    @Test
    void look_waitsForTaskThatIsNotDue_isNotQueued() {
        InstrumentedScheduledThreadPoolExecutor scheduled =
                fixture.closing(new InstrumentedScheduledThreadPoolExecutor(1));
        scheduled.submit(() -> scheduled.schedule(() -> 1, 1, TimeUnit.HOURS).get());

        assertThat(awaitResults(new Looking(scheduled), 1))
                .containsOnly(new Result(Optional.of(scheduled.name()), false));
    }

    @Test
    void look_usersQueueThatThrows_poolIsUnknown() {
        InstrumentedThreadPoolExecutor odd =
                fixture.closing(new InstrumentedThreadPoolExecutor(1, 1, 1, TimeUnit.HOURS, new OddQueue()));
        Future<?> never = new Never();
        odd.submit(() -> never.get());

        assertThat(awaitResults(new Looking(odd), 1)).containsOnly(UNKNOWN);
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
        fixture.eventually(
                "both past the barrier",
                () -> new Looking(pool)
                        .looks(1)
                        .places(Doing.WAITING_FOR_RESULT)
                        .noneMatch(share -> share.stack().stream()
                                .anyMatch(frame -> frame.getClassName().endsWith("CyclicBarrier"))));
    }

    private static List<Result> awaitResults(Looking looking, int workers) {
        TimeBreakdown breakdown = await().until(
                        () -> looking.looks(1),
                        seen -> seen.workers(Doing.WAITING_FOR_RESULT).value() == workers);
        return breakdown
                .places(Doing.WAITING_FOR_RESULT)
                .map(share -> (Result) share.awaited().orElseThrow())
                .toList();
    }

    /** A task that was never submitted. */
    private static final class Never extends java.util.concurrent.FutureTask<Integer> {
        Never() {
            super(() -> 1);
        }
    }

    private static final class OddQueue extends LinkedBlockingQueue<Runnable> {
        @Override
        public Iterator<Runnable> iterator() {
            throw new AssertionError("not today");
        }
    }
}
