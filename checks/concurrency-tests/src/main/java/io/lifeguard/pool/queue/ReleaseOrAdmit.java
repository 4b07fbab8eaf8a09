package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A shutdown races with a producer that is about to wait. The producer sees the shutdown, or is released from its wait.
 */
@JCStressTest
@Outcome(id = "shut down, \\[a\\]", expect = ACCEPTABLE, desc = "it looked after the shutdown")
@Outcome(id = "RELEASED, \\[a\\]", expect = ACCEPTABLE, desc = "it looked before")
@Outcome(expect = FORBIDDEN, desc = "it waits forever, or its task was accepted without room")
@State
public class ReleaseOrAdmit {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.holding(A);
    private volatile boolean shutDown;

    @Actor
    public void producer(LL_Result r) {
        long releases = queue.releases();
        r.r1 = shutDown ? "shut down" : Queues.admit(queue, B, Queues.FOREVER_NANOS, releases);
    }

    @Actor
    public void owner() {
        shutDown = true;
        queue.releaseWaiters();
    }

    @Arbiter
    public void rest(LL_Result r) {
        r.r2 = queue.toString();
    }
}
