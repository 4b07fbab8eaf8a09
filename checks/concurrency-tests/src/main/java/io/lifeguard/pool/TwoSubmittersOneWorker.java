package io.lifeguard.pool;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.Race.Task;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * Two submitters meet a worker that is about to park. It must be woken. The pool is not shut down before both tasks
 * have run, because a shutdown would hide a lost wake-up.
 */
@JCStressTest
@Outcome(id = "both ran, 0 open", expect = ACCEPTABLE, desc = "as it should")
@Outcome(expect = FORBIDDEN, desc = "a wake-up was lost")
@State
public class TwoSubmittersOneWorker {

    private final InstrumentedThreadPoolExecutor pool = Race.pool(1, 0);
    private final Task one = new Task(false);
    private final Task other = new Task(false);

    @Actor
    public void submitter() {
        pool.prestartCoreThread();
        pool.execute(one);
    }

    @Actor
    public void otherSubmitter() {
        pool.execute(other);
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r1 = Race.comesTrue(() -> one.hasRun() && other.hasRun()) ? "both ran" : "one is stranded";
        pool.shutdownNow();
        Race.awaitEnd(pool);
        r.r2 = Race.open(pool);
    }
}
