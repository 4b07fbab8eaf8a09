package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * Producers race with consumers that are about to park. A consumer that parks must be woken. One of the consumers may
 * also time out.
 */
@JCStressTest
@Outcome(id = "a, null, true", expect = ACCEPTABLE, desc = "the patient one got it")
@Outcome(id = "a, b, true", expect = ACCEPTABLE, desc = "both got one")
@Outcome(id = "b, a, true", expect = ACCEPTABLE, desc = "both got one")
@Outcome(expect = FORBIDDEN, desc = "a wake-up was lost")
@State
public class PutWakesOneOfTwo {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.ofCapacity(2);

    @Actor
    public void patient(LLL_Result r) {
        r.r1 = Queues.poll(queue, Queues.FOREVER_NANOS);
    }

    @Actor
    public void impatient(LLL_Result r) {
        r.r2 = Queues.poll(queue, 20_000);
    }

    @Actor
    public void producer(LLL_Result r) {
        r.r3 = queue.offer(A) && queue.offer(B);
    }
}
