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
 * A submitter waits at a full queue, or is about to, and is interrupted while the worker becomes free and makes room.
 * The first task holds the worker until it is released. The second fills the queue. The third is the submitter's.
 */
@JCStressTest
@Outcome(id = "refused, did not run, interrupted", expect = ACCEPTABLE, desc = "the interrupt was first")
@Outcome(
        id = "accepted, ran, interrupted",
        expect = ACCEPTABLE,
        desc = "the worker was first, and the interrupt is kept")
@Outcome(expect = FORBIDDEN, desc = "the interrupt was swallowed, or the task was lost or run although refused")
@State
public class BlockedExecuteOrInterrupt {

    private final BlockedSubmission blocked = new BlockedSubmission();
    private volatile boolean interrupted;

    @Actor
    public void submitter(LLL_Result r) {
        r.r1 = blocked.submit();
        Race.comesTrue(() -> interrupted);
        r.r3 = Thread.interrupted() ? "interrupted" : "not interrupted";
    }

    @Actor
    public void interrupter() {
        Thread submitter = blocked.awaitFull();
        Race.inAnyOrder(blocked.first::letGo, submitter::interrupt);
        interrupted = true;
    }

    @Arbiter
    public void end(LLL_Result r) {
        blocked.pool.shutdown();
        Race.awaitEnd(blocked.pool);
        r.r2 = blocked.third.fate();
    }
}
