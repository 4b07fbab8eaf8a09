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

/** A waiting producer times out while a slot becomes free. Either its task was accepted, or it is not in the queue. */
@JCStressTest
@Outcome(id = "ACCEPTED, a, \\[b\\]", expect = ACCEPTABLE, desc = "let in")
@Outcome(id = "TIMED_OUT, a, \\[\\]", expect = ACCEPTABLE, desc = "gave up")
@Outcome(expect = FORBIDDEN, desc = "accepted and lost, or refused and kept")
@State
public class TimeoutOrTransfer {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.holding(A);

    @Actor
    public void producer(LLL_Result r) {
        r.r1 = Queues.admit(queue, B, 2_000);
    }

    @Actor
    public void consumer(LLL_Result r) {
        r.r2 = queue.poll();
    }

    @Arbiter
    public void rest(LLL_Result r) {
        r.r3 = queue.toString();
    }
}
