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
 * Two submitters meet a pool of core size 0, whose worker ends as soon as it has nothing to do. One submitter may have
 * to wait for room. Each task must find a worker. The pool is not shut down before all tasks have run.
 */
@JCStressTest
@Outcome(id = "all ran, 0 open", expect = ACCEPTABLE, desc = "as it should")
@Outcome(expect = FORBIDDEN, desc = "a task is stranded in a queue that is never drained")
@State
public class AdmitOrTimeOut {

    private final InstrumentedThreadPoolExecutor pool = Race.pool(0, 1);
    private final Task one = new Task(false);
    private final Task two = new Task(false);
    private final Task three = new Task(false);

    @Actor
    public void submitter() {
        pool.execute(one);
        pool.execute(two);
    }

    @Actor
    public void otherSubmitter() {
        pool.execute(three);
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r1 = Race.comesTrue(() -> one.hasRun() && two.hasRun() && three.hasRun()) ? "all ran" : "one is stranded";
        pool.shutdownNow();
        Race.awaitEnd(pool);
        r.r2 = Race.open(pool);
    }
}
