package io.lifeguard.pool.agent.inside;

import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinWorkerThread;
import org.jspecify.annotations.Nullable;

/**
 * Finds the executors of this JVM by its threads. Confined to one thread.
 *
 * <p>A thread leads to its task. The task is a worker of an executor, which is an inner class of it, or wraps one. So
 * the search follows fields with a {@link Runnable}, and the reference of an inner class to its outer object if this is
 * an executor or anonymous, and no others: a thread that only submits to an executor is none of its workers. Each
 * thread is searched once.
 */
final class ExecutorSearch {

    /** Tasks that wrap tasks; factories of libraries use one or two wrappers. */
    private static final int MOST_OBJECTS = 16;

    /** Threads of this library. */
    private static final String OWN = "lifeguard-";

    /** Each thread that was seen; that of a timer with its executor, which nothing else holds. */
    private final Map<Thread, Object> seen = new WeakHashMap<>();

    private final Map<Object, FoundExecutor> found = new WeakHashMap<>();

    /** {@return executors that were not there before, in a new list} */
    List<FoundExecutor> look() {
        List<FoundExecutor> news = new ArrayList<>();
        for (@Nullable Thread thread : allThreads()) {
            if (thread == null || thread.getName().startsWith(OWN) || seen.containsKey(thread)) {
                continue;
            }
            Executor executor = executorOf(thread);
            seen.put(thread, executor instanceof TimerExecutor ? executor : OWN);
            if (executor == null) {
                continue;
            }
            FoundExecutor known = found.get(executor);
            if (known == null) {
                known = FoundExecutor.of(executor, thread.getName());
                found.put(executor, known);
                news.add(known);
            }
            known.threads().add(new WeakReference<>(thread));
        }
        return news;
    }

    /** {@return the executor whose worker the thread is; null if it is none, or of an unknown kind} */
    static @Nullable Executor executorOf(Thread thread) {
        if (thread instanceof ForkJoinWorkerThread worker) {
            return worker.getPool();
        }
        TimerExecutor timer = TimerExecutor.of(thread);
        if (timer != null) {
            return timer;
        }
        ArrayDeque<Object> toVisit = new ArrayDeque<>();
        if (thread.getClass() != Thread.class) {
            toVisit.add(thread);
        }
        Runnable task = ThreadTask.of(thread);
        if (task != null && task != thread) {
            toVisit.add(task);
        }
        for (int visits = 0; visits < MOST_OBJECTS && !toVisit.isEmpty(); visits++) {
            Object next = toVisit.remove();
            Executor executor = visit(next, toVisit);
            if (executor != null) {
                return executor;
            }
        }
        return null;
    }

    private static @Nullable Executor visit(Object worker, ArrayDeque<Object> toVisit) {
        for (Class<?> type = worker.getClass();
                type != null && type != Thread.class && type != Object.class;
                type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                boolean isOuter = field.isSynthetic() && field.getName().startsWith("this$");
                if (!isOuter && (Modifier.isStatic(field.getModifiers()) || !mayBeTask(field.getType()))) {
                    continue;
                }
                Object value = valueOf(field, worker);
                if (isOuter && value instanceof Executor executor && ExecutorKind.isKnown(executor)) {
                    return executor;
                }
                boolean mayLead = isOuter ? isAnonymous(value) : value instanceof Runnable && value != worker;
                if (value != null && mayLead && !(value instanceof Thread)) {
                    toVisit.add(value);
                }
            }
        }
        return null;
    }

    /** A thread factory may make its wrapper within an anonymous class that holds the task, as WildFly's does. */
    private static boolean isAnonymous(@Nullable Object outer) {
        String name = outer == null ? "" : outer.getClass().getName();
        return name.indexOf('$') > 0 && Character.isDigit(name.charAt(name.length() - 1));
    }

    /** Kotlin has no synthetic outer reference where a field of that name is declared; its workers are threads. */
    private static boolean mayBeTask(Class<?> type) {
        return type == Object.class || Runnable.class.isAssignableFrom(type) || type.isAssignableFrom(Runnable.class);
    }

    private static @Nullable Object valueOf(Field field, Object of) {
        try {
            return field.trySetAccessible() ? field.get(of) : null;
        } catch (IllegalAccessException | RuntimeException ignored) { // of a module that is closed
            return null;
        }
    }

    /** {@return all platform threads of the JVM; entries at the end are null} */
    static @Nullable Thread[] allThreads() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        @Nullable Thread[] threads = new Thread[group.activeCount() * 2 + 16]; // room for threads that start meanwhile
        group.enumerate(threads);
        return threads;
    }
}
