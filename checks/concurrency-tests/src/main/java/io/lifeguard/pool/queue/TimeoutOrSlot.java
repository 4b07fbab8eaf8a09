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
 * The only waiting producer gives up while a slot becomes free, and a newcomer wants the slot. One of them gets it, or
 * it stays free; it is never lost.
 */
@JCStressTest
@Outcome(id = "TIMED_OUT, a, ACCEPTED, \\[c\\]", expect = ACCEPTABLE, desc = "it gave up, the newcomer got in")
@Outcome(id = "ACCEPTED, a, TIMED_OUT, \\[b\\]", expect = ACCEPTABLE, desc = "it got in")
@Outcome(
        id = "TIMED_OUT, a, TIMED_OUT, \\[d\\]",
        expect = ACCEPTABLE,
        desc = "the newcomer met it in the line; the next got in")
@Outcome(expect = FORBIDDEN, desc = "a slot or a task was lost")
@State
public class TimeoutOrSlot {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");
    private static final Task C = new Task("c");
    private static final Task D = new Task("d");

    private final WorkQueue queue = Queues.holding(A);

    @Actor
    public void impatient(LLLL_Result r) {
        r.r1 = Queues.admit(queue, B, 2_000);
    }

    @Actor
    public void consumer(LLLL_Result r) {
        r.r2 = queue.poll();
        r.r3 = Queues.admit(queue, C, 0);
    }

    @Arbiter
    public void rest(LLLL_Result r) {
        if (queue.isEmpty()) {
            queue.offer(D);
        }
        r.r4 = queue.toString();
    }
}
