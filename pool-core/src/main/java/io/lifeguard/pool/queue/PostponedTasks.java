package io.lifeguard.pool.queue;

import java.util.ArrayDeque;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that the current thread has postponed until it may run them, because they would nest too deep. Confined to
 * that thread.
 */
public final class PostponedTasks {

    // null in a thread that has postponed no task, so that no thread keeps a class of an application alive
    private static final ThreadLocal<@Nullable ArrayDeque<Runnable>> OF_THREAD = new ThreadLocal<>();

    private PostponedTasks() {}

    public static void add(Runnable task) {
        ArrayDeque<Runnable> tasks = OF_THREAD.get();
        if (tasks == null) {
            tasks = new ArrayDeque<>();
            OF_THREAD.set(tasks);
        }
        tasks.add(task);
    }

    public static void runAll() {
        runUntilDone(null);
    }

    /**
     * This thread is about to wait for the future. The future may be one of the tasks, or depend on one, and they would
     * never run.
     */
    public static void runBeforeWaitingFor(Future<?> future) {
        runUntilDone(future);
    }

    /** Runs them until there are none, or the future is done. What they throw goes where a worker's exceptions go. */
    private static void runUntilDone(@Nullable Future<?> future) {
        while (future == null || !future.isDone()) {
            ArrayDeque<Runnable> tasks = OF_THREAD.get(); // a task may have run others, and postponed new ones
            if (tasks == null) {
                return;
            }
            Runnable task = tasks.poll();
            if (task == null) {
                OF_THREAD.remove();
                return;
            }
            try {
                task.run();
            } catch (Throwable e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
    }
}
