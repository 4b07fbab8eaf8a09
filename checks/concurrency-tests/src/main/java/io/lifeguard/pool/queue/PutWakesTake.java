package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** A producer races with a consumer that is about to park. A consumer that parks must be woken. */
@JCStressTest
@Outcome(id = "a, b, true", expect = ACCEPTABLE, desc = "taken in order")
@Outcome(expect = FORBIDDEN, desc = "a wake-up was lost")
@State
public class PutWakesTake {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.ofCapacity(2);

    @Actor
    public void consumer(LLL_Result r) {
        r.r1 = Queues.poll(queue, Queues.FOREVER_NANOS);
        r.r2 = Queues.poll(queue, Queues.FOREVER_NANOS);
    }

    @Actor
    public void producer(LLL_Result r) {
        r.r3 = queue.offer(A) && queue.offer(B);
    }
}
