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

/** A producer meets a full slot while a consumer empties it. */
@JCStressTest
@Outcome(id = "true, a, \\[b\\]", expect = ACCEPTABLE, desc = "the consumer was faster")
@Outcome(id = "false, a, \\[\\]", expect = ACCEPTABLE, desc = "the producer was too early")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled, or overwritten")
@State
public class OfferOrPoll {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.holding(A);

    @Actor
    public void producer(LLL_Result r) {
        r.r1 = queue.offer(B);
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
