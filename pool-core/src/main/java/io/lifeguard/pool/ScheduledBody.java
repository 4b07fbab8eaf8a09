package io.lifeguard.pool;

import java.util.concurrent.Callable;

/**
 * What runs inside a scheduled future: the user's task, telling the worker its kind and its failure, which the JDK's future keeps to
 * itself. Immutable.
 */
final class ScheduledBody {

    private ScheduledBody() {}

    private static void begins(Object task) {
        PoolWorker worker = PoolWorker.current();
        if (worker != null) {
            worker.retarget(Tasks.kindOf(task));
        }
    }

    private static void failed() {
        PoolWorker worker = PoolWorker.current();
        if (worker != null) {
            worker.taskFailed();
        }
    }

    record OfRunnable(Runnable task) implements Runnable {
        @Override
        public void run() {
            begins(task);
            try {
                task.run();
            } catch (Throwable failure) {
                failed();
                throw failure;
            }
        }

        @Override
        public String toString() {
            return task.toString();
        }
    }

    record OfCallable<V>(Callable<V> task) implements Callable<V> {
        @Override
        public V call() throws Exception {
            begins(task);
            try {
                return task.call();
            } catch (Throwable failure) {
                failed();
                throw failure;
            }
        }

        @Override
        public String toString() {
            return task.toString();
        }
    }
}
