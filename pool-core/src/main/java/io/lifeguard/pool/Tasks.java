package io.lifeguard.pool;

import io.lifeguard.pool.text.Preconditions;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Gives tasks a name, under which a pool {@linkplain PoolSnapshot#kinds() counts} them. Stateless and thread-safe.
 *
 * <p>No argument may be null. A blank name throws {@link IllegalArgumentException}.
 */
public final class Tasks {

    private Tasks() {}

    /**
     * Wraps a task so that it is counted under a name instead of its class. Use few names, because a pool keeps at most
     * 128 apart. A name stands for a kind of task ({@code "import"}), not for one task ({@code "import 4711"}).
     *
     * @param name the kind's name
     * @param task the task
     * @return a task that runs the given one
     */
    public static Runnable named(String name, Runnable task) {
        Preconditions.notBlank("name", name);
        return new NamedRunnable(name, name, Objects.requireNonNull(task, "task must not be null"));
    }

    /**
     * Wraps a callable, like {@link #named(String, Runnable)}.
     *
     * @param <T> type of the result
     * @param name the kind's name
     * @param task the task
     * @return a task that calls the given one
     */
    public static <T> Callable<T> named(String name, Callable<T> task) {
        Preconditions.notBlank("name", name);
        return new NamedCallable<>(name, name, Objects.requireNonNull(task, "task must not be null"));
    }

    /**
     * Makes a task that is counted under the kind of another task. Use it when you wrap tasks: otherwise all tasks
     * would be counted under the class of the wrapper.
     *
     * @param task the task that was wrapped
     * @param wrapper the task to run instead
     * @return a task that runs the wrapper
     */
    public static Runnable inPlaceOf(Runnable task, Runnable wrapper) {
        Objects.requireNonNull(task, "task must not be null");
        return new NamedRunnable(kindOf(task), task, Objects.requireNonNull(wrapper, "wrapper must not be null"));
    }

    /**
     * Makes a callable, like {@link #inPlaceOf(Runnable, Runnable)}.
     *
     * @param <T> type of the result
     * @param task the task that was wrapped
     * @param wrapper the task to call instead
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
     * A task with a given kind. This is a class and not an interface because every task is tested for it. A test for a
     * class is one comparison. A test for an interface searches a list, which takes as long as recording the task.
     */
    private abstract static sealed class Named {
        final Object kind; // a name or a class
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

    /** Not a record, because {@code remove} must tell two tasks of the same name apart. */
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
