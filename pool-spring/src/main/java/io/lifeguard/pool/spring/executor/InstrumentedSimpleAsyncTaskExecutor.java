package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.spring.properties.LifeguardProperties.VirtualThreads;
import java.util.concurrent.ExecutorService;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * A {@link SimpleAsyncTaskExecutor} that counts and times its tasks, on virtual threads. Needs Java 21. As thread-safe
 * as Spring's class.
 */
@SuppressWarnings("serial") // like Spring's class: an executor is not serialised
class InstrumentedSimpleAsyncTaskExecutor extends SimpleAsyncTaskExecutor {

    private final transient ExecutorService measured;

    private long terminationTimeoutMillis; // written before the first task

    InstrumentedSimpleAsyncTaskExecutor(String name, VirtualThreads properties) {
        this.measured = BootVirtualThreads.executor(name, properties, task -> newThread(task), this::nextThreadName);
    }

    @Override
    public void setTaskTerminationTimeout(long timeout) {
        super.setTaskTerminationTimeout(timeout);
        terminationTimeoutMillis = timeout;
    }

    @Override
    protected void doExecute(Runnable task) {
        measured.execute(SubmittedMethod.name(task));
    }

    @Override
    public void close() {
        BootVirtualThreads.close(super::close, measured, terminationTimeoutMillis);
    }
}
