package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.IdleWorkers.Seeker;
import io.lifeguard.pool.queue.Queues.Task;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * A producer races with a consumer that parks and times out, while another one stays parked. What the first does not
 * take must wake the other. The consumers are played step by step, so that the race needs two processors only.
 */
@JCStressTest
@Outcome(id = "null, true, woken", expect = ACCEPTABLE, desc = "the first left without a task")
@Outcome(id = "a, true, woken", expect = ACCEPTABLE, desc = "the first took one")
@Outcome(expect = FORBIDDEN, desc = "a wake-up was lost")
@State
public class PutWakesOneOfTwo {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.ofCapacity(2);

    public PutWakesOneOfTwo() {
        queue.idle.enlist(new Seeker());
    }

    @Actor
    public void impatient(LLL_Result r) {
        Seeker seeker = new Seeker();
        queue.idle.enlist(seeker);
        queue.idle.delist(seeker);
        r.r1 = queue.dequeue(null, seeker);
        queue.idle.taskFound(seeker);
    }

    @Actor
    public void producer(LLL_Result r) {
        r.r2 = queue.offer(A) && queue.offer(B);
    }

    @Arbiter
    public void rest(LLL_Result r) {
        r.r3 = Queues.whoKnowsOfTasks(queue);
    }
}
