package io.lifeguard.pool;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * A submitter waits at a full queue, or is about to, while {@code shutdownNow} drains the queue. The first task holds
 * the worker until it is interrupted. The second fills the queue. The third is the submitter's.
 */
@JCStressTest
@Outcome(id = "refused, did not run, returned 1", expect = ACCEPTABLE, desc = "it waited, or came too late")
@Outcome(id = "accepted, did not run, returned 2", expect = ACCEPTABLE, desc = "it got the room that the draining made")
@Outcome(expect = FORBIDDEN, desc = "lost, or accounted for twice")
@State
public class BlockedExecuteOrShutdownNow {

    private final BlockedSubmission blocked = new BlockedSubmission();

    @Actor
    public void submitter(LLL_Result r) {
        r.r1 = blocked.submit();
    }

    @Actor
    public void owner(LLL_Result r) {
        blocked.awaitFull();
        List<Runnable> returned = blocked.pool.shutdownNow();
        r.r3 = "returned " + returned.size();
    }

    @Arbiter
    public void end(LLL_Result r) {
        Race.awaitEnd(blocked.pool);
        r.r2 = blocked.third.fate();
    }
}
