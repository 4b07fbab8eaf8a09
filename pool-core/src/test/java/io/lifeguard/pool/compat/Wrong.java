package io.lifeguard.pool.compat;

import io.lifeguard.pool.testing.Delays;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A pool with a fault that a real pool has had, and one check that must find the fault. The factory methods take a
 * fault and all checks that must find it, and return one instance for each check. Immutable.
 */
@SuppressWarnings("varargs") // generic arrays are only passed on and read
final class Wrong {

    /** Long enough for a check to reach the fault. A check that finds the fault by waiting in vain waits no longer. */
    private static final Duration SHORT_PATIENCE = Delays.scaled(Duration.ofMillis(250));

    private final String fault;
    private final Examination onWrong;
    private final Examination onFaultless;

    private Wrong(String fault, Examination onWrong, Examination onFaultless) {
        this.fault = fault;
        this.onWrong = onWrong;
        this.onFaultless = onFaultless;
    }

    @SafeVarargs
    static Stream<Wrong> pool(
            String fault, Function<PoolSpec, ThreadPoolExecutor> maker, Check<PoolFixture>... caughtBy) {
        PoolMaker wrong = PoolMaker.ofSubclass(fault, maker);
        PoolMaker faultless = PoolMaker.ofSubclass("a subclass without fault", HookedPool::new);
        return each(fault, () -> new PoolFixture(wrong, SHORT_PATIENCE), () -> new PoolFixture(faultless), caughtBy);
    }

    /** A pool that changes its constructor's arguments. */
    @SafeVarargs
    static Stream<Wrong> arguments(String fault, UnaryOperator<PoolSpec> change, Check<PoolFixture>... caughtBy) {
        return pool(fault, spec -> new HookedPool(change.apply(spec)), caughtBy);
    }

    /** A pool that changes its settings as soon as it exists. */
    @SafeVarargs
    static Stream<Wrong> setUp(String fault, Consumer<ThreadPoolExecutor> setUp, Check<PoolFixture>... caughtBy) {
        return pool(
                fault,
                spec -> {
                    HookedPool pool = new HookedPool(spec);
                    setUp.accept(pool);
                    return pool;
                },
                caughtBy);
    }

    @SafeVarargs
    static Stream<Wrong> execute(String fault, Step step, Check<PoolFixture>... caughtBy) {
        return pool(
                fault,
                spec -> new HookedPool(spec) {
                    @Override
                    public void execute(Runnable task) {
                        step.call(this, task, super::execute);
                    }
                },
                caughtBy);
    }

    @SafeVarargs
    static Stream<Wrong> before(String fault, Step step, Check<PoolFixture>... caughtBy) {
        return pool(
                fault,
                spec -> new HookedPool(spec) {
                    @Override
                    protected void beforeExecute(Thread worker, Runnable task) {
                        step.call(this, task, shown -> super.beforeExecute(worker, shown));
                    }
                },
                caughtBy);
    }

    @SafeVarargs
    static Stream<Wrong> after(String fault, After step, Check<PoolFixture>... caughtBy) {
        return pool(
                fault,
                spec -> new HookedPool(spec) {
                    @Override
                    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                        step.call(task, thrown, super::afterExecute);
                    }
                },
                caughtBy);
    }

    /** A pool whose handler differs from the one that its getter returns. */
    @SafeVarargs
    static Stream<Wrong> handler(String fault, Handle step, Check<PoolFixture>... caughtBy) {
        return pool(
                fault,
                spec -> {
                    RejectedExecutionHandler given = spec.handlerOrDefault();
                    HookedPool pool = new HookedPool(spec) {
                        @Override
                        public RejectedExecutionHandler getRejectedExecutionHandler() {
                            return given;
                        }
                    };
                    pool.setRejectedExecutionHandler((task, full) -> step.call(given, task, full));
                    return pool;
                },
                caughtBy);
    }

    /** A pool that calls the thread factory in another way than the JDK. */
    @SafeVarargs
    static Stream<Wrong> factory(
            String fault, BiFunction<ThreadFactory, Runnable, Thread> step, Check<PoolFixture>... caughtBy) {
        return setUp(
                fault,
                pool -> {
                    ThreadFactory given = pool.getThreadFactory();
                    pool.setThreadFactory(body -> step.apply(given, body));
                },
                caughtBy);
    }

    @SafeVarargs
    static Stream<Wrong> scheduled(
            String fault,
            Function<ScheduledSpec, ScheduledThreadPoolExecutor> maker,
            Check<ScheduledFixture>... caughtBy) {
        ScheduledMaker wrong = ScheduledMaker.ofSubclass(fault, maker);
        ScheduledMaker faultless = ScheduledMaker.ofSubclass("a subclass without fault", HookedScheduledPool::new);
        return each(
                fault,
                () -> new ScheduledFixture(wrong, SHORT_PATIENCE),
                () -> new ScheduledFixture(faultless),
                caughtBy);
    }

    /** Methods that {@code holder} lacks are those of {@link Executors}. */
    @SafeVarargs
    static Stream<Wrong> factories(String fault, Class<?> holder, Check<FactoryFixture>... caughtBy) {
        return each(
                fault,
                () -> new FactoryFixture(new FactorySet(holder), SHORT_PATIENCE),
                () -> new FactoryFixture(FactorySet.STOCK),
                caughtBy);
    }

    @SafeVarargs
    static Stream<Wrong> together(Stream<Wrong>... faults) {
        return Arrays.stream(faults).flatMap(wrong -> wrong);
    }

    @SafeVarargs
    private static <F extends Fixture> Stream<Wrong> each(
            String fault, Supplier<F> wrong, Supplier<F> faultless, Check<F>... caughtBy) {
        return Arrays.stream(caughtBy)
                .map(check -> new Wrong(fault, () -> run(check, wrong), () -> run(check, faultless)));
    }

    private static <F extends Fixture> void run(Check<F> check, Supplier<F> opening) throws Exception {
        try (F fixture = opening.get()) {
            check.on(fixture);
        }
    }

    /** Ignores an exception, as wrong pools do. */
    static void swallow(Throwable ignored) {}

    /** Runs the check on the pool with the fault. */
    void examine() throws Exception {
        onWrong.run();
    }

    /** Runs the check on a pool that lacks the fault and is otherwise made the same way. */
    void examineFaultless() throws Exception {
        onFaultless.run();
    }

    @Override
    public String toString() {
        return fault;
    }

    /** A check, as the parameterised tests run it. */
    interface Check<F extends Fixture> {
        void on(F fixture) throws Exception;
    }

    /** A step in place of a method of the pool. It calls {@code callSuper} to do what the method does. */
    interface Step {
        void call(ThreadPoolExecutor pool, Runnable task, Consumer<Runnable> callSuper);
    }

    interface After {
        void call(Runnable task, @Nullable Throwable thrown, BiConsumer<Runnable, @Nullable Throwable> callSuper);
    }

    interface Handle {
        void call(RejectedExecutionHandler given, Runnable task, ThreadPoolExecutor pool);
    }

    private interface Examination {
        void run() throws Exception;
    }
}
