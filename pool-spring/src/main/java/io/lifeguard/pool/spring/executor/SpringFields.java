package io.lifeguard.pool.spring.executor;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.util.ReflectionUtils;

/**
 * The fields of Spring's executors that have neither getter nor setter. Immutable. Spring 6.2 and 7.0 have all of them;
 * where one is missing there is no instance, and no executor is replaced.
 */
final class SpringFields {

    private static final @Nullable SpringFields INSTANCE = find();

    private final Field executor;
    private final Field lifecycle;
    private final Constructor<?> newLifecycle;
    private final Method before;
    private final Method after;
    private final Field pool;
    private final Field poolDecorator;
    private final Field decorated;
    private final Field prestart;
    private final Field scheduler;
    private final Field schedulerDecorator;

    private SpringFields() throws ReflectiveOperationException {
        Class<?> support = ExecutorConfigurationSupport.class;
        executor = field(support, "executor");
        lifecycle = field(support, "lifecycleDelegate");
        newLifecycle = lifecycle.getType().getDeclaredConstructor(ExecutorService.class);
        newLifecycle.setAccessible(true);
        before = method(support, "beforeExecute", Thread.class, Runnable.class);
        after = method(support, "afterExecute", Runnable.class, Throwable.class);
        pool = field(ThreadPoolTaskExecutor.class, "threadPoolExecutor");
        poolDecorator = field(ThreadPoolTaskExecutor.class, "taskDecorator");
        decorated = field(ThreadPoolTaskExecutor.class, "decoratedTaskMap");
        prestart = field(ThreadPoolTaskExecutor.class, "prestartAllCoreThreads");
        scheduler = field(ThreadPoolTaskScheduler.class, "scheduledExecutor");
        schedulerDecorator = field(ThreadPoolTaskScheduler.class, "taskDecorator");
    }

    private static @Nullable SpringFields find() {
        try {
            return new SpringFields();
        } catch (ReflectiveOperationException | RuntimeException ignored) { // another Spring, or a native image
            return null;
        }
    }

    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters)
            throws ReflectiveOperationException {
        Method method = type.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }

    /** {@return the fields; null if this version of Spring does not have them} */
    static @Nullable SpringFields get() {
        return INSTANCE;
    }

    @Nullable
    TaskDecorator decoratorOf(ThreadPoolTaskExecutor bean) {
        return (TaskDecorator) ReflectionUtils.getField(poolDecorator, bean);
    }

    @Nullable
    TaskDecorator decoratorOf(ThreadPoolTaskScheduler bean) {
        return (TaskDecorator) ReflectionUtils.getField(schedulerDecorator, bean);
    }

    boolean isPrestarted(ThreadPoolTaskExecutor bean) {
        return Boolean.TRUE.equals(ReflectionUtils.getField(prestart, bean));
    }

    /** {@return the map from decorated tasks to submitted ones, by which a shutdown cancels the submitted ones} */
    @SuppressWarnings("unchecked") // Spring's declaration
    Map<Runnable, Object> decoratedTasksOf(ThreadPoolTaskExecutor bean) {
        Object map = ReflectionUtils.getField(decorated, bean);
        if (map == null) {
            throw new IllegalStateException("the map of decorated tasks is null");
        }
        return (Map<Runnable, Object>) map;
    }

    void replace(ThreadPoolTaskExecutor bean, ThreadPoolExecutor replacement) {
        ReflectionUtils.setField(pool, bean, replacement);
        replaceInSupport(bean, replacement);
    }

    void replace(ThreadPoolTaskScheduler bean, ScheduledThreadPoolExecutor replacement) {
        ReflectionUtils.setField(scheduler, bean, replacement);
        replaceInSupport(bean, replacement);
    }

    private void replaceInSupport(ExecutorConfigurationSupport bean, ExecutorService replacement) {
        try {
            Object delegate = newLifecycle.newInstance(replacement);
            lifecycle.set(bean, delegate);
            executor.set(bean, replacement);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return the hooks of an executor; a subclass may override them} */
    TaskHooks hooksOf(ExecutorConfigurationSupport bean) {
        return new TaskHooks(
                (thread, task) -> ReflectionUtils.invokeMethod(before, bean, thread, task),
                (task, thrown) -> ReflectionUtils.invokeMethod(after, bean, task, thrown));
    }
}
