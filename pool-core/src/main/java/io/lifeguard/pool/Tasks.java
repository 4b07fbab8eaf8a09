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
        Preconditions.notBlank("name", name);
        return new NamedRunnable(name, name, Objects.requireNonNull(task, "task must not be null"));
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
        Preconditions.notBlank("name", name);
        return new NamedCallable<>(name, name, Objects.requireNonNull(task, "task must not be null"));
    }

    /**
     * A task that is counted under the kind of another: for those who wrap tasks and would else make one kind of all.
     *
     * @param task the task that was wrapped, not null
     * @param wrapper what is to be run, not null
     * @return a task that runs the wrapper
     */
    public static Runnable inPlaceOf(Runnable task, Runnable wrapper) {
        Objects.requireNonNull(task, "task must not be null");
        return new NamedRunnable(kindOf(task), task, Objects.requireNonNull(wrapper, "wrapper must not be null"));
    }

    /**
     * A task that is counted under the kind of another; see {@link #inPlaceOf(Runnable, Runnable)}.
     *
     * @param <T> type of the result
     * @param task the task that was wrapped, not null
     * @param wrapper what is to be called, not null
     * @return a task that calls the wrapper
     */
    public static <T> Callable<T> inPlaceOf(Callable<T> task, Callable<T> wrapper) {
        Objects.requireNonNull(task, "task must not be null");
        return new NamedCallable<>(kindOf(task), task, Objects.requireNonNull(wrapper, "wrapper must not be null"));
    }

    /** The key under which a task is counted: the name it was given, the class inside its future, or its own class. */
    static Object kindOf(Object task) {
        if (task instanceof MeasuredFutureTask<?> future) {
            return future.kind();
        } else if (task instanceof Named named) {
            return named.kind;
        }
        return task.getClass();
    }

    /**
     * A task that was given a name. A class, because every task is asked whether it is one: a test for a class is a
     * comparison, and one for an interface searches a list, which takes as long as recording the task.
     */
    private abstract static sealed class Named {
        final Object kind; // a name, or a class
        private final Object shown;

        Named(Object kind, Object shown) {
            this.kind = kind;
            this.shown = shown;
        }

        @Override
        public final String toString() {
            return shown.toString();
        }
    }

    /** Not a record: two tasks of the same name are two tasks, also for {@code remove}. */
    private static final class NamedRunnable extends Named implements Runnable {
        private final Runnable task;

        NamedRunnable(Object kind, Object shown, Runnable task) {
            super(kind, shown);
            this.task = task;
        }

        @Override
        public void run() {
            task.run();
        }
    }

    private static final class NamedCallable<T> extends Named implements Callable<T> {
        private final Callable<T> task;

        NamedCallable(Object kind, Object shown, Callable<T> task) {
            super(kind, shown);
            this.task = task;
        }

        @Override
        public T call() throws Exception {
            return task.call();
        }
    }
}
