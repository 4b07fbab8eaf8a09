package io.lifeguard.examples.jaraudit;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;

/** What a pool does with a task when its queue is full. The compared pools differ in nothing else. */
enum Policy {
    /** The dispatcher runs the task itself, and submits nothing meanwhile. */
    CALLER_RUNS("caller-runs"),
    /** The dispatcher waits until the queue has room. */
    WAITING("waiting");

    private final String label;

    Policy(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    InstrumentedThreadPoolExecutor openPool(int workers, int queue) {
        return InstrumentedThreadPoolExecutor.named("audit-" + label)
                .size(workers)
                .queueCapacity(queue)
                .whenSaturated(handler())
                .build();
    }

    private RejectedExecutionHandler handler() {
        return switch (this) {
            case CALLER_RUNS -> new ThreadPoolExecutor.CallerRunsPolicy();
            case WAITING -> BlockingWaitPolicy.forever();
        };
    }
}
