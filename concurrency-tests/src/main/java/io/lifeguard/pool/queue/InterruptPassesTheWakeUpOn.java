package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** One of two parked consumers is interrupted while a task arrives. The wake-up must reach one that takes the task. */
@JCStressTest
@Outcome(id = "interrupted, a", expect = ACCEPTABLE, desc = "the other got it")
@Outcome(id = "a, released", expect = ACCEPTABLE, desc = "it got the task in spite of the interrupt")
@Outcome(expect = FORBIDDEN, desc = "a wake-up was lost")
@State
public class InterruptPassesTheWakeUpOn {
    private static final Task A = new Task("a");
    private static final Task RELEASED = new Task("released");

    private final WorkQueue queue = Queues.ofCapacity(2);
    private volatile @Nullable Thread victim;
    private volatile boolean interrupted;

    @Actor
    public void victim(LL_Result r) {
        victim = Thread.currentThread();
        try {
            r.r1 = queue.poll(Queues.FOREVER_NANOS, TimeUnit.NANOSECONDS);
            queue.add(RELEASED);
        } catch (InterruptedException e) {
            r.r1 = "interrupted";
        }
        while (!interrupted) {
            Thread.onSpinWait();
        }
        Thread.interrupted();
    }

    @Actor
    public void other(LL_Result r) {
        r.r2 = Queues.poll(queue, Queues.FOREVER_NANOS);
    }

    @Actor
    public void producer() {
        queue.add(A);
    }

    @Actor
    public void interrupter() {
        Thread thread = victim;
        while (thread == null) {
            thread = victim;
        }
        thread.interrupt();
        interrupted = true;
    }
}
