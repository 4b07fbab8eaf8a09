package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLLL_Result;

/**
 * The first waiting producer gives up while a slot becomes free. It or the next producer gets the slot; the slot is
 * never lost.
 */
@JCStressTest
@Outcome(id = "TIMED_OUT, ACCEPTED, a, \\[c\\]", expect = ACCEPTABLE, desc = "it gave up, the other got in")
@Outcome(id = "ACCEPTED, RELEASED, a, \\[b\\]", expect = ACCEPTABLE, desc = "it got in, the other was released")
@Outcome(expect = FORBIDDEN, desc = "a slot or a task was lost")
@State
public class TimeoutPassesTheSlotOn {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");
    private static final Task C = new Task("c");

    private final WorkQueue queue = Queues.holding(A);
    private volatile boolean impatientLeft;
    private volatile boolean patientLeft;

    @Actor
    public void impatient(LLLL_Result r) {
        r.r1 = Queues.admit(queue, B, 5_000);
        impatientLeft = true;
    }

    @Actor
    public void patient(LLLL_Result r) {
        r.r2 = Queues.admit(queue, C, Queues.FOREVER_NANOS);
        patientLeft = true;
    }

    @Actor
    public void consumer(LLLL_Result r) {
        r.r3 = queue.poll();
        while (!impatientLeft) {
            Thread.onSpinWait();
        }
        // A producer may wait while the slot is taken, but must find an empty slot.
        while (!patientLeft) {
            if (!queue.isEmpty()) {
                queue.releaseWaiters();
            }
        }
    }

    @Arbiter
    public void rest(LLLL_Result r) {
        r.r4 = queue.toString();
    }
}
