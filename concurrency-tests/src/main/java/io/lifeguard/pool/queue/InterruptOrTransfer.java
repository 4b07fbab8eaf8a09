package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * A slot becomes free while the waiting producer is interrupted. The producer throws, or its task is in the queue,
 * never both.
 */
@JCStressTest
@Outcome(id = "accepted, true, \\[b\\]", expect = ACCEPTABLE, desc = "let in, and still interrupted")
@Outcome(id = "interrupted, false, \\[\\]", expect = ACCEPTABLE, desc = "interrupted, and the flag used up")
@Outcome(expect = FORBIDDEN, desc = "the task was lost or kept, or the interrupt swallowed")
@State
public class InterruptOrTransfer {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.holding(A);
    private final boolean interruptFirst = ThreadLocalRandom.current().nextBoolean();
    private volatile @Nullable Thread producer;
    private volatile boolean interrupted;

    @Actor
    public void producer(LLL_Result r) {
        producer = Thread.currentThread();
        try {
            queue.put(B);
            r.r1 = "accepted";
        } catch (InterruptedException e) {
            r.r1 = "interrupted";
        }
        // The interrupt flag must not leak into the next test.
        while (!interrupted) {
            Thread.onSpinWait();
        }
        r.r2 = Thread.interrupted();
    }

    @Actor
    public void other() {
        Thread thread = producer;
        while (thread == null) {
            thread = producer;
        }
        if (interruptFirst) {
            thread.interrupt();
            queue.poll();
        } else {
            queue.poll();
            thread.interrupt();
        }
        interrupted = true;
    }

    @Arbiter
    public void rest(LLL_Result r) {
        r.r3 = queue.toString();
    }
}
