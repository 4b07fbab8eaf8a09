package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** One slot is used again and again. Each task comes out once, in order. */
@JCStressTest
@Outcome(id = "ok, 8", expect = ACCEPTABLE, desc = "all came out")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled, overtaken")
@State
public class RoundAndRound {
    private static final int TASKS = 8;

    private final WorkQueue queue = Queues.ofCapacity(1);
    private final Taker taker = new Taker(TASKS);
    private volatile boolean done;

    @Actor
    public void producer() {
        for (int i = 0; i < TASKS; i++) {
            while (!queue.offer(new Taker.Numbered(i))) {
                Thread.onSpinWait();
            }
        }
        done = true;
    }

    @Actor
    public void consumer() {
        taker.takeAll(queue, () -> done);
    }

    @Arbiter
    public void all(LL_Result r) {
        r.r1 = taker.isInOrder() ? "ok" : "order";
        r.r2 = taker.tasks();
    }
}
