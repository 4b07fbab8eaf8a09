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
 * Two producers compete for one slot, and one of them empties it again. Each accepted task is taken, or left in the
 * queue, exactly once.
 */
@JCStressTest
@Outcome(id = "true, a, false, null", expect = ACCEPTABLE, desc = "the second came while the slot was taken")
@Outcome(id = "true, a, true, b", expect = ACCEPTABLE, desc = "the second came after the slot was emptied")
@Outcome(id = "false, b, true, null", expect = ACCEPTABLE, desc = "the second was faster")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled or invented")
@State
public class OfferPollOrOffer {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.ofCapacity(1);

    @Actor
    public void first(LLLL_Result r) {
        r.r1 = queue.offer(A);
        r.r2 = queue.poll();
    }

    @Actor
    public void second(LLLL_Result r) {
        r.r3 = queue.offer(B);
    }

    @Arbiter
    public void rest(LLLL_Result r) {
        r.r4 = queue.poll();
    }
}
