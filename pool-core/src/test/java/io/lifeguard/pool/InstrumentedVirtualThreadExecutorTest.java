package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor.AbortPolicy;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tasks run on virtual threads, never on more of them than the limit. How submitters wait is tested by all tests of
 * {@link PoolType#INSTRUMENTED_ON_VIRTUAL_THREADS}.
 */
class InstrumentedVirtualThreadExecutorTest {

    private static final int LIMIT = 100;
    private static final int SUBMISSIONS = 1_000_000;

    @AutoClose
    private final Fixture fixture = new Fixture();

    private InstrumentedVirtualThreadExecutor executor(int limit, int queueCapacity) {
        return fixture.closing(InstrumentedVirtualThreadExecutor.named("orders")
                .limit(limit)
                .queueCapacity(queueCapacity)
                .build());
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_20)
    void build_beforeJava21_namesTheVersionNeeded() {
        assertThatThrownBy(() -> InstrumentedVirtualThreadExecutor.named("orders")
                        .limit(1)
                        .build())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("virtual threads need Java 21 or newer (this is Java "
                        + Runtime.version().feature() + ")");
    }

    @Test
    void builder_wrongArguments_areRefusedWithTheirValues() {
        InstrumentedVirtualThreadExecutor.Builder builder = InstrumentedVirtualThreadExecutor.named("orders");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.limit(0))
                .withMessageContaining("limit must be >= 1 (was 0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.queueCapacity(-1))
                .withMessageContaining("queueCapacity must be >= 0 (was -1)");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.whenSaturated(null))
                .withMessageContaining("whenSaturated");
        assertThatNullPointerException().isThrownBy(() -> InstrumentedVirtualThreadExecutor.named(null));
        assertThatIllegalStateException()
                .isThrownBy(builder::build)
                .withMessageContaining("limit must be set")
                .withMessageContaining("newVirtualThreadPerTaskExecutor(\"orders\")");
    }

    /** Counts the threads that run a task, and those that have ever run one, while the queue never empties. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void execute_aMillionTasks_neverMoreThreadsThanTheLimit() {
        InstrumentedVirtualThreadExecutor executor = executor(LIMIT, 1_024);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < SUBMISSIONS; i++) {
            executor.execute(() -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                threads.add(Thread.currentThread());
                running.decrementAndGet();
            });
        }
        fixture.eventually("all completed", () -> executor.snapshot().completed() == SUBMISSIONS);
        assertThat(most.get()).isBetween(1, LIMIT);
        assertThat(executor.asThreadPool().getLargestPoolSize()).isLessThanOrEqualTo(LIMIT);
        assertThat(threads).allMatch(InstrumentedVirtualThreadExecutorTest::isVirtual);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void execute_limitReached_tasksWaitInTheQueueAndNotInThreads() {
        InstrumentedVirtualThreadExecutor executor = executor(3, 10);
        List<HeldTask> held = IntStream.range(0, 8)
                .mapToObj(i -> {
                    HeldTask task = fixture.heldTask();
                    executor.execute(task);
                    return task;
                })
                .toList();
        fixture.eventually("three run", () -> executor.snapshot().active() == 3);
        PoolSnapshot snapshot = executor.snapshot();
        assertThat(snapshot.size()).isEqualTo(3);
        assertThat(snapshot.queued()).isEqualTo(5);
        assertThat(snapshot.limits().maximumSize()).isEqualTo(executor.limit());
        held.forEach(HeldTask::release);
        fixture.eventually("all completed", () -> executor.snapshot().completed() == 8);
        assertThat(executor.snapshot().cpuTime().isKnown()).isFalse();
        assertThat(executor.snapshot().queueWait().count()).isEqualTo(8);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void whenSaturated_abortsOrRunsInTheCaller_asInAPlatformPool() {
        InstrumentedVirtualThreadExecutor aborting = fixture.closing(InstrumentedVirtualThreadExecutor.named("aborting")
                .limit(1)
                .queueCapacity(0)
                .whenSaturated(new AbortPolicy())
                .build());
        fixture.occupy(aborting);
        assertThatThrownBy(() -> aborting.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(aborting.snapshot().rejected()).isEqualTo(1);

        InstrumentedVirtualThreadExecutor calling = fixture.closing(InstrumentedVirtualThreadExecutor.named("calling")
                .limit(1)
                .queueCapacity(0)
                .whenSaturated(new CallerRunsPolicy())
                .build());
        fixture.occupy(calling);
        AtomicReference<Thread> runner = new AtomicReference<>();
        calling.execute(() -> runner.set(Thread.currentThread()));
        assertThat(runner.get()).isSameAs(Thread.currentThread());
        assertThat(calling.snapshot().callerRuns()).isEqualTo(1);
    }

    /** Each task submits to its own executor and waits for room that only itself could make. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16})
    @EnabledForJreRange(min = JRE.JAVA_21)
    void execute_fromItsOwnTasks_doesNotDeadlock(int capacity) {
        InstrumentedVirtualThreadExecutor executor = executor(2, capacity);
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            executor.execute(() -> {
                for (int n = 0; n < 10; n++) {
                    executor.execute(ran::incrementAndGet);
                }
            });
        }
        fixture.eventually("all tasks of tasks have run", () -> ran.get() == 200);
    }

    /** The value is set on the submitting thread before the first thread of the executor starts. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void execute_inheritableThreadLocalOfTheSubmitter_isNotSeenByTasks() throws Exception {
        InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
        user.set("alice");
        Future<String> seen = executor(1, 1).submit(user::get);
        assertThat(seen.get(fixture.patience().toSeconds(), TimeUnit.SECONDS)).isNull();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void shutdownNow_interruptsTasksAndReturnsTheQueue() throws Exception {
        ExecutorService executor = executor(1, 5);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        executor.execute(() -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        fixture.await("start", started);
        Runnable queued = () -> {};
        executor.execute(queued);
        assertThat(executor.shutdownNow()).containsExactly(queued);
        fixture.await("interrupt", interrupted);
        assertThat(executor.awaitTermination(fixture.patience().toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThatThrownBy(() -> executor.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    /** An idle thread ends after some seconds; until then it is reused, and has the executor's name. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void threads_areNamedAfterTheExecutor() throws Exception {
        InstrumentedVirtualThreadExecutor executor = executor(2, 2);
        String name = executor.submit(() -> Thread.currentThread().getName())
                .get(fixture.patience().toSeconds(), TimeUnit.SECONDS);
        assertThat(name).startsWith("orders-");
        assertThat(executor.name()).isEqualTo("orders");
        assertThat(executor.toString()).startsWith("orders (at most 2 virtual threads)");
        assertThat(Pools.live()).anyMatch(pool -> pool.name().equals("orders"));
    }
}
