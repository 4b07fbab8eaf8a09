package io.lifeguard.pool;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

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

    private final BlockedSubmission blocked = new BlockedSubmission();

    @Actor
    public void submitter(LLL_Result r) {
        r.r1 = blocked.submit();
    }

    @Actor
    public void owner() {
        blocked.awaitFull();
        Race.inAnyOrder(blocked.first::letGo, blocked.pool::shutdown);
    }

    @Arbiter
    public void end(LLL_Result r) {
        Race.awaitEnd(blocked.pool);
        r.r2 = blocked.third.fate();
        r.r3 = Race.open(blocked.pool);
    }
}
