package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * A task arrives while the parked consumer is interrupted. The consumer takes the task, or throws and the task stays.
 */
@JCStressTest
@Outcome(id = "a, true, \\[\\]", expect = ACCEPTABLE, desc = "took the task, and is still interrupted")
@Outcome(id = "interrupted, false, \\[a\\]", expect = ACCEPTABLE, desc = "left the task")
@Outcome(expect = FORBIDDEN, desc = "the task was lost, or the interrupt swallowed")
@State
public class InterruptOrWakeUp {
    private static final Task A = new Task("a");

    private final WorkQueue queue = Queues.ofCapacity(1);
    private final boolean interruptFirst = ThreadLocalRandom.current().nextBoolean();
    private volatile @Nullable Thread consumer;
    private volatile boolean interrupted;

    @Actor
    public void consumer(LLL_Result r) {
        consumer = Thread.currentThread();
        try {
            r.r1 = queue.take();
        } catch (InterruptedException e) {
            r.r1 = "interrupted";
        }
        // The interrupt flag must not leak into the next test.
        while (!interrupted) {
            Thread.onSpinWait();
        }
        r.r2 = Thread.interrupted();
    }

    @Actor
    public void other() {
        Thread thread = consumer;
        while (thread == null) {
            thread = consumer;
        }
        if (interruptFirst) {
            thread.interrupt();
            queue.add(A);
        } else {
            queue.add(A);
            thread.interrupt();
        }
        interrupted = true;
    }

    @Arbiter
    public void rest(LLL_Result r) {
        r.r3 = queue.toString();
    }
}
