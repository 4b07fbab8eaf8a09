package io.lifeguard.pool;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.Race.Task;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * A submitter waits at a full queue, or is about to, while the worker becomes free and makes room, and the pool is shut
 * down. The first task holds the worker until it is released. The second fills the queue. The third is the submitter's.
 */
@JCStressTest
@Outcome(id = "refused, did not run, 0 open", expect = ACCEPTABLE, desc = "the shutdown was first")
@Outcome(id = "accepted, ran, 0 open", expect = ACCEPTABLE, desc = "the worker was first")
@Outcome(expect = FORBIDDEN, desc = "stranded, run although refused, or miscounted")
@State
public class BlockedExecuteOrShutdown {

    private final InstrumentedThreadPoolExecutor pool = Race.pool(1, 0);
    private final Task first = new Task(true);
    private final Task second = new Task(false);
    private final Task third = new Task(false);
    private volatile boolean full;

    @Actor
    public void submitter(LLL_Result r) {
        pool.execute(first);
        pool.execute(second);
        full = true;
        r.r1 = Race.execute(pool, third);
    }

    @Actor
    public void owner() {
        Race.comesTrue(() -> full);
        Race.inAnyOrder(first::letGo, pool::shutdown);
    }

    @Arbiter
    public void end(LLL_Result r) {
        Race.awaitEnd(pool);
        r.r2 = third.fate();
        r.r3 = Race.open(pool);
    }
}
