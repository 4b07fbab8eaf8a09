package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * A {@link ThreadPoolTaskScheduler} whose pool is an {@link InstrumentedScheduledThreadPoolExecutor} with the name of
 * the bean. As thread-safe as Spring's class, and configured in the same way.
 *
 * <p>Boot's {@code taskScheduler} is an instance of this class. To make another one, use Boot's builder:
 * {@code builder.configure(new InstrumentedThreadPoolTaskScheduler())}.
 *
 * @implNote Tasks are counted under their own classes, {@code @Scheduled} methods under the method. With a
 *     {@link TaskDecorator} they are all counted under the class of the scheduled future, because the decorator must be
 *     given the future.
 */
@SuppressWarnings("serial") // like Spring's class: a scheduler is not serialised
public class InstrumentedThreadPoolTaskScheduler extends ThreadPoolTaskScheduler {

    // Configuration, written before the pool is made. Spring's fields have no getters.
    /** Null before the container sets it. */
    private @Nullable String beanName;
    /** Null if tasks are not decorated. */
    private @Nullable TaskDecorator taskDecorator;

    /** Makes a scheduler with Spring's default of one thread. */
    public InstrumentedThreadPoolTaskScheduler() {}

    @Override
    public void setBeanName(String name) {
        super.setBeanName(name);
        beanName = name;
    }

    @Override
    public void setTaskDecorator(TaskDecorator decorator) {
        super.setTaskDecorator(decorator);
        taskDecorator = decorator;
    }

    @Override
    protected ScheduledExecutorService createExecutor(
            int poolSize, ThreadFactory threadFactory, RejectedExecutionHandler handler) {
        String name = PoolNaming.nameOf(beanName, getThreadNamePrefix());
        return HookedScheduler.make(
                name,
                poolSize,
                threadFactory,
                handler,
                new TaskHooks(this::beforeExecute, this::afterExecute),
                taskDecorator);
    }
}
