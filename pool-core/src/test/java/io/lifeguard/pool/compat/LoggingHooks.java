package io.lifeguard.pool.compat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Hooks that record their arguments. Thread-safe. */
class LoggingHooks extends Hooks {

    final List<Object> before = new CopyOnWriteArrayList<>();
    final List<Object> after = new CopyOnWriteArrayList<>();
    final List<Thread> workers = new CopyOnWriteArrayList<>();

    /** One entry for each call of {@code afterExecute}: its exception, or "none" for {@code null}. */
    final List<Object> thrown = new CopyOnWriteArrayList<>();

    @Override
    void beforeExecute(Thread worker, Runnable task, Runnable callSuper) {
        workers.add(worker);
        before.add(task);
        callSuper.run();
    }

    @Override
    void afterExecute(Runnable task, @Nullable Throwable problem, Runnable callSuper) {
        callSuper.run();
        thrown.add(problem == null ? "none" : problem);
        after.add(task);
    }
}
