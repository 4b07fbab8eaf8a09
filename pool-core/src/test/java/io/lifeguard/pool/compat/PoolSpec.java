package io.lifeguard.pool.compat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a pool's constructor, including {@code null} and other wrong values. The setters that were called
 * decide which of the four constructors is used. Not thread-safe.
 */
final class PoolSpec {

    private final int core;
    private final int maximum;
    private BlockingQueue<Runnable> queue;
    private long keepAlive = 60;
    private TimeUnit unit = TimeUnit.SECONDS;
    private @Nullable ThreadFactory factory;
    private @Nullable RejectedExecutionHandler handler;
    private @Nullable Hooks hooks;
    private boolean factoryNamed;
    private boolean handlerNamed;

    PoolSpec(int core, int maximum, BlockingQueue<Runnable> queue) {
        this.core = core;
        this.maximum = maximum;
        this.queue = queue;
    }

    @SuppressWarnings("NullAway") // null is one of the wrong arguments under test
    PoolSpec queue(@Nullable BlockingQueue<Runnable> newQueue) {
        queue = newQueue;
        return this;
    }

    @SuppressWarnings("NullAway") // null is one of the wrong arguments under test
    PoolSpec keepAlive(long time, @Nullable TimeUnit newUnit) {
        keepAlive = time;
        unit = newUnit;
        return this;
    }

    PoolSpec factory(@Nullable ThreadFactory newFactory) {
        factory = newFactory;
        factoryNamed = true;
        return this;
    }

    PoolSpec handler(@Nullable RejectedExecutionHandler newHandler) {
        handler = newHandler;
        handlerNamed = true;
        return this;
    }

    PoolSpec hooks(Hooks newHooks) {
        hooks = newHooks;
        return this;
    }

    int core() {
        return core;
    }

    int maximum() {
        return maximum;
    }

    long keepAlive() {
        return keepAlive;
    }

    TimeUnit unit() {
        return unit;
    }

    BlockingQueue<Runnable> queue() {
        return queue;
    }

    boolean factoryNamed() {
        return factoryNamed;
    }

    boolean handlerNamed() {
        return handlerNamed;
    }

    @SuppressWarnings("NullAway") // null is one of the wrong arguments under test
    ThreadFactory factoryOrDefault() {
        return factoryNamed ? factory : Executors.defaultThreadFactory();
    }

    @SuppressWarnings("NullAway") // null is one of the wrong arguments under test
    RejectedExecutionHandler handlerOrDefault() {
        return handlerNamed ? handler : new ThreadPoolExecutor.AbortPolicy();
    }

    boolean isHooked() {
        return hooks != null;
    }

    Hooks hooks() {
        return hooks == null ? Hooks.NONE : hooks;
    }
}
