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

/** Two producers compete for one free slot. Exactly one gets it. */
@JCStressTest
@Outcome(id = "true, false, \\[a\\]", expect = ACCEPTABLE, desc = "the first was faster")
@Outcome(id = "false, true, \\[b\\]", expect = ACCEPTABLE, desc = "the second was faster")
@Outcome(expect = FORBIDDEN, desc = "both or none, or not the one that was told so")
@State
public class OneSlotTwoProducers {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.ofCapacity(1);

    @Actor
    public void first(LLL_Result r) {
        r.r1 = queue.offer(A);
    }

    @Actor
    public void second(LLL_Result r) {
        r.r2 = queue.offer(B);
    }

    @Arbiter
    public void rest(LLL_Result r) {
        r.r3 = queue.toString();
    }
}
