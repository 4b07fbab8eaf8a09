package io.lifeguard.pool.spring.properties;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationStyle;

/**
 * The properties of one declared pool. Immutable.
 *
 * @param size How many threads the pool has; it neither grows nor shrinks. By default as many as processors.
 * @param queueCapacity How many tasks may wait. 0 hands each task to a free thread directly; 2147483647 means no bound.
 * @param whenSaturated What happens when the queue is full and all threads are busy: the submitter waits, runs the task
 *     itself, or gets an exception.
 * @param maxWait How long a submitter waits at most before it gets an exception. Only with when-saturated=wait. By
 *     default without limit.
 * @param threadNamePrefix How the names of the threads begin. By default with the pool's name and a dash.
 * @param taskDecorator Name of the bean that decorates the tasks; "none" for no decorator. By default all task
 *     decorators of the application, in their order.
 * @param shutdownWait How long the application waits for running and queued tasks when it stops.
 */
public record PoolProperties(
        @Between(least = "1", most = MOST_THREADS) @Nullable Integer size,

        @Between(least = "0", most = "2147483647") @DefaultValue("1024")
        int queueCapacity,

        @DefaultValue("wait") WhenSaturated whenSaturated,
        @Between(least = "0s", most = "365d") @Nullable Duration maxWait,
        @Nullable String threadNamePrefix,
        @Nullable String taskDecorator,

        @Between(least = "0s", most = "365d") @DefaultValue("30s")
        Duration shutdownWait) {

    /** More threads are a typing error: each has its own stack, by default 1 MiB of address space. */
    static final String MOST_THREADS = "32767";

    /** What happens when the queue is full and all threads are busy. */
    public enum WhenSaturated {
        /** The submitter waits for room. */
        WAIT,
        /** The submitter runs the task itself. */
        CALLER_RUNS,
        /** The submitter gets a RejectedExecutionException. */
        ABORT
    }

    /**
     * Checks that the properties fit together.
     *
     * @throws IllegalArgumentException if there is a maximum wait although submitters do not wait
     */
    public PoolProperties {
        if (maxWait != null && whenSaturated != WhenSaturated.WAIT) {
            throw new IllegalArgumentException("max-wait must not be set with when-saturated="
                    + whenSaturated.name().toLowerCase(Locale.ROOT).replace('_', '-')
                    + " (was " + DurationStyle.SIMPLE.print(maxWait)
                    + "): remove it, or choose when-saturated=wait");
        }
    }
}
