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

/** Two tasks race with a shutdown. An accepted task must run, as a new worker's first task or from the queue. */
@JCStressTest
@Outcome(
        id = "(accepted, ran|refused, did not run), (accepted, ran|refused, did not run), 0 open",
        expect = ACCEPTABLE,
        desc = "each before or after the shutdown")
@Outcome(expect = FORBIDDEN, desc = "lost, run although refused, or miscounted")
@State
public class ExecuteOrShutdown {

    private final InstrumentedThreadPoolExecutor pool = Race.pool(1, 0);
    private final Task one = new Task(false);
    private final Task other = new Task(false);

    @Actor
    public void submitter(LLL_Result r) {
        r.r1 = Race.execute(pool, one);
        r.r2 = Race.execute(pool, other);
    }

    @Actor
    public void owner() {
        pool.shutdown();
    }

    @Arbiter
    public void end(LLL_Result r) {
        Race.awaitEnd(pool);
        r.r1 += ", " + one.fate();
        r.r2 += ", " + other.fate();
        r.r3 = Race.open(pool);
    }
}
