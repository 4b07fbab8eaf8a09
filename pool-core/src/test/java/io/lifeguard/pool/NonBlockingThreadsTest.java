package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.FullPool.Submission;
import io.lifeguard.pool.os.NonBlockingThreads;
import io.lifeguard.pool.testing.Fixture;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A full pool refuses threads that must not block: those of known libraries, and those that the user names. */
class NonBlockingThreadsTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private void assertRefused(Executor eventLoop) throws Exception {
        for (PoolType type : PoolType.values()) {
            FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
            Runnable task = () -> {};
            Refusal refusal = executeOn(eventLoop, full.pool, task);
            assertThat(refusal.thrown)
                    .isExactlyInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("it is full, and thread " + refusal.thread.getName() + " is an event loop")
                    .hasMessageContaining("so it cannot wait for room")
                    .hasMessageContaining("submit from another thread")
                    .hasMessageContaining("BlockingWaitPolicy.allowingNonBlockingThreads()");
            assertThat(full.pool.getQueue()).hasSize(full.fillers).doesNotContain(task);
            if (full.pool instanceof InstrumentedPool instrumented) {
                PoolSnapshot snapshot = instrumented.snapshot();
                assertThat(snapshot.saturation().rejections())
                        .containsOnly(Map.entry(RejectionReason.MUST_NOT_BLOCK, 1L));
                assertThat(snapshot.blockedSubmit().count()).isZero();
                assertThat(snapshot.submitted()).isEqualTo(1 + full.fillers);
            }
        }
        assertWaitsWhenAllowed(eventLoop);
    }

    private void assertWaitsWhenAllowed(Executor eventLoop) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(
                fixture, PoolType.INSTRUMENTED, BlockingWaitPolicy.forever().allowingNonBlockingThreads());
        assertWaits(eventLoop, full);
        PoolSnapshot.EventLoop waited = onlyEventLoop(full);
        assertThat(waited.waits()).isOne();
        assertThat(waited.waitTime()).isPositive();
        assertThat(waited.runs()).isZero();
        assertRunIsRecorded(eventLoop);
    }

    private void assertRunIsRecorded(Executor eventLoop) {
        FullPool<ThreadPoolExecutor> full =
                FullPool.of(fixture, PoolType.INSTRUMENTED.make(1, 1, new ThreadPoolExecutor.CallerRunsPolicy()));
        full.submit("dispatcher", () -> {}).awaitAcceptance();
        assertThat(snapshot(full).saturation().eventLoops()).isEmpty();
        CompletableFuture<String> thread = new CompletableFuture<>();
        eventLoop.execute(() ->
                full.pool.execute(() -> thread.complete(Thread.currentThread().getName())));
        assertThat(thread).succeedsWithin(fixture.patience());
        fixture.eventually(
                "the run is recorded",
                () -> !snapshot(full).saturation().eventLoops().isEmpty());
        PoolSnapshot.EventLoop ran = onlyEventLoop(full);
        assertThat(ran.thread()).isEqualTo(thread.join());
        assertThat(ran.runs()).isOne();
        assertThat(ran.runTime()).isPositive();
        assertThat(ran.waits()).isZero();
        assertThat(snapshot(full).saturation().callers()).hasSize(2);
    }

    private static PoolSnapshot.EventLoop onlyEventLoop(FullPool<ThreadPoolExecutor> full) {
        assertThat(snapshot(full).saturation().eventLoops()).hasSize(1);
        return snapshot(full).saturation().eventLoops().get(0);
    }

    private static PoolSnapshot snapshot(FullPool<ThreadPoolExecutor> full) {
        return ((InstrumentedPool) full.pool).snapshot();
    }

    private void assertWaits(Executor threads, FullPool<ThreadPoolExecutor> full) {
        CompletableFuture<Refusal> outcome = new CompletableFuture<>();
        threads.execute(() -> outcome.complete(execute(full.pool, () -> {})));
        InstrumentedPool pool = (InstrumentedPool) full.pool;
        fixture.eventually(
                "the thread waits", () -> pool.snapshot().saturation().blockedNow() == 1 || outcome.isDone());
        assertThat(outcome).isNotDone();
        full.release();
        assertThat(outcome)
                .succeedsWithin(fixture.patience())
                .extracting(refusal -> refusal.thrown)
                .isNull();
    }

    private Refusal executeOn(Executor threads, ThreadPoolExecutor pool, Runnable task) throws Exception {
        CompletableFuture<Refusal> outcome = new CompletableFuture<>();
        threads.execute(() -> outcome.complete(execute(pool, task)));
        return fixture.get(outcome);
    }

    private static Refusal execute(ThreadPoolExecutor pool, Runnable task) {
        try {
            pool.execute(task);
            return new Refusal(Thread.currentThread(), null);
        } catch (RejectedExecutionException e) {
            return new Refusal(Thread.currentThread(), e);
        }
    }

    private record Refusal(Thread thread, RejectedExecutionException thrown) {}

    @Test
    @SuppressWarnings("deprecation") // most users still have this class
    void execute_onNettysNioEventLoop_isRefused() throws Exception {
        withGroup(new NioEventLoopGroup(1));
    }

    @Test
    void execute_onNettysIoEventLoop_isRefused() throws Exception {
        withGroup(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()));
    }

    private void withGroup(EventLoopGroup group) throws Exception {
        try {
            assertRefused(group.next());
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS)
                    .await(fixture.patience().toMillis());
        }
    }

    @Test
    void execute_onReactorsParallelThread_isRefused() throws Exception {
        withScheduler(Schedulers.newParallel("parallel", 1), true);
        withScheduler(Schedulers.newSingle("single"), true);
    }

    @Test
    void execute_onReactorsElasticThread_waits() throws Exception {
        withScheduler(Schedulers.newBoundedElastic(1, 10, "elastic"), false);
    }

    private void withScheduler(Scheduler scheduler, boolean refused) throws Exception {
        try {
            if (refused) {
                assertRefused(scheduler::schedule);
            } else {
                assertWaits(
                        scheduler::schedule, FullPool.of(fixture, PoolType.INSTRUMENTED, BlockingWaitPolicy.forever()));
            }
        } finally {
            scheduler.dispose();
        }
    }

    @Test
    void execute_onVertxEventLoopAndWorker_isRefusedOnTheEventLoopOnly() throws Exception {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
        try {
            assertRefused(task -> vertx.runOnContext(ignored -> task.run()));
            FullPool<ThreadPoolExecutor> full =
                    FullPool.of(fixture, PoolType.INSTRUMENTED, BlockingWaitPolicy.forever());
            assertWaits(
                    task -> vertx.executeBlocking(() -> {
                        task.run();
                        return null;
                    }),
                    full);
        } finally {
            vertx.close().await(fixture.patience().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void execute_onEventLoopWhileThereIsRoom_isAccepted() throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            ThreadPoolExecutor pool = fixture.closing(PoolType.INSTRUMENTED.make(1, 1, BlockingWaitPolicy.forever()));
            assertThat(executeOn(group.next(), pool, () -> {}).thrown).isNull();
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS)
                    .await(fixture.patience().toMillis());
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusing_threadMatches_isRefusedAndOthersWait(PoolType type) {
        BlockingWaitPolicy policy = BlockingWaitPolicy.forever()
                .refusing(thread -> thread.getName().startsWith("timer"))
                .refusing(thread -> thread.getName().startsWith("ui"));
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, policy);
        for (String name : new String[] {"timer-1", "ui-1"}) {
            assertThat(full.submit(name, () -> {}).awaitRefusal())
                    .isExactlyInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("thread " + name + " is refused by the policy's own predicate");
        }
        Submission other = full.submitAndWait(() -> {});
        full.release();
        other.awaitAcceptance();
    }

    @Test
    void refusing_afterAllowingEventLoops_stillRefusesByThePredicate() throws Exception {
        BlockingWaitPolicy policy =
                BlockingWaitPolicy.forever().refusing(thread -> true).allowingNonBlockingThreads();
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, PoolType.INSTRUMENTED, policy);
        full.submit(() -> {}).awaitRefusal();
    }

    @Test
    void refusing_derivedPolicy_leavesTheOriginalUnchanged() {
        BlockingWaitPolicy original = BlockingWaitPolicy.forever();
        assertThat(original.refusing(thread -> true)).isNotSameAs(original);
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, PoolType.INSTRUMENTED, original);
        Submission submission = full.submitAndWait(() -> {});
        full.release();
        submission.awaitAcceptance();
    }

    @ParameterizedTest
    @EnumSource
    void refusing_predicateThrows_submitterSeesItAndTheTaskIsNotEnqueued(PoolType type) {
        IllegalStateException thrown = new IllegalStateException("on purpose");
        FullPool<ThreadPoolExecutor> full =
                FullPool.of(fixture, type, BlockingWaitPolicy.forever().refusing(thread -> {
                    throw thrown;
                }));
        assertThat(full.submit(() -> {}).awaitRefusal()).isSameAs(thrown);
        assertThat(full.pool.getQueue()).hasSize(full.fillers);
        if (full.pool instanceof InstrumentedPool instrumented) {
            PoolSnapshot snapshot = instrumented.snapshot();
            assertThat(snapshot.submitted()).isEqualTo(1 + full.fillers);
            assertThat(snapshot.saturation().rejections()).containsOnly(Map.entry(RejectionReason.HANDLER_THREW, 1L));
            assertThat(snapshot.saturation().blockedNow()).isZero();
        }
    }

    @Test
    void refusing_null_isRefused() {
        assertThatThrownBy(() -> BlockingWaitPolicy.forever().refusing(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("mustNotBlock must not be null");
    }

    @Test
    void isNonBlocking_ordinaryThread_isFalse() {
        assertThat(NonBlockingThreads.isNonBlocking(Thread.currentThread())).isFalse();
        ExecutorService pool = fixture.closing(InstrumentedExecutors.newFixedThreadPool("pool", 1));
        assertThat(fixture.within(
                        "task",
                        () -> fixture.get(pool.submit(() -> NonBlockingThreads.isNonBlocking(Thread.currentThread())))))
                .isFalse();
    }
}
