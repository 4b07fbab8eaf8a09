package io.lifeguard.pool.spring;

import io.lifeguard.pool.InstrumentedExecutors;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/**
 * Spring's scheduler of one thread per task, whose tasks are counted and timed: those that it starts at a time, at a rate or by a trigger,
 * and those that are handed to it as to an executor. Tasks with a fixed delay run one after another on a thread that is Spring's own, and
 * are not seen. Needs Java 21. As thread-safe as Spring's class.
 */
@SuppressWarnings("serial") // as Spring's own: nobody serialises a scheduler
class InstrumentedSimpleAsyncTaskScheduler extends SimpleAsyncTaskScheduler {

    private final transient ExecutorService measured;

    // written before there are tasks
    private boolean delegates;

    InstrumentedSimpleAsyncTaskScheduler(String name) {
        this.measured = InstrumentedExecutors.newThreadPerTaskExecutor(name, task -> newThread(task));
    }

    @Override
    public void setTargetTaskExecutor(Executor executor) {
        super.setTargetTaskExecutor(executor);
        delegates = true;
    }

    @Override
    protected void doExecute(Runnable task) {
        if (delegates) {
            super.doExecute(task);
        } else {
            measured.execute(task);
        }
    }

    @Override
    public void close() {
        super.close();
        measured.shutdown();
    }
}
