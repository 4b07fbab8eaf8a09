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

/** A producer is about to wait while a consumer makes room. */
@JCStressTest
@Outcome(id = "ACCEPTED, a, b", expect = ACCEPTABLE, desc = "let in")
@Outcome(expect = FORBIDDEN, desc = "a wake-up or a task was lost")
@State
public class TakeLetsPutIn {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.holding(A);

    @Actor
    public void producer(LLL_Result r) {
        r.r1 = Queues.admit(queue, B, Queues.FOREVER_NANOS);
    }

    @Actor
    public void consumer(LLL_Result r) {
        r.r2 = queue.poll();
    }

    @Arbiter
    public void rest(LLL_Result r) {
        r.r3 = queue.poll();
    }
}
