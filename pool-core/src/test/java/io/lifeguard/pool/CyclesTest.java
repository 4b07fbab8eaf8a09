package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools that feed each other, with submitters that wait while a pool is full, make progress. */
class CyclesTest {

    private static final int SUBMITTERS = 16;
    private static final int CHAINS_EACH = 200;

    @AutoClose
    private final Fixture fixture = new Fixture();

    private InstrumentedThreadPoolExecutor pool(String name, int size, int capacity) {
        return fixture.closing(InstrumentedThreadPoolExecutor.named(name)
                .size(size)
                .queueCapacity(capacity)
                .build());
    }

    private ThreadPoolExecutor plain(int size, BlockingWaitPolicy policy) {
        return fixture.closing(
                new ThreadPoolExecutor(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(4), policy));
    }

    /** Runs chains whose stages go from pool to pool. */
    private void runChains(ThreadPoolExecutor... stages) {
        AtomicInteger ended = new AtomicInteger();
        for (int i = 0; i < SUBMITTERS; i++) {
            fixture.thread(() -> {
                for (int n = 0; n < CHAINS_EACH; n++) {
                    CompletableFuture<?> chain = CompletableFuture.completedFuture(null);
                    for (ThreadPoolExecutor stage : stages) {
                        chain = chain.thenRunAsync(() -> {}, stage);
                    }
                    chain.thenRun(ended::incrementAndGet);
                }
            });
        }
        fixture.eventually("end of all chains", () -> ended.get() == SUBMITTERS * CHAINS_EACH);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 1_024})
    void twoPoolsThatFeedEachOther_allChainsEnd(int capacity) {
        InstrumentedThreadPoolExecutor io = pool("io", 4, capacity);
        InstrumentedThreadPoolExecutor cpu = pool("cpu", 2, capacity);
        runChains(io, cpu, io);
        fixture.eventually(
                "all counted", () -> io.snapshot().queued() + io.snapshot().active() == 0);
        PoolSnapshot snapshot = io.snapshot();
        assertThat(snapshot.submitted()
                        + snapshot.callerRuns()
                        + snapshot.saturation().workerRuns())
                .isEqualTo(2L * SUBMITTERS * CHAINS_EACH);
    }

    @Test
    void threePoolsThatFeedEachOther_allChainsEnd() {
        InstrumentedThreadPoolExecutor a = pool("a", 2, 2);
        InstrumentedThreadPoolExecutor b = pool("b", 1, 2);
        InstrumentedThreadPoolExecutor c = pool("c", 3, 2);
        runChains(a, b, c, a, b, c);
    }

    /** Each pool has one worker and one place. All workers submit to the next full pool at the same moment. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void eachWorkerSubmitsToTheNextFullPool_capacityIsExceededByOne(int size) {
        List<InstrumentedThreadPoolExecutor> pools =
                IntStream.range(0, size).mapToObj(i -> pool("pool-" + i, 1, 1)).toList();
        CountDownLatch allFull = new CountDownLatch(1);
        List<CompletableFuture<Integer>> queuedThen = new ArrayList<>();
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < size; i++) {
            InstrumentedThreadPoolExecutor next = pools.get((i + 1) % size);
            CompletableFuture<Integer> queued = new CompletableFuture<>();
            queuedThen.add(queued);
            pools.get(i).execute(() -> {
                fixture.await("all queues full", allFull);
                next.execute(ran::incrementAndGet);
                queued.complete(next.getQueue().size());
            });
            pools.get(i).execute(ran::incrementAndGet);
        }
        allFull.countDown();
        fixture.eventually("run of all tasks", () -> ran.get() == 2 * size);
        List<PoolSnapshot.Cycle> cycles = pools.stream()
                .flatMap(pool -> pool.snapshot().saturation().cycles().stream())
                .toList();
        List<String> names =
                pools.stream().map(InstrumentedThreadPoolExecutor::name).toList();
        assertThat(cycles)
                .isNotEmpty()
                .allMatch(cycle -> cycle.broken() == 1 && cycle.pools().equals(names));
        for (CompletableFuture<Integer> queued : queuedThen) {
            assertThat(queued.join()).isLessThanOrEqualTo(2);
        }
    }

    /** Forced: the threads of both plain executors wait for each other. */
    @Test
    void plainExecutorsThatWaitForEachOther_waitAsLongAsThePolicyAllows() throws Exception {
        BlockingWaitPolicy policy = BlockingWaitPolicy.upTo(Duration.ofMillis(300));
        ThreadPoolExecutor first = plain(1, policy);
        ThreadPoolExecutor second = plain(1, policy);
        CompletableFuture<String> refusal = new CompletableFuture<>();
        CountDownLatch allFull = new CountDownLatch(1);
        fillAndSubmit(first, second, allFull, refusal);
        fillAndSubmit(second, first, allFull, refusal);

        allFull.countDown();

        assertThat(refusal.get(20, TimeUnit.SECONDS)).contains("it stayed full for the longest wait");
        fixture.eventually(
                "run of the others",
                () -> first.getQueue().isEmpty() && second.getQueue().isEmpty());
    }

    /** The worker of one executor submits to the other one when both are full, and tells how it was refused. */
    private void fillAndSubmit(
            ThreadPoolExecutor from, ThreadPoolExecutor to, CountDownLatch allFull, CompletableFuture<String> refusal) {
        CountDownLatch begun = new CountDownLatch(1);
        from.execute(() -> {
            begun.countDown();
            fixture.await("all queues full", allFull);
            try {
                to.execute(() -> {});
            } catch (RejectedExecutionException e) {
                refusal.complete(String.valueOf(e.getMessage()));
            }
        });
        fixture.await("start", begun);
        for (int i = 0; i < 4; i++) {
            from.execute(() -> {});
        }
    }

    /**
     * The last worker that does not wait ends. Only then is the pool in a cycle, and no thread begins to wait any more.
     */
    @Test
    void lastFreeWorkerEnds_theWaitingOnesLookAgain() {
        InstrumentedThreadPoolExecutor left = pool("left", 2, 1);
        InstrumentedThreadPoolExecutor right = pool("right", 1, 1);
        HeldTask free = fixture.heldTask();
        AtomicInteger ran = new AtomicInteger();
        left.execute(() -> {
            free.run();
            left.setCorePoolSize(1);
            left.setMaximumPoolSize(1);
            throw new IllegalStateException("on purpose: this worker ends");
        });
        letThemWaitForEachOther(left, right, free, ran);
        free.release();
        fixture.eventually("run of all tasks", () -> ran.get() == 4);
    }

    /**
     * The pools' second workers are about to start, so nobody sees a cycle. Then their start fails, and no code of this
     * library is told. Forced: whoever holds a thread's monitor keeps the executor from starting it.
     */
    @Test
    void workerThatWasAboutToStartFailsToStart_theWaitingOnesLookAgain() {
        LateFailure threads = new LateFailure();
        InstrumentedThreadPoolExecutor left = fixture.closing(InstrumentedThreadPoolExecutor.named("left")
                .size(2)
                .queueCapacity(1)
                .threadFactory(threads)
                .build());
        InstrumentedThreadPoolExecutor right = pool("right", 1, 1);
        AtomicInteger ran = new AtomicInteger();
        HeldTask feedsLeft = fixture.heldTask();
        HeldTask feedsRight = fixture.heldTask();
        left.execute(() -> {
            feedsRight.run();
            right.execute(ran::incrementAndGet);
        });
        right.execute(() -> {
            feedsLeft.run();
            left.execute(ran::incrementAndGet);
        });
        fixture.await("start", feedsLeft.started);
        fixture.await("start", feedsRight.started);
        threads.failsLate = true;
        Thread starter = fixture.thread(() -> assertThatThrownBy(() -> left.execute(ran::incrementAndGet))
                .isInstanceOf(IllegalThreadStateException.class));
        fixture.eventually("the second worker is about to start", () -> starter.getState() == Thread.State.BLOCKED);
        left.execute(ran::incrementAndGet); // to the queue
        right.execute(ran::incrementAndGet);
        feedsLeft.release();
        feedsRight.release();
        fixture.eventually(
                "both wait",
                () -> left.snapshot().saturation().blockedNow() == 1
                        && right.snapshot().saturation().blockedNow() == 1);
        left.setCorePoolSize(1);
        left.setMaximumPoolSize(1); // so that no submitter starts the worker that is missing
        threads.letFail.countDown();
        fixture.eventually("run of all tasks", () -> ran.get() == 4);
    }

    /** Makes threads that the executor finds new, and cannot start when it comes to that. */
    private final class LateFailure implements ThreadFactory {
        final CountDownLatch letFail = new CountDownLatch(1);
        volatile boolean failsLate;

        @Override
        public Thread newThread(Runnable body) {
            if (!failsLate) {
                return new Thread(body);
            }
            failsLate = false;
            Thread unused = new Thread(() -> {});
            CountDownLatch held = new CountDownLatch(1);
            fixture.thread("holder", () -> {
                synchronized (unused) {
                    held.countDown();
                    fixture.await("both wait", letFail);
                    unused.start(); // the executor's own start then fails
                }
            });
            fixture.await("the thread's monitor", held);
            return unused;
        }
    }

    /** One task of each pool feeds the other without end, and the fed tasks report back. */
    @Test
    void tasksFeedTheOtherPoolWithoutEnd_queuesStayWithinTwiceTheirCapacity() {
        int capacity = 16;
        InstrumentedThreadPoolExecutor left = pool("left", 2, capacity);
        InstrumentedThreadPoolExecutor right = pool("right", 2, capacity);
        AtomicBoolean ends = new AtomicBoolean();
        AtomicInteger fed = new AtomicInteger();
        AtomicInteger longest = new AtomicInteger();
        CountDownLatch allRun = new CountDownLatch(4); // or the first of them could keep this thread out for good
        for (InstrumentedThreadPoolExecutor pool : List.of(left, right)) {
            InstrumentedThreadPoolExecutor other = pool == left ? right : left;
            for (int i = 0; i < 2; i++) {
                pool.execute(() -> {
                    allRun.countDown();
                    fixture.await("the four that feed", allRun);
                    while (!ends.get()) {
                        other.execute(() -> pool.execute(fed::incrementAndGet));
                        longest.accumulateAndGet(other.getQueue().size(), Math::max);
                    }
                });
            }
        }
        try {
            fixture.eventually("many rounds", () -> fed.get() > 50_000);
        } finally {
            ends.set(true);
        }
        // each worker may have looked at the same moment
        assertThat(longest.get()).isBetween(capacity, 2 * capacity + 4);
    }

    @Test
    void purge_manyCancelledTasksBeyondTheCapacity_takesLinearTime() {
        InstrumentedThreadPoolExecutor pool = pool("beyond", 1, 16);
        HeldTask held = fixture.occupy(pool);
        int few = 4_000;
        long quick = purgeNanos(pool, few);
        long slow = purgeNanos(pool, 16 * few);
        assertThat(slow).as("for 16 times as many, which was 256 times as long").isLessThan(100 * quick + 50_000_000L);
        assertThat(pool.getQueue()).isEmpty();
        held.release();
    }

    /** The CPU time of this thread, because other processes may take the CPU from it. */
    private static long purgeNanos(InstrumentedThreadPoolExecutor pool, int tasks) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long best = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 3; attempt++) {
            for (int i = 0; i < tasks; i++) {
                FutureTask<Integer> task = new FutureTask<>(() -> 1);
                pool.instruments.boundary.exceed(task);
                task.cancel(false);
            }
            long start = threads.getCurrentThreadCpuTime();
            pool.purge();
            best = Math.min(best, threads.getCurrentThreadCpuTime() - start);
        }
        return best;
    }

    /** A cycle of the graph, but one worker is busy with something else and comes back: waiting is right. */
    @Test
    void oneWorkerOfTheOtherPoolIsBusy_workersWait() {
        InstrumentedThreadPoolExecutor left = pool("left", 1, 1);
        InstrumentedThreadPoolExecutor right = pool("right", 2, 1);
        HeldTask busy = fixture.heldTask();
        AtomicInteger ran = new AtomicInteger();
        right.execute(busy);
        letThemWaitForEachOther(left, right, busy, ran);
        busy.release();
        fixture.eventually("run of all tasks", () -> ran.get() == 4);
        assertThat(left.snapshot().saturation().cycles()).isEmpty();
        assertThat(right.snapshot().saturation().cycles()).isEmpty();
    }

    /** A worker of each pool submits to the other pool, which is full. A further worker runs the held task. */
    private void letThemWaitForEachOther(
            InstrumentedThreadPoolExecutor left,
            InstrumentedThreadPoolExecutor right,
            HeldTask held,
            AtomicInteger ran) {
        HeldTask feedsLeft = fixture.heldTask();
        HeldTask feedsRight = fixture.heldTask();
        left.execute(() -> {
            feedsRight.run();
            right.execute(ran::incrementAndGet);
        });
        right.execute(() -> {
            feedsLeft.run();
            left.execute(ran::incrementAndGet);
        });
        for (HeldTask begun : List.of(held, feedsLeft, feedsRight)) {
            fixture.await("start", begun.started);
        }
        left.execute(ran::incrementAndGet);
        right.execute(ran::incrementAndGet);
        feedsLeft.release();
        feedsRight.release();
        fixture.eventually(
                "both wait",
                () -> left.snapshot().saturation().blockedNow() == 1
                        && right.snapshot().saturation().blockedNow() == 1);
    }

    /** Each run submits itself again to its own full pool. */
    @ParameterizedTest
    @ValueSource(strings = {"own queue", "JDK's queue"})
    void taskSubmitsItselfToItsOwnFullPool_neverOverflowsTheStack(String kind) throws Exception {
        ThreadPoolExecutor pool = fixture.closing(
                switch (kind) {
                    case "own queue" ->
                        InstrumentedThreadPoolExecutor.named("itself")
                                .size(1)
                                .queueCapacity(1)
                                .build();
                    default ->
                        new InstrumentedThreadPoolExecutor(
                                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(1), BlockingWaitPolicy.forever());
                });
        AtomicInteger left = new AtomicInteger(20_000);
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        List<Integer> deepest = new ArrayList<>(List.of(0)); // this one worker's
        Runnable[] itself = new Runnable[1];
        itself[0] = () -> {
            deepest.set(0, Math.max(deepest.get(0), depth()));
            try {
                if (left.decrementAndGet() > 0) {
                    pool.execute(itself[0]);
                } else {
                    end.complete(new IllegalStateException("ended well"));
                }
            } catch (Throwable e) {
                end.complete(e);
            }
        };
        pool.execute(() -> {
            while (pool.getQueue().offer(() -> {})) {
                // until the queue is full
            }
            pool.execute(itself[0]);
        });
        assertThat(end.get(Duration.ofSeconds(30).toMillis(), TimeUnit.MILLISECONDS))
                .hasMessage("ended well");
        assertThat(deepest.get(0)).isLessThan(500);
    }

    private static int depth() {
        return StackWalker.getInstance().walk(frames -> (int) frames.count());
    }

    @Test
    void exceededCapacity_tasksAreSeenByAllMethodsOfTheQueue() {
        InstrumentedThreadPoolExecutor pool = pool("beyond", 1, 1);
        HeldTask held = fixture.heldTask();
        pool.execute(held);
        fixture.await("start", held.started);
        Runnable within = () -> {};
        Runnable beyond = () -> {};
        pool.execute(within);
        pool.instruments.boundary.exceed(beyond);
        assertThat(pool.getQueue()).containsExactly(within, beyond).hasSize(2);
        assertThat(pool.snapshot().queued()).isEqualTo(2);
        assertThat(pool.snapshot().submitted()).isEqualTo(3);
        assertThat(pool.remove(beyond)).isTrue();
        assertThat(pool.getQueue()).containsExactly(within);
        pool.instruments.boundary.exceed(beyond);
        assertThat(pool.shutdownNow()).containsExactly(within, beyond);
        held.release();
    }
}
