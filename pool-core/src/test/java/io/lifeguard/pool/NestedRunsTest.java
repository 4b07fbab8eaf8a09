package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Fixture;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The only worker of a pool with a direct hand-off submits to its own pool, on more levels than
 * {@link NestedRuns#DEEPEST}, and waits for the result on each.
 */
class NestedRunsTest {

    private static final int LEVELS = 40;

    @AutoClose
    private final Fixture fixture = new Fixture();

    private ThreadPoolExecutor pool;

    private void make(PoolType type) {
        pool = fixture.closing(type.make(1, 1, BlockingWaitPolicy.forever()));
    }

    private int levels(Callable<Integer> task) throws Exception {
        return fixture.get(pool.submit(task));
    }

    @ParameterizedTest
    @EnumSource(names = "INSTRUMENTED_WITH_HAND_OFF")
    void get_deeperThanRunsNest_returns(PoolType type) throws Exception {
        make(type);
        assertThat(levels(() -> get(LEVELS))).isEqualTo(LEVELS);
    }

    private int get(int levels) throws Exception {
        return levels == 0 ? 0 : 1 + pool.submit(() -> get(levels - 1)).get();
    }

    /** The future that is asked last depends on a raw task that was submitted before it. */
    @ParameterizedTest
    @EnumSource(names = "INSTRUMENTED_WITH_HAND_OFF")
    void get_dependsOnAPostponedTask_returns(PoolType type) throws Exception {
        make(type);
        AtomicInteger ran = new AtomicInteger();
        assertThat(levels(() -> getBehindRaw(LEVELS, ran))).isEqualTo(LEVELS);
        assertThat(ran).hasValue(LEVELS);
    }

    private int getBehindRaw(int levels, AtomicInteger ran) throws Exception {
        if (levels == 0) {
            return 0;
        }
        pool.execute(ran::incrementAndGet);
        Future<Integer> next = pool.submit(() -> {
            assertThat(ran.get()).isGreaterThan(LEVELS - levels);
            return getBehindRaw(levels - 1, ran);
        });
        return 1 + next.get(1, TimeUnit.HOURS);
    }

    @ParameterizedTest
    @EnumSource(names = "INSTRUMENTED_WITH_HAND_OFF")
    void invokeAll_deeperThanRunsNest_returns(PoolType type) throws Exception {
        make(type);
        assertThat(levels(() -> invokeAll(LEVELS))).isEqualTo(LEVELS);
    }

    private int invokeAll(int levels) throws Exception {
        Callable<Integer> next = () -> invokeAll(levels - 1);
        return levels == 0 ? 0 : 1 + pool.invokeAll(List.of(next)).get(0).get();
    }

    @ParameterizedTest
    @EnumSource(names = "INSTRUMENTED_WITH_HAND_OFF")
    void invokeAny_deeperThanRunsNest_returns(PoolType type) throws Exception {
        make(type);
        assertThat(levels(() -> invokeAny(LEVELS))).isEqualTo(LEVELS);
    }

    private int invokeAny(int levels) throws Exception {
        Callable<Integer> next = () -> invokeAny(levels - 1);
        return levels == 0 ? 0 : 1 + pool.invokeAny(List.of(next));
    }

    @ParameterizedTest
    @EnumSource(names = "INSTRUMENTED_WITH_HAND_OFF")
    void join_deeperThanRunsNest_returns(PoolType type) throws Exception {
        make(type);
        assertThat(levels(() -> join(LEVELS))).isEqualTo(LEVELS);
    }

    private int join(int levels) {
        return levels == 0
                ? 0
                : 1
                        + CompletableFuture.supplyAsync(() -> join(levels - 1), pool)
                                .join();
    }

    /** A chain of tasks that wait for nothing: however long it is, it does not end the stack. */
    @ParameterizedTest
    @EnumSource(names = "INSTRUMENTED_WITH_HAND_OFF")
    void runAsync_longChain_everyTaskRuns(PoolType type) throws Exception {
        make(type);
        AtomicInteger left = new AtomicInteger(5_000);
        assertThat(levels(() -> {
                    step(left);
                    return left.get();
                }))
                .isZero();
    }

    private void step(AtomicInteger left) {
        if (left.decrementAndGet() > 0) {
            CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> step(left), pool);
        }
    }
}
