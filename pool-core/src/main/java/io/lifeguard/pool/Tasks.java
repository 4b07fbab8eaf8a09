package io.lifeguard.pool;

import java.util.Objects;
import java.util.concurrent.Callable;

/** Gives tasks a name of their own, under which the pool {@linkplain PoolSnapshot#kinds() counts} them. Stateless. */
public final class Tasks {

    private Tasks() {}

    /**
     * The same task, counted under the given name instead of its class. Use few names: a pool keeps at most 128 apart, so a
     * name is a kind of task ({@code "import"}), not one task ({@code "import 4711"}).
     *
     * @param name the kind's name
     * @param task the task
     * @return a task that runs the given one
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if the name is blank
     */
    public static Runnable named(String name, Runnable task) {
        return new NamedRunnable(
                Preconditions.notBlank("name", name), Objects.requireNonNull(task, "task must not be null"));
    }

    /**
     * The same task, counted under the given name instead of its class; see {@link #named(String, Runnable)}.
     *
     * @param <T> type of the result
     * @param name the kind's name
     * @param task the task
     * @return a task that calls the given one
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if the name is blank
     */
    public static <T> Callable<T> named(String name, Callable<T> task) {
        return new NamedCallable<>(
                Preconditions.notBlank("name", name), Objects.requireNonNull(task, "task must not be null"));
    }

    /** The key under which a task is counted: the name it was given, the class inside its future, or its own class. */
    static Object kindOf(Object task) {
        if (task instanceof MeasuredFutureTask<?> future) {
            return future.kind();
        } else if (task instanceof Named named) {
            return named.name;
        }
        return task.getClass();
    }

    /**
     * A task that was given a name. A class, because every task is asked whether it is one: a test for a class is a
     * comparison, and one for an interface searches a list, which takes as long as recording the task.
     */
    private abstract static sealed class Named {
        final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public final String toString() {
            return name;
        }
    }

    /** Not a record: two tasks of the same name are two tasks, also for {@code remove}. */
    private static final class NamedRunnable extends Named implements Runnable {
        private final Runnable task;

        NamedRunnable(String name, Runnable task) {
            super(name);
            this.task = task;
        }

        @Override
        public void run() {
            task.run();
        }
    }

    private static final class NamedCallable<T> extends Named implements Callable<T> {
        private final Callable<T> task;

        NamedCallable(String name, Callable<T> task) {
            super(name);
            this.task = task;
        }

        @Override
        public T call() throws Exception {
            return task.call();
        }
    }
}
