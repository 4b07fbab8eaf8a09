package io.lifeguard.pool.compat;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a scheduled pool's constructor, including {@code null} and other wrong values. The setters that were
 * called decide which of the four constructors is used. Not thread-safe.
 */
final class ScheduledSpec {

    private final int core;
    private @Nullable ThreadFactory factory;
    private @Nullable RejectedExecutionHandler handler;
    private @Nullable Hooks hooks;
    private boolean factoryNamed;
    private boolean handlerNamed;

    ScheduledSpec(int core) {
        this.core = core;
    }

    ScheduledSpec factory(@Nullable ThreadFactory newFactory) {
        factory = newFactory;
        factoryNamed = true;
        return this;
    }

    ScheduledSpec handler(@Nullable RejectedExecutionHandler newHandler) {
        handler = newHandler;
        handlerNamed = true;
        return this;
    }

    ScheduledSpec hooks(Hooks newHooks) {
        hooks = newHooks;
        return this;
    }

    int core() {
        return core;
    }

    @SuppressWarnings("NullAway") // null is one of the wrong arguments under test
    ThreadFactory factoryOrDefault() {
        return factoryNamed ? factory : Executors.defaultThreadFactory();
    }

    @SuppressWarnings("NullAway") // null is one of the wrong arguments under test
    RejectedExecutionHandler handlerOrDefault() {
        return handlerNamed ? handler : new ThreadPoolExecutor.AbortPolicy();
    }

    Hooks hooks() {
        return hooks == null ? Hooks.NONE : hooks;
    }

    /** Makes the pool by the constructor that takes what was named, or the subclass when hooks were. */
    ScheduledThreadPoolExecutor make(ScheduledMaker maker) {
        if (hooks != null) {
            return maker.hooked().apply(this);
        }
        if (factoryNamed && handlerNamed) {
            return maker.withBoth().make(core, factoryOrDefault(), handlerOrDefault());
        }
        if (factoryNamed) {
            return maker.withFactory().make(core, factoryOrDefault());
        }
        if (handlerNamed) {
            return maker.withHandler().make(core, handlerOrDefault());
        }
        return maker.one().apply(core);
    }
}
