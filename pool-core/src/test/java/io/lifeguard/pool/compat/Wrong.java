package io.lifeguard.pool.compat;

import io.lifeguard.pool.testing.Delays;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;

/** A pool with one fault that somebody's pool has had, and a check that must find it. Immutable. */
final class Wrong {

    /** Long enough for a check to get to the fault; checks that find it by waiting in vain wait no longer. */
    private static final Duration SHORT_PATIENCE = Delays.scaled(Duration.ofMillis(250));

    private final String fault;
    private final Examination onWrong;
    private final Examination onFaultless;

    private Wrong(String fault, Examination onWrong, Examination onFaultless) {
        this.fault = fault;
        this.onWrong = onWrong;
        this.onFaultless = onFaultless;
    }

    static Wrong pool(String fault, Check<PoolFixture> caughtBy, Function<PoolSpec, ThreadPoolExecutor> maker) {
        PoolMaker wrong = PoolMaker.ofSubclass(fault, maker);
        PoolMaker faultless = PoolMaker.ofSubclass("a subclass without fault", HookedPool::new);
        return new Wrong(
                fault,
                () -> run(caughtBy, new PoolFixture(wrong, SHORT_PATIENCE)),
                () -> run(caughtBy, new PoolFixture(faultless)));
    }

    static Wrong scheduled(
            String fault,
            Check<ScheduledFixture> caughtBy,
            Function<ScheduledSpec, ScheduledThreadPoolExecutor> maker) {
        ScheduledMaker wrong = ScheduledMaker.ofSubclass(fault, maker);
        ScheduledMaker faultless = ScheduledMaker.ofSubclass("a subclass without fault", HookedScheduledPool::new);
        return new Wrong(
                fault,
                () -> run(caughtBy, new ScheduledFixture(wrong, SHORT_PATIENCE)),
                () -> run(caughtBy, new ScheduledFixture(faultless)));
    }

    /** What {@code holder} does not have is as in {@link Executors}. */
    static Wrong factories(String fault, Check<FactoryFixture> caughtBy, Class<?> holder) {
        return new Wrong(
                fault,
                () -> run(caughtBy, new FactoryFixture(new FactorySet(holder), SHORT_PATIENCE)),
                () -> run(caughtBy, new FactoryFixture(FactorySet.STOCK)));
    }

    private static <F extends Fixture> void run(Check<F> check, F fixture) throws Exception {
        try (fixture) {
            check.on(fixture);
        }
    }

    /** What wrong pools do with an exception. */
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

    private interface Examination {
        void run() throws Exception;
    }
}
