package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLLL_Result;

/**
 * Two producers and a consumer compete for one slot. Each accepted task is taken, or left in the queue, exactly once.
 */
@JCStressTest
@Outcome(id = "true, false, null, a", expect = ACCEPTABLE, desc = "the first was faster, the consumer too early")
@Outcome(id = "false, true, null, b", expect = ACCEPTABLE, desc = "the second was faster, the consumer too early")
@Outcome(id = "true, false, a, null", expect = ACCEPTABLE, desc = "the consumer too late for the second")
@Outcome(id = "false, true, b, null", expect = ACCEPTABLE, desc = "the consumer too late for the first")
@Outcome(id = "true, true, a, b", expect = ACCEPTABLE, desc = "the consumer in between")
@Outcome(id = "true, true, b, a", expect = ACCEPTABLE, desc = "the consumer in between")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled or invented")
@State
public class OfferOfferPoll {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.ofCapacity(1);

    @Actor
    public void first(LLLL_Result r) {
        r.r1 = queue.offer(A);
    }

    @Actor
    public void second(LLLL_Result r) {
        r.r2 = queue.offer(B);
    }

    @Actor
    public void consumer(LLLL_Result r) {
        r.r3 = queue.poll();
    }

    @Arbiter
    public void rest(LLLL_Result r) {
        r.r4 = queue.poll();
    }
}
