package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A pool refuses wrong arguments with the right exception, and does not change. */
class ArgumentsTest {

    @EveryPool
    void constructor_negativeCore_isRefused(PoolFixture pools) {
        refusedByEveryConstructor(pools, -1, 1, spec -> spec);
    }

    @EveryPool
    void constructor_maximumBelowOne_isRefused(PoolFixture pools) {
        refusedByEveryConstructor(pools, 0, 0, spec -> spec);
        refusedByEveryConstructor(pools, 0, -1, spec -> spec);
    }

    @EveryPool
    void constructor_maximumBelowCore_isRefused(PoolFixture pools) {
        refusedByEveryConstructor(pools, 2, 1, spec -> spec);
    }

    @EveryPool
    void constructor_negativeKeepAlive_isRefused(PoolFixture pools) {
        refusedByEveryConstructor(pools, 1, 1, spec -> spec.keepAlive(-1, SECONDS));
    }

    @EveryPool
    void constructor_nullArgument_isRefused(PoolFixture pools) {
        for (int i = 0; i < 4; i++) {
            PoolSpec noQueue = pools.everyConstructor(1, 1).get(i).queue(null);
            nullRefused(() -> pools.make(noQueue));
            PoolSpec noUnit = pools.everyConstructor(1, 1).get(i).keepAlive(1, null);
            nullRefused(() -> pools.make(noUnit));
        }
        RejectedExecutionHandler handler = new ThreadPoolExecutor.AbortPolicy();
        nullRefused(() -> pools.make(pools.spec(1, 1).factory(null)));
        nullRefused(() -> pools.make(pools.spec(1, 1).handler(null)));
        nullRefused(() -> pools.make(pools.spec(1, 1).factory(null).handler(handler)));
        nullRefused(() ->
                pools.make(pools.spec(1, 1).factory(new RecordingFactory()).handler(null)));
    }

    @EveryPool
    void constructor_badNumberAndNull_complainsOfTheNumber(PoolFixture pools) {
        refused(() -> pools.make(pools.spec(-1, 1).queue(null).factory(null).handler(null)));
        refused(() -> pools.make(pools.spec(2, 1).handler(null)));
    }

    @EveryPool
    void constructor_extremeNumbers_areAccepted(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(0, Integer.MAX_VALUE).keepAlive(Long.MAX_VALUE, SECONDS));
        assertThat(pool.getMaximumPoolSize()).isEqualTo(Integer.MAX_VALUE);
        assertThat(pool.getKeepAliveTime(NANOSECONDS)).isEqualTo(Long.MAX_VALUE);
        assertThat(pools.make(pools.spec(1, 1).keepAlive(0, SECONDS)).getKeepAliveTime(NANOSECONDS))
                .isZero();
    }

    @EveryPool
    void execute_null_isRefusedAndNothingStarts(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory));
        nullRefused(() -> pool.execute(null));
        nullRefused(() -> pool.submit((Runnable) null));
        nullRefused(() -> pool.submit((Callable<?>) null));
        nullRefused(() -> pool.submit(null, "value"));
        nullRefused(() -> pool.invokeAll(null));
        nullRefused(() -> pool.invokeAny(null));
        assertThat(factory.made).isEmpty();
        assertThat(pool.getQueue()).isEmpty();
    }

    @EveryPool
    void execute_nullWhenFullOrShutDown_isRefusedBeforeTheHandlerIsAsked(PoolFixture pools) {
        ThreadPoolExecutor pool =
                pools.make(pools.spec(1, 1).queue(pools.bounded(1)).handler(new ThreadPoolExecutor.DiscardPolicy()));
        pools.occupy(pool);
        pool.execute(() -> {});
        nullRefused(() -> pool.execute(null));
        pool.shutdown();
        nullRefused(() -> pool.execute(null));
        nullRefused(() -> pool.submit((Runnable) null));
    }

    @EveryPool
    void invokeAll_nullElement_isRefused(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        List<Callable<String>> tasks = Arrays.asList(() -> "value", null);
        nullRefused(() -> pool.invokeAll(tasks));
        nullRefused(() -> pool.invokeAny(tasks.subList(1, 2)));
        refused(() -> pool.invokeAny(List.<Callable<String>>of()));
    }

    @EveryPool
    void setCorePoolSize_wrongNumber_isRefusedAndChangesNothing(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 2));
        refused(() -> pool.setCorePoolSize(-1));
        refused(() -> pool.setCorePoolSize(3));
        assertThat(pool.getCorePoolSize()).isEqualTo(1);
        pool.setCorePoolSize(0);
        assertThat(pool.getCorePoolSize()).isZero();
        pool.setCorePoolSize(2);
        assertThat(pool.getCorePoolSize()).isEqualTo(2);
    }

    @EveryPool
    void setMaximumPoolSize_wrongNumber_isRefusedAndChangesNothing(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 3));
        refused(() -> pool.setMaximumPoolSize(0));
        refused(() -> pool.setMaximumPoolSize(-1));
        refused(() -> pool.setMaximumPoolSize(1));
        assertThat(pool.getMaximumPoolSize()).isEqualTo(3);
        pool.setMaximumPoolSize(2);
        assertThat(pool.getMaximumPoolSize()).isEqualTo(2);
    }

    @EveryPool
    void setKeepAliveTime_wrongTime_isRefusedAndChangesNothing(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).keepAlive(3, SECONDS));
        refused(() -> pool.setKeepAliveTime(-1, SECONDS));
        nullRefused(() -> pool.setKeepAliveTime(1, null));
        pool.allowCoreThreadTimeOut(true);
        refused(() -> pool.setKeepAliveTime(0, SECONDS));
        assertThat(pool.getKeepAliveTime(SECONDS)).isEqualTo(3);
    }

    @EveryPool
    void setKeepAliveTime_anyUnit_isKeptExactly(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        pool.setKeepAliveTime(1_234_567, MICROSECONDS);
        assertThat(pool.getKeepAliveTime(NANOSECONDS)).isEqualTo(1_234_567_000);
        assertThat(pool.getKeepAliveTime(MILLISECONDS)).isEqualTo(1_234);
        pool.setKeepAliveTime(0, SECONDS);
        assertThat(pool.getKeepAliveTime(NANOSECONDS)).isZero();
    }

    @EveryPool
    void allowCoreThreadTimeOut_noKeepAlive_isRefused(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).keepAlive(0, SECONDS));
        refused(() -> pool.allowCoreThreadTimeOut(true));
        assertThat(pool.allowsCoreThreadTimeOut()).isFalse();
        pool.allowCoreThreadTimeOut(false);
        pool.setKeepAliveTime(1, SECONDS);
        pool.allowCoreThreadTimeOut(true);
        assertThat(pool.allowsCoreThreadTimeOut()).isTrue();
    }

    @EveryPool
    void setters_null_areRefusedAndChangeNothing(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        Object factory = pool.getThreadFactory();
        Object handler = pool.getRejectedExecutionHandler();
        nullRefused(() -> pool.setThreadFactory(null));
        nullRefused(() -> pool.setRejectedExecutionHandler(null));
        assertThat(pool.getThreadFactory()).isSameAs(factory);
        assertThat(pool.getRejectedExecutionHandler()).isSameAs(handler);
    }

    private static void refusedByEveryConstructor(
            PoolFixture pools, int core, int maximum, UnaryOperator<PoolSpec> change) {
        for (PoolSpec spec : pools.everyConstructor(core, maximum)) {
            refused(() -> pools.make(change.apply(spec)));
        }
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call).isExactlyInstanceOf(IllegalArgumentException.class);
    }

    private static void nullRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isExactlyInstanceOf(NullPointerException.class);
    }
}
