package io.lifeguard.pool.diagnosis.external;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;

/** Makes readers of external pools. Stateless. */
public final class ExternalPools {

    private ExternalPools() {}

    /**
     * {@return a reader of a thread pool}
     *
     * @param pool the pool, not null
     * @param name what to call it, not blank
     */
    public static ExternalPool<?> of(ThreadPoolExecutor pool, String name) {
        return of(pool, name, "");
    }

    /**
     * {@return a reader of a thread pool whose thread factory is known}
     *
     * @param pool the pool, not null
     * @param name what to call it, not blank
     * @param threadPrefix what the names of its threads consist of but for the number at the end; empty if that is not
     *     known
     */
    public static ExternalPool<?> of(ThreadPoolExecutor pool, String name, String threadPrefix) {
        return new ExternalThreadPool(pool, name, threadPrefix);
    }

    /**
     * {@return a reader of a thread pool whose threads are known}
     *
     * @param pool the pool, not null
     * @param name what to call it, not blank
     * @param workers gives its threads, or none while they are unknown, not null; must not hold the pool
     */
    public static ExternalPool<?> of(
            ThreadPoolExecutor pool, String name, Function<? super ThreadPoolExecutor, List<Thread>> workers) {
        return new ExternalThreadPool(pool, name, new KnownWorkers(workers));
    }

    /**
     * {@return a reader of a fork-join pool}
     *
     * @param pool the pool, not null
     * @param name what to call it, not blank
     */
    public static ExternalPool<?> of(ForkJoinPool pool, String name) {
        return new ExternalForkJoinPool(pool, name);
    }

    /**
     * {@return a reader of a pool of any type}
     *
     * @param <E> the type of the pool
     * @param pool the pool, not null
     * @param name what to call it, not blank
     * @param reader knows the pool's getters, not null; must not hold the pool
     */
    public static <E extends Executor> ExternalPool<?> of(E pool, String name, PoolReader<? super E> reader) {
        return new ExternalExecutor<>(pool, name, reader);
    }
}
