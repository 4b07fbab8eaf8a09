package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.InstrumentedExecutors;
import java.util.concurrent.ExecutorService;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * A {@link SimpleAsyncTaskExecutor} that counts and times its tasks, each on its own virtual thread. Needs Java 21. As
 * thread-safe as Spring's class.
 */
@SuppressWarnings("serial") // like Spring's class: an executor is not serialised
class InstrumentedSimpleAsyncTaskExecutor extends SimpleAsyncTaskExecutor {

    private final transient ExecutorService measured;

    InstrumentedSimpleAsyncTaskExecutor(String name) {
        this.measured = InstrumentedExecutors.newThreadPerTaskExecutor(name, task -> newThread(task));
    }

    @Override
    protected void doExecute(Runnable task) {
        measured.execute(SubmittedMethod.name(task));
    }

    @Override
    public void close() {
        super.close();
        measured.shutdown();
    }
}
