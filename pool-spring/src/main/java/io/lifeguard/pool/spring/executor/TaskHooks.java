package io.lifeguard.pool.spring.executor;

import org.jspecify.annotations.Nullable;

/** The hooks of a Spring executor, which its lifecycle needs: they count running tasks, and hold tasks while paused. */
interface TaskHooks {

    /** Called by the worker before it runs a task. */
    void before(Thread thread, Runnable task);

    /** Called by the worker after it has run a task. */
    void after(Runnable task, @Nullable Throwable thrown);
}
