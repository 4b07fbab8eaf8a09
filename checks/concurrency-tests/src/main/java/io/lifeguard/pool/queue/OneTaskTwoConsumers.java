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

/** Two consumers compete for one task. Exactly one gets it. */
@JCStressTest
@Outcome(id = "a, null, \\[\\]", expect = ACCEPTABLE, desc = "the first was faster")
@Outcome(id = "null, a, \\[\\]", expect = ACCEPTABLE, desc = "the second was faster")
@Outcome(expect = FORBIDDEN, desc = "taken twice or not at all")
@State
public class OneTaskTwoConsumers {
    private static final Task A = new Task("a");

    private final WorkQueue queue = Queues.holding(A);

    @Actor
    public void first(LLL_Result r) {
        r.r1 = queue.poll();
    }

    @Actor
    public void second(LLL_Result r) {
        r.r2 = queue.poll();
    }

    @Arbiter
    public void rest(LLL_Result r) {
        r.r3 = queue.toString();
    }
}
