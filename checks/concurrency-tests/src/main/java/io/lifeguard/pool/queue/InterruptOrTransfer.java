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
 * A slot becomes free while the waiting producer is interrupted. The producer throws, or its task is in the queue,
 * never both.
 */
@JCStressTest
@Outcome(id = "accepted, true, \\[b\\]", expect = ACCEPTABLE, desc = "let in, and still interrupted")
@Outcome(id = "interrupted, false, \\[\\]", expect = ACCEPTABLE, desc = "interrupted, and the flag used up")
@Outcome(expect = FORBIDDEN, desc = "the task was lost or kept, or the interrupt swallowed")
@State
public class InterruptOrTransfer {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.holding(A);
    private final InterruptedWait wait = new InterruptedWait();

    @Actor
    public void producer(LLL_Result r) {
        wait.begin();
        try {
            queue.put(B);
            r.r1 = "accepted";
        } catch (InterruptedException e) {
            r.r1 = "interrupted";
        }
        r.r2 = wait.end();
    }

    @Actor
    public void other() {
        wait.interruptAnd(queue::poll);
    }

    @Arbiter
    public void rest(LLL_Result r) {
        r.r3 = queue.toString();
    }
}
