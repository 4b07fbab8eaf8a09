package io.lifeguard.pool.compat;

import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

/** Makes pools by the four constructors of a class, and by the constructor of a subclass that calls {@link Hooks}. */
record ScheduledMaker(
        String name,
        Function<Integer, ScheduledThreadPoolExecutor> one,
        WithFactory withFactory,
        WithHandler withHandler,
        WithBoth withBoth,
        Function<ScheduledSpec, ScheduledThreadPoolExecutor> hooked) {

    /** The class that all others are compared with. */
    static final ScheduledMaker STOCK = new ScheduledMaker(
            "ScheduledThreadPoolExecutor",
            ScheduledThreadPoolExecutor::new,
            ScheduledThreadPoolExecutor::new,
            ScheduledThreadPoolExecutor::new,
            ScheduledThreadPoolExecutor::new,
            HookedScheduledPool::new);

    /** The class of this library. */
    static final ScheduledMaker INSTRUMENTED = new ScheduledMaker(
            "InstrumentedScheduledThreadPoolExecutor",
            InstrumentedScheduledThreadPoolExecutor::new,
            InstrumentedScheduledThreadPoolExecutor::new,
            InstrumentedScheduledThreadPoolExecutor::new,
            InstrumentedScheduledThreadPoolExecutor::new,
            HookedInstrumentedScheduledPool::new);

    /** A class that exists only as a subclass that calls {@link Hooks}. */
    static ScheduledMaker ofSubclass(String name, Function<ScheduledSpec, ScheduledThreadPoolExecutor> hooked) {
        return new ScheduledMaker(
                name,
                core -> hooked.apply(new ScheduledSpec(core)),
                (core, factory) -> hooked.apply(new ScheduledSpec(core).factory(factory)),
                (core, handler) -> hooked.apply(new ScheduledSpec(core).handler(handler)),
                (core, factory, handler) ->
                        hooked.apply(new ScheduledSpec(core).factory(factory).handler(handler)),
                hooked);
    }

    @Override
    public String toString() {
        return name;
    }

    interface WithFactory {
        ScheduledThreadPoolExecutor make(int core, ThreadFactory factory);
    }

    interface WithHandler {
        ScheduledThreadPoolExecutor make(int core, RejectedExecutionHandler handler);
    }

    interface WithBoth {
        ScheduledThreadPoolExecutor make(int core, ThreadFactory factory, RejectedExecutionHandler handler);
    }
}
