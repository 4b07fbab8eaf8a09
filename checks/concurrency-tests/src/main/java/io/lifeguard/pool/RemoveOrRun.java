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
 * A queued task is removed while the worker becomes free. Exactly one of the two must get it. The first task holds the
 * worker until then.
 */
@JCStressTest
@Outcome(id = "removed, did not run, 1 open", expect = ACCEPTABLE, desc = "the remover was first")
@Outcome(id = "not removed, ran, 0 open", expect = ACCEPTABLE, desc = "the worker was first")
@Outcome(expect = FORBIDDEN, desc = "both or neither got it")
@State
public class RemoveOrRun {

    private final InstrumentedThreadPoolExecutor pool = Race.pool(1, 0);
    private final Task first = new Task(true);
    private final Task second = new Task(false);
    private volatile boolean full;

    @Actor
    public void releaser() {
        pool.execute(first);
        pool.execute(second);
        full = true;
        first.letGo();
    }

    @Actor
    public void remover(LLL_Result r) {
        Race.comesTrue(() -> full);
        r.r1 = pool.remove(second) ? "removed" : "not removed";
    }

    @Arbiter
    public void end(LLL_Result r) {
        pool.shutdown();
        Race.awaitEnd(pool);
        r.r2 = second.fate();
        r.r3 = Race.open(pool);
    }
}
