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
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * One of two parked consumers is interrupted while a task arrives. The wake-up must reach the other. The consumers are
 * played step by step: the one that stays is parked from the beginning, and the other takes the steps of an interrupted
 * thread. So the race needs two processors only.
 */
@JCStressTest
@Outcome(id = "true, woken", expect = ACCEPTABLE, desc = "the other was handed the search")
@Outcome(expect = FORBIDDEN, desc = "a wake-up was lost")
@State
public class InterruptPassesTheWakeUpOn {
    private static final Task A = new Task("a");

    private final WorkQueue queue = Queues.ofCapacity(2);

    public InterruptPassesTheWakeUpOn() {
        queue.idle.enlist(new Seeker());
    }

    @Actor
    public void victim() {
        Seeker victim = new Seeker();
        queue.idle.enlist(victim);
        queue.idle.delist(victim);
        queue.idle.taskFound(victim);
    }

    @Actor
    public void producer(LL_Result r) {
        r.r1 = queue.offer(A);
    }

    @Arbiter
    public void rest(LL_Result r) {
        r.r2 = Queues.whoKnowsOfTasks(queue);
    }
}
