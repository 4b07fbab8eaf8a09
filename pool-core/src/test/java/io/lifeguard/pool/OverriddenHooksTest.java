package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.queue.WorkQueue;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks are measured in subclasses that override the hooks, with and without a call of super, or throw in them. */
class OverriddenHooksTest {

    private static final int ROUNDS = 50;

    @AutoClose
    private final Fixture fixture = new Fixture();

    /** The hooks of a subclass that call super. */
    enum Hooks {
        BOTH_CALL_SUPER,
        ONLY_AFTER_CALLS_SUPER,
        ONLY_BEFORE_CALLS_SUPER,
        NONE_CALLS_SUPER;

        boolean callsSuperBefore() {
            return this == BOTH_CALL_SUPER || this == ONLY_BEFORE_CALLS_SUPER;
        }

        boolean callsSuperAfter() {
            return this == BOTH_CALL_SUPER || this == ONLY_AFTER_CALLS_SUPER;
        }
    }

    private final class Hooked extends InstrumentedThreadPoolExecutor {
        private final Hooks hooks;
        private final AtomicInteger calls = new AtomicInteger();

        Hooked(Hooks hooks, int size, BlockingQueue<Runnable> queue) {
            super(size, size, 0, TimeUnit.SECONDS, queue, OverriddenHooksTest::silent);
            this.hooks = hooks;
            fixture.closing(this);
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            calls.incrementAndGet();
            if (hooks.callsSuperBefore()) {
                super.beforeExecute(thread, task);
            }
        }

        @Override
        protected void afterExecute(Runnable task, Throwable thrown) {
            calls.incrementAndGet();
            if (hooks.callsSuperAfter()) {
                super.afterExecute(task, thrown);
            }
        }
    }

    private static Thread silent(Runnable body) {
        Thread thread = new Thread(body);
        thread.setUncaughtExceptionHandler((where, expected) -> {});
        return thread;
    }

    @ParameterizedTest
    @EnumSource
    void workQueue_anyHooks_everyTaskIsMeasured(Hooks hooks) {
        Hooked pool = new Hooked(hooks, 2, WorkQueue.unbounded());
        everyEnd(pool);
        fixture.eventually("all counted", () -> pool.snapshot().completed() == 4 * ROUNDS);
        PoolSnapshot snapshot = pool.snapshot();
        assertThat(snapshot.submitted()).isEqualTo(4 * ROUNDS);
        assertThat(snapshot.failed()).isEqualTo(2 * ROUNDS);
        assertThat(snapshot.serviceTime().count()).isEqualTo(4 * ROUNDS);
        assertThat(snapshot.queueWait().count()).isEqualTo(4 * ROUNDS);
        assertThat(pool.calls).hasValueGreaterThanOrEqualTo(8 * ROUNDS - 1);
        fixture.eventually("rest", () -> pool.snapshot().active() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void usersQueue_anyHooks_countsAreExactAndFuturesAreMeasured(Hooks hooks) {
        Hooked pool = new Hooked(hooks, 2, new LinkedBlockingQueue<>());
        everyEnd(pool);
        fixture.eventually("all counted", () -> pool.snapshot().completed() == 4 * ROUNDS);
        fixture.eventually("rest", () -> pool.snapshot().active() == 0);
        PoolSnapshot snapshot = pool.snapshot();
        assertThat(snapshot.submitted()).isEqualTo(4 * ROUNDS);
        assertThat(snapshot.failed()).isGreaterThanOrEqualTo(ROUNDS);
        assertThat(snapshot.serviceTime().count()).isBetween(2L * ROUNDS, 4L * ROUNDS);
        assertThat(countOf(snapshot, "future")).isEqualTo(ROUNDS);
        assertThat(countOf(snapshot, "failing future")).isEqualTo(ROUNDS);
        if (hooks == Hooks.BOTH_CALL_SUPER) {
            assertThat(snapshot.serviceTime().count()).isEqualTo(4 * ROUNDS);
            assertThat(snapshot.failed()).isEqualTo(2 * ROUNDS);
        }
    }

    private static void everyEnd(InstrumentedThreadPoolExecutor pool) {
        IllegalStateException failure = new IllegalStateException("on purpose");
        for (int i = 0; i < ROUNDS; i++) {
            pool.execute(Tasks.named("raw", () -> {}));
            pool.execute(Tasks.named("failing raw", (Runnable) () -> {
                throw failure;
            }));
            pool.submit(Tasks.named("future", () -> {}));
            pool.submit(Tasks.named("failing future", (Runnable) () -> {
                throw failure;
            }));
        }
    }

    private static long countOf(PoolSnapshot snapshot, String kind) {
        return snapshot.kinds().stream()
                .filter(counted -> counted.name().equals(kind))
                .mapToLong(PoolSnapshot.TaskKind::count)
                .sum();
    }

    /** The pool does not see the end of this raw task, and still its worker does not stay active forever. */
    @ParameterizedTest
    @EnumSource
    void usersQueue_rawTaskEnded_workerIsNoLongerActive(Hooks hooks) {
        Hooked pool = new Hooked(hooks, 1, new LinkedBlockingQueue<>());
        HeldTask held = fixture.occupy(pool);
        assertThat(pool.snapshot().active()).isOne();
        held.release();
        fixture.eventually("rest", () -> pool.snapshot().active() == 0);
    }

    /** Both hooks may throw. The JDK then ends the worker and counts the task; an instrumented pool does the same. */
    @ParameterizedTest
    @EnumSource(names = {"INSTRUMENTED", "INSTRUMENTED_ON_LINKED_QUEUE"})
    void hooks_throw_tasksAreCountedAsTheJdkCountsThem(PoolType type) {
        for (String where : List.of("before", "after")) {
            AtomicInteger ran = new AtomicInteger();
            InstrumentedThreadPoolExecutor pool = fixture.closing(
                    new InstrumentedThreadPoolExecutor(
                            1, 1, 0, TimeUnit.SECONDS, type.queue(100), OverriddenHooksTest::silent) {
                        @Override
                        protected void beforeExecute(Thread thread, Runnable task) {
                            super.beforeExecute(thread, task);
                            fail("before");
                        }

                        @Override
                        protected void afterExecute(Runnable task, Throwable thrown) {
                            super.afterExecute(task, thrown);
                            fail("after");
                        }

                        private void fail(String hook) {
                            if (hook.equals(where)) {
                                throw new IllegalStateException("on purpose");
                            }
                        }
                    });
            for (int i = 0; i < ROUNDS; i++) {
                pool.execute(ran::incrementAndGet);
            }
            fixture.eventually("all counted", () -> pool.snapshot().completed() == ROUNDS);
            assertThat(pool.getCompletedTaskCount()).isEqualTo(ROUNDS);
            assertThat(pool.snapshot().submitted()).isEqualTo(ROUNDS);
            assertThat(ran).hasValue(where.equals("after") ? ROUNDS : 0);
            fixture.eventually("rest", () -> pool.snapshot().active() == 0);
        }
    }

    @Test
    void getThreadFactoryOverridden_callsSuper_everyTaskIsMeasuredAndUsersSeeTheirFactory() {
        ThreadFactory set = OverriddenHooksTest::silent;
        InstrumentedThreadPoolExecutor pool = fixture.closing(
                new InstrumentedThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, WorkQueue.unbounded(), set) {
                    @Override
                    public ThreadFactory getThreadFactory() {
                        return super.getThreadFactory();
                    }
                });
        assertThat(pool.getThreadFactory()).isSameAs(set);
        everyEnd(pool);
        fixture.eventually("all counted", () -> pool.snapshot().completed() == 4 * ROUNDS);
        assertThat(pool.snapshot().serviceTime().count()).isEqualTo(4 * ROUNDS);
    }

    /** Only the JDK's counts are known here, and the snapshot does not contradict them. */
    @Test
    void getThreadFactoryOverridden_hidesItsWorkers_theJdksCountsRemain() {
        for (BlockingQueue<Runnable> queue : List.of(WorkQueue.unbounded(), new LinkedBlockingQueue<Runnable>())) {
            InstrumentedThreadPoolExecutor pool =
                    fixture.closing(new InstrumentedThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, queue) {
                        @Override
                        public ThreadFactory getThreadFactory() {
                            return OverriddenHooksTest::silent;
                        }
                    });
            HeldTask held = fixture.occupy(pool);
            for (int i = 0; i < ROUNDS; i++) {
                pool.execute(() -> {});
            }
            assertThat(pool.snapshot().active()).isPositive();
            held.release();
            fixture.eventually("all counted", () -> pool.snapshot().completed() == ROUNDS + 1);
            assertThat(pool.snapshot().submitted()).isEqualTo(ROUNDS + 1);
            fixture.eventually("rest", () -> pool.snapshot().active() == 0);
        }
    }

    @Test
    void newTaskForOverridden_plainFutures_areMeasuredAndReturned() throws Exception {
        for (BlockingQueue<Runnable> queue : List.of(WorkQueue.unbounded(), new LinkedBlockingQueue<Runnable>())) {
            InstrumentedThreadPoolExecutor pool =
                    fixture.closing(new InstrumentedThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, queue) {
                        @Override
                        protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
                            return new UsersFuture<>(task, value);
                        }
                    });
            assertThat(pool.submit(() -> {}, "value")).isInstanceOf(UsersFuture.class);
            fixture.get(pool.submit(() -> {}, "value"));
            fixture.eventually("both counted", () -> pool.snapshot().completed() == 2);
            assertThat(pool.snapshot().serviceTime().count()).isEqualTo(2);
            assertThat(pool.snapshot().kinds())
                    .extracting(PoolSnapshot.TaskKind::name)
                    .containsExactly(UsersFuture.class.getName());
        }
    }

    private static final class UsersFuture<T> extends FutureTask<T> {
        UsersFuture(Runnable task, T value) {
            super(task, value);
        }
    }

    /** Super is called only sometimes, which must not confuse the count of tasks that new workers get directly. */
    @Test
    void workQueue_hookCallsSuperSometimes_countsStayExact() {
        AtomicInteger calls = new AtomicInteger();
        InstrumentedThreadPoolExecutor pool = fixture.closing(
                new InstrumentedThreadPoolExecutor(
                        3, 3, 0, TimeUnit.SECONDS, WorkQueue.unbounded(), OverriddenHooksTest::silent) {
                    @Override
                    protected void beforeExecute(Thread thread, Runnable task) {
                        if (calls.getAndIncrement() % 3 == 0) {
                            super.beforeExecute(thread, task);
                        }
                    }
                });
        everyEnd(pool);
        fixture.eventually("all counted", () -> pool.getCompletedTaskCount() == 4 * ROUNDS);
        fixture.eventually("rest", () -> pool.snapshot().active() == 0);
        assertThat(Stream.of(pool.snapshot()).mapToLong(PoolSnapshot::completed))
                .containsExactly(4L * ROUNDS);
        assertThat(pool.snapshot().submitted()).isEqualTo(4 * ROUNDS);
    }
}
