package io.lifeguard.pool.compat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.queue.WorkQueue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Makes pools of one class, with one family of queues. Immutable. */
final class PoolMaker {

    /** The class that all others are compared with. */
    static final PoolMaker STOCK = new PoolMaker(
            "ThreadPoolExecutor",
            ThreadPoolExecutor::new,
            ThreadPoolExecutor::new,
            ThreadPoolExecutor::new,
            ThreadPoolExecutor::new,
            HookedPool::of);

    /** The class of this library, with queues of the JDK. */
    static final PoolMaker INSTRUMENTED = new PoolMaker(
            "InstrumentedThreadPoolExecutor",
            InstrumentedThreadPoolExecutor::new,
            InstrumentedThreadPoolExecutor::new,
            InstrumentedThreadPoolExecutor::new,
            InstrumentedThreadPoolExecutor::new,
            HookedInstrumentedPool::of);

    private final String name;
    private final Function<PoolSpec, ThreadPoolExecutor> plain;
    private final Function<PoolSpec, ThreadPoolExecutor> hooked;
    private final Supplier<BlockingQueue<Runnable>> unbounded;
    private final IntFunction<BlockingQueue<Runnable>> bounded;

    private PoolMaker(
            String name,
            Function<PoolSpec, ThreadPoolExecutor> plain,
            Function<PoolSpec, ThreadPoolExecutor> hooked,
            Supplier<BlockingQueue<Runnable>> unbounded,
            IntFunction<BlockingQueue<Runnable>> bounded) {
        this.name = name;
        this.plain = plain;
        this.hooked = hooked;
        this.unbounded = unbounded;
        this.bounded = bounded;
    }

    /**
     * Makes pools by the four constructors of a class, and by the constructor of a subclass that calls {@link Hooks}.
     */
    PoolMaker(
            String name,
            Five five,
            WithFactory withFactory,
            WithHandler withHandler,
            WithBoth withBoth,
            Function<PoolSpec, ThreadPoolExecutor> hooked) {
        this(
                name,
                spec -> byConstructor(spec, five, withFactory, withHandler, withBoth),
                hooked,
                LinkedBlockingQueue::new,
                ArrayBlockingQueue::new);
    }

    /** A class that exists only as a subclass that calls {@link Hooks}. */
    static PoolMaker ofSubclass(String name, Function<PoolSpec, ThreadPoolExecutor> hooked) {
        return new PoolMaker(name, hooked, hooked, LinkedBlockingQueue::new, ArrayBlockingQueue::new);
    }

    PoolMaker withWorkQueues() {
        return new PoolMaker(name + " with WorkQueue", plain, hooked, WorkQueue::unbounded, WorkQueue::bounded);
    }

    ThreadPoolExecutor make(PoolSpec spec) {
        return spec.isHooked() ? hooked.apply(spec) : plain.apply(spec);
    }

    BlockingQueue<Runnable> unbounded() {
        return unbounded.get();
    }

    BlockingQueue<Runnable> bounded(int capacity) {
        return bounded.apply(capacity);
    }

    @Override
    public String toString() {
        return name;
    }

    private static ThreadPoolExecutor byConstructor(
            PoolSpec s, Five five, WithFactory withFactory, WithHandler withHandler, WithBoth withBoth) {
        if (s.factoryNamed() && s.handlerNamed()) {
            return withBoth.make(
                    s.core(),
                    s.maximum(),
                    s.keepAlive(),
                    s.unit(),
                    s.queue(),
                    s.factoryOrDefault(),
                    s.handlerOrDefault());
        }
        if (s.factoryNamed()) {
            return withFactory.make(s.core(), s.maximum(), s.keepAlive(), s.unit(), s.queue(), s.factoryOrDefault());
        }
        if (s.handlerNamed()) {
            return withHandler.make(s.core(), s.maximum(), s.keepAlive(), s.unit(), s.queue(), s.handlerOrDefault());
        }
        return five.make(s.core(), s.maximum(), s.keepAlive(), s.unit(), s.queue());
    }

    interface Five {
        ThreadPoolExecutor make(int core, int maximum, long keepAlive, TimeUnit unit, BlockingQueue<Runnable> queue);
    }

    interface WithFactory {
        ThreadPoolExecutor make(
                int core,
                int maximum,
                long keepAlive,
                TimeUnit unit,
                BlockingQueue<Runnable> queue,
                ThreadFactory factory);
    }

    interface WithHandler {
        ThreadPoolExecutor make(
                int core,
                int maximum,
                long keepAlive,
                TimeUnit unit,
                BlockingQueue<Runnable> queue,
                RejectedExecutionHandler handler);
    }

    interface WithBoth {
        ThreadPoolExecutor make(
                int core,
                int maximum,
                long keepAlive,
                TimeUnit unit,
                BlockingQueue<Runnable> queue,
                ThreadFactory factory,
                RejectedExecutionHandler handler);
    }
}
