package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * One slot is used again and again while two consumers take from it. One of them is the producer, who makes room when
 * there is none. Each task comes out once, and each consumer sees its tasks in order.
 */
@JCStressTest
@Outcome(id = "ok, 8", expect = ACCEPTABLE, desc = "all came out")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled, overtaken")
@State
public class RoundAndRoundTakingPart {
    private static final int TASKS = 8;

    private final WorkQueue queue = Queues.ofCapacity(1);
    private final Taker first = new Taker(TASKS); // the producer
    private final Taker second = new Taker(TASKS);
    private volatile boolean done;

    @Actor
    public void producer() {
        for (int i = 0; i < TASKS; i++) {
            while (!queue.offer(new Taker.Numbered(i))) {
                Runnable task = queue.poll();
                if (task != null) {
                    first.took(task);
                }
            }
        }
        done = true;
    }

    @Actor
    public void consumer() {
        second.takeAll(queue, () -> done);
    }

    @Arbiter
    public void all(LL_Result r) {
        r.r1 = first.isInOrder() && second.isInOrder() ? "ok" : "order";
        r.r2 = first.tasks() + second.tasks();
    }
}
