package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.Tasks;
import java.util.concurrent.Callable;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;

/**
 * The pool inside a Spring executor: decorates tasks, tells Spring's lifecycle when they begin and end, and counts the
 * tasks of {@code @Async} methods under these methods. Thread-safe.
 */
final class HookedPool extends InstrumentedThreadPoolExecutor {

    private final TaskHooks hooks;
    private final @Nullable TaskDecorator decorator;
    private final BiConsumer<Runnable, Object> decorated;

    /**
     * Makes the pool.
     *
     * @param decorator decorates each task; null for none
     * @param decorated takes each decorated task with the task that was submitted
     * @throws IllegalArgumentException if the maximum is smaller than the core size
     */
    HookedPool(
            Builder builder,
            Sizes sizes,
            TaskHooks hooks,
            @Nullable TaskDecorator decorator,
            BiConsumer<Runnable, Object> decorated) {
        super(builder);
        this.hooks = hooks;
        this.decorator = decorator;
        this.decorated = decorated;
        if (sizes.maximum < sizes.core) {
            throw new IllegalArgumentException(
                    "maxPoolSize must be >= corePoolSize " + sizes.core + " (was " + sizes.maximum + ")");
        }
        setMaximumPoolSize(sizes.maximum);
        setCorePoolSize(sizes.core);
        setKeepAliveTime(sizes.keepAliveNanos, TimeUnit.NANOSECONDS);
        if (sizes.coreTimesOut) {
            allowCoreThreadTimeOut(true);
        }
        if (sizes.prestart) {
            prestartAllCoreThreads();
        }
    }

    /** How many threads a pool has, and for how long. */
    record Sizes(int core, int maximum, long keepAliveNanos, boolean coreTimesOut, boolean prestart) {}

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> callable) {
        return super.newTaskFor(SubmittedMethod.name(callable));
    }

    @Override
    public void execute(Runnable command) {
        Runnable task = command == null ? command : SubmittedMethod.name(command);
        TaskDecorator wanted = decorator;
        if (wanted == null || task == null) {
            super.execute(task);
            return;
        }
        Runnable result = wanted.decorate(task);
        if (result == task) {
            super.execute(task);
        } else {
            Runnable counted = Tasks.inPlaceOf(task, result); // otherwise all tasks were of the decorator's kind
            decorated.accept(counted, command);
            super.execute(counted);
        }
    }

    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
        super.beforeExecute(thread, task);
        hooks.before().accept(thread, task);
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
        hooks.after().accept(task, thrown);
        super.afterExecute(task, thrown);
    }
}
