package io.lifeguard.pool.spring.executor;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The hooks of a Spring executor, which its lifecycle needs: they count running tasks, and hold tasks while paused.
 *
 * @param before called by the worker before it runs a task
 * @param after called by the worker after it has run a task, with what the task threw, which may be null
 */
record TaskHooks(BiConsumer<Thread, Runnable> before, BiConsumer<Runnable, @Nullable Throwable> after) {}
