package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.spring.properties.LifeguardProperties.VirtualThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/**
 * A {@link SimpleAsyncTaskScheduler} that counts and times its tasks, on virtual threads. {@code @Scheduled} and
 * {@code @Async} methods are counted under these methods. Tasks with a fixed delay are not counted: they share one
 * thread of Spring. Needs Java 21. As thread-safe as Spring's class.
 */
@SuppressWarnings("serial") // like Spring's class: a scheduler is not serialised
class InstrumentedSimpleAsyncTaskScheduler extends SimpleAsyncTaskScheduler {

    private final transient ExecutorService measured;

    // written before the first task
    private boolean hasTargetExecutor;

    private long terminationTimeoutMillis; // the same

    InstrumentedSimpleAsyncTaskScheduler(String name, VirtualThreads properties) {
        this.measured = BootVirtualThreads.executor(name, properties, task -> newThread(task), this::nextThreadName);
    }

    @Override
    public void setTaskTerminationTimeout(long timeout) {
        super.setTaskTerminationTimeout(timeout);
        terminationTimeoutMillis = timeout;
    }

    @Override
    public void setTargetTaskExecutor(Executor executor) {
        super.setTargetTaskExecutor(executor);
        hasTargetExecutor = true;
    }

    /** Spring may wrap the task before {@link #doExecute}. */
    @Override
    public void execute(Runnable task) {
        String method = ScheduledMethods.methodOf(task);
        if (method == null) {
            super.execute(task);
        } else {
            SubmittedMethod.whileSubmitting(method, () -> super.execute(task));
        }
    }

    @Override
    protected void doExecute(Runnable task) {
        if (hasTargetExecutor) {
            super.doExecute(task);
        } else {
            measured.execute(SubmittedMethod.name(task));
        }
    }

    @Override
    public void close() {
        BootVirtualThreads.close(super::close, measured, terminationTimeoutMillis);
    }
}
