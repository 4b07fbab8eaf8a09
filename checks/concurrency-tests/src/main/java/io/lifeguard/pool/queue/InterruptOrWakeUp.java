package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
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
    private final InterruptedWait wait = new InterruptedWait();

    @Actor
    public void consumer(LLL_Result r) {
        wait.begin();
        try {
            r.r1 = queue.take();
        } catch (InterruptedException e) {
            r.r1 = "interrupted";
        }
        r.r2 = wait.end();
    }

    @Actor
    public void other() {
        wait.interruptAnd(() -> queue.add(A));
    }

    @Arbiter
    public void rest(LLL_Result r) {
        r.r3 = queue.toString();
    }
}
