package io.lifeguard.pool;

import io.lifeguard.pool.queue.WorkQueue;
import io.lifeguard.pool.text.PoolNames;
import io.lifeguard.pool.text.Preconditions;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor.AbortPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The factories of {@link Executors}, method for method: replace the class name, and every pool measures itself.
 * Stateless and thread-safe.
 *
 * <p>Every method also has a form whose first argument is the pool's name. Without a thread factory, the threads of the
 * pool {@code orders} are called {@code orders-1}, {@code orders-2}, and so on. A pool without a name is named after
 * the class and line that create it.
 *
 * <p>Arguments have the meaning and the bounds that the JDK specifies. Every method throws {@link NullPointerException}
 * if an argument is null, and {@link IllegalArgumentException} if a number is out of its bounds, a name is blank or has
 * more than 200 characters, or there are several thread factories. Before Java 21 the factories of a thread per task
 * throw {@link UnsupportedOperationException}, which names the version that is needed.
 *
 * <p>What each factory returns, and how exactly it measures:
 *
 * <table>
 * <caption>The factories</caption>
 * <tr><th>factory</th><th>returns</th><th>queue wait</th><th>service time</th><th>CPU time</th></tr>
 * <tr><td>fixed</td><td>{@link InstrumentedThreadPoolExecutor}, unbounded queue</td><td>exact</td><td>exact</td>
 *     <td>total exact, percentiles sampled</td></tr>
 * <tr><td>single</td><td>a delegate that cannot be reconfigured, shut down once it is unreachable</td>
 *     <td>exact</td><td>exact</td><td>total exact, percentiles sampled</td></tr>
 * <tr><td>cached</td><td>{@link InstrumentedThreadPoolExecutor}, direct hand-off</td>
 *     <td>{@code submit} exact, {@code execute} sampled</td><td>exact</td>
 *     <td>total exact, percentiles sampled</td></tr>
 * <tr><td>scheduled</td><td>{@link InstrumentedScheduledThreadPoolExecutor}</td>
 *     <td>lateness, exact</td><td>exact</td><td>total exact, percentiles sampled</td></tr>
 * <tr><td>single scheduled</td><td>a delegate that cannot be reconfigured</td><td>lateness, exact</td><td>exact</td>
 *     <td>total exact, percentiles sampled</td></tr>
 * <tr><td>work-stealing</td><td>a {@link ForkJoinPool}</td>
 *     <td>exact for runnables, callables, and tasks of a {@code CompletableFuture}; unknown for other fork-join
 *     tasks</td><td>the same</td><td>sampled</td></tr>
 * <tr><td>thread per task (Java 21)</td><td>an {@link ExecutorService}</td>
 *     <td>exact: the start of the thread</td><td>exact</td><td>sampled</td></tr>
 * <tr><td>virtual thread per task (Java 21)</td><td>an {@link ExecutorService}</td>
 *     <td>exact: the start of the thread</td><td>exact</td><td>unknown</td></tr>
 * </table>
 */
@SuppressWarnings("doclint:missing") // the parameters are those of the JDK's factories
public final class InstrumentedExecutors {

    private static final long NO_KEEP_ALIVE = 0;
    private static final long CACHED_KEEP_ALIVE_SECONDS = 60;

    private InstrumentedExecutors() {}

    /** {@return an instrumented form of {@link Executors#newFixedThreadPool(int)}} */
    public static ExecutorService newFixedThreadPool(int nThreads) {
        return fixed(nThreads, Executors.defaultThreadFactory(), null);
    }

    /** {@return an instrumented form of {@link Executors#newFixedThreadPool(int, ThreadFactory)}} */
    public static ExecutorService newFixedThreadPool(int nThreads, ThreadFactory threadFactory) {
        return fixed(nThreads, threadFactory, null);
    }

    /** {@return a fixed pool with a name} */
    public static ExecutorService newFixedThreadPool(String name, int nThreads) {
        return fixed(nThreads, PoolNames.threadFactory(checked(name)), name);
    }

    /** {@return a fixed pool with a name and a thread factory} */
    public static ExecutorService newFixedThreadPool(String name, int nThreads, ThreadFactory threadFactory) {
        return fixed(nThreads, threadFactory, checked(name));
    }

    /** {@return an instrumented form of {@link Executors#newSingleThreadExecutor()}} */
    public static ExecutorService newSingleThreadExecutor() {
        return single(Executors.defaultThreadFactory(), null);
    }

    /** {@return an instrumented form of {@link Executors#newSingleThreadExecutor(ThreadFactory)}} */
    public static ExecutorService newSingleThreadExecutor(ThreadFactory threadFactory) {
        return single(threadFactory, null);
    }

    /** {@return a single-threaded executor with a name, and with a thread factory if there is one} */
    public static ExecutorService newSingleThreadExecutor(String name, ThreadFactory... threadFactory) {
        return single(factoryOf(checked(name), threadFactory), name);
    }

    /** {@return an instrumented form of {@link Executors#newCachedThreadPool()}} */
    public static ExecutorService newCachedThreadPool() {
        return cached(Executors.defaultThreadFactory(), null);
    }

    /** {@return an instrumented form of {@link Executors#newCachedThreadPool(ThreadFactory)}} */
    public static ExecutorService newCachedThreadPool(ThreadFactory threadFactory) {
        return cached(threadFactory, null);
    }

    /** {@return a cached pool with a name, and with a thread factory if there is one} */
    public static ExecutorService newCachedThreadPool(String name, ThreadFactory... threadFactory) {
        return cached(factoryOf(checked(name), threadFactory), name);
    }

    /** {@return an instrumented form of {@link Executors#newScheduledThreadPool(int)}} */
    public static ScheduledExecutorService newScheduledThreadPool(int corePoolSize) {
        return scheduled(corePoolSize, Executors.defaultThreadFactory(), null);
    }

    /** {@return an instrumented form of {@link Executors#newScheduledThreadPool(int, ThreadFactory)}} */
    public static ScheduledExecutorService newScheduledThreadPool(int corePoolSize, ThreadFactory threadFactory) {
        return scheduled(corePoolSize, threadFactory, null);
    }

    /** {@return a scheduled pool with a name} */
    public static ScheduledExecutorService newScheduledThreadPool(String name, int corePoolSize) {
        return scheduled(corePoolSize, PoolNames.threadFactory(checked(name)), name);
    }

    /** {@return a scheduled pool with a name and a thread factory} */
    public static ScheduledExecutorService newScheduledThreadPool(
            String name, int corePoolSize, ThreadFactory threadFactory) {
        return scheduled(corePoolSize, threadFactory, checked(name));
    }

    /** {@return an instrumented form of {@link Executors#newSingleThreadScheduledExecutor()}} */
    public static ScheduledExecutorService newSingleThreadScheduledExecutor() {
        return singleScheduled(Executors.defaultThreadFactory(), null);
    }

    /** {@return an instrumented form of {@link Executors#newSingleThreadScheduledExecutor(ThreadFactory)}} */
    public static ScheduledExecutorService newSingleThreadScheduledExecutor(ThreadFactory threadFactory) {
        return singleScheduled(threadFactory, null);
    }

    /** {@return a single-threaded scheduled executor with a name, and with a thread factory if there is one} */
    public static ScheduledExecutorService newSingleThreadScheduledExecutor(
            String name, ThreadFactory... threadFactory) {
        return singleScheduled(factoryOf(checked(name), threadFactory), name);
    }

    /** {@return an instrumented form of {@link Executors#newWorkStealingPool()}} */
    public static ExecutorService newWorkStealingPool() {
        return new InstrumentedForkJoinPool(Runtime.getRuntime().availableProcessors(), null);
    }

    /** {@return an instrumented form of {@link Executors#newWorkStealingPool(int)}} */
    public static ExecutorService newWorkStealingPool(int parallelism) {
        return new InstrumentedForkJoinPool(parallelism, null);
    }

    /** {@return a work-stealing pool with a name} Its threads keep the JDK's names. */
    public static ExecutorService newWorkStealingPool(String name) {
        return new InstrumentedForkJoinPool(Runtime.getRuntime().availableProcessors(), checked(name));
    }

    /** {@return a work-stealing pool with a name} Its threads keep the JDK's names. */
    public static ExecutorService newWorkStealingPool(String name, int parallelism) {
        return new InstrumentedForkJoinPool(parallelism, checked(name));
    }

    /** {@return an instrumented form of {@code Executors.newThreadPerTaskExecutor(ThreadFactory)}} */
    public static ExecutorService newThreadPerTaskExecutor(ThreadFactory threadFactory) {
        return ThreadPerTaskPool.of(Objects.requireNonNull(threadFactory), null);
    }

    /** {@return a thread-per-task executor with a name} */
    public static ExecutorService newThreadPerTaskExecutor(String name, ThreadFactory threadFactory) {
        return ThreadPerTaskPool.of(Objects.requireNonNull(threadFactory), checked(name));
    }

    /** {@return an instrumented form of {@code Executors.newVirtualThreadPerTaskExecutor()}} */
    public static ExecutorService newVirtualThreadPerTaskExecutor() {
        return ThreadPerTaskPool.ofVirtualThreads(null);
    }

    /** {@return a virtual-thread-per-task executor with a name} Its threads have no names, like the JDK's. */
    public static ExecutorService newVirtualThreadPerTaskExecutor(String name) {
        return ThreadPerTaskPool.ofVirtualThreads(checked(name));
    }

    private static InstrumentedThreadPoolExecutor fixed(int threads, ThreadFactory factory, @Nullable String name) {
        DiscoveredObservers.load();
        return InstrumentedThreadPoolExecutor.create(
                threads, threads, NO_KEEP_ALIVE, WorkQueue.unbounded(), factory, name);
    }

    private static ExecutorService single(ThreadFactory factory, @Nullable String name) {
        return new DelegatedPool.AutoShutdown(fixed(1, factory, name));
    }

    private static InstrumentedThreadPoolExecutor cached(ThreadFactory factory, @Nullable String name) {
        return InstrumentedThreadPoolExecutor.create(
                0, Integer.MAX_VALUE, CACHED_KEEP_ALIVE_SECONDS, new SynchronousQueue<>(), factory, name);
    }

    private static InstrumentedScheduledThreadPoolExecutor scheduled(
            int threads, ThreadFactory factory, @Nullable String name) {
        return new InstrumentedScheduledThreadPoolExecutor(threads, factory, new AbortPolicy(), name);
    }

    private static ScheduledExecutorService singleScheduled(ThreadFactory factory, @Nullable String name) {
        return new DelegatedPool.Scheduled(scheduled(1, factory, name));
    }

    /*
     * Optional as varargs: a second method with a name alone would make the JDK's newCachedThreadPool(null) ambiguous.
     */
    private static ThreadFactory factoryOf(String name, ThreadFactory... threadFactory) {
        if (threadFactory.length > 1) {
            throw new IllegalArgumentException(
                    "there must be at most one thread factory (were " + threadFactory.length + ")");
        }
        return threadFactory.length == 0 ? PoolNames.threadFactory(name) : threadFactory[0];
    }

    private static String checked(String name) {
        return Preconditions.poolName("name", name);
    }
}
