package io.lifeguard.pool.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A pool that becomes a bean. Immutable.
 *
 * @param size How many threads the pool has; it neither grows nor shrinks. Default: as many as processors.
 * @param queueCapacity How many tasks may wait. With 0 a task is handed to a free thread or the pool is full; with 2147483647 there is no bound.
 * @param whenSaturated What happens when the queue is full and all threads are busy: the submitter waits, runs the task itself, or gets an exception.
 * @param maxWait How long a submitter waits at most before it gets an exception. Only with when-saturated=wait. Default: as long as it takes.
 * @param threadNamePrefix What the names of the threads begin with. Default: the pool's name and a dash.
 * @param taskDecorator Name of the bean that decorates the tasks; "none" for none. Default: all task decorators of the application, in their order, as Boot 4 has it for its own executor; that of Boot 3.5 takes one if there is but one.
 * @param shutdownWait How long the application's stop waits for tasks that run or wait.
 */
record PoolProperties(
        @Nullable Integer size,
        @DefaultValue("1024") int queueCapacity,
        @DefaultValue("wait") WhenSaturated whenSaturated,
        @Nullable Duration maxWait,
        @Nullable String threadNamePrefix,
        @Nullable String taskDecorator,
        @DefaultValue("30s") Duration shutdownWait) {

    /** What happens when the queue is full and all threads are busy. */
    enum WhenSaturated {
        /** The submitter waits for room. */
        WAIT,
        /** The submitter runs the task itself. */
        CALLER_RUNS,
        /** The submitter gets a RejectedExecutionException. */
        ABORT
    }
}
