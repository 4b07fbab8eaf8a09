package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A worker takes a task while it is being put in. The stamp is stored before the task, and read after it. Processors
 * that keep stores in order, as x86 does, show only what a compiler does wrong.
 */
@JCStressTest
@Outcome(id = "a, stamped", expect = ACCEPTABLE, desc = "the stamp came with the task")
@Outcome(expect = FORBIDDEN, desc = "the stamp of an empty slot")
@State
public class TaskHasItsTimeStamp {
    private static final Task A = new Task("a");

    private final WorkQueue queue = Queues.ofCapacity(1);

    @Actor
    public void producer() {
        queue.offer(A);
    }

    @Actor
    public void worker(LL_Result r) {
        Worker worker = new Worker();
        queue.attach(() -> worker);
        r.r1 = Queues.poll(queue, Queues.FOREVER_NANOS);
        r.r2 = worker.stamp == 0 ? "no stamp" : "stamped";
    }

    /** Keeps the stamp of the task that it took. */
    private static final class Worker implements QueueWorker {
        private long stamp;

        @Override
        public void returned() {}

        @Override
        public void idle() {}

        @Override
        public void parking() {}

        @Override
        public void took(Runnable task, long enqueuedNanos) {
            stamp = enqueuedNanos;
        }
    }
}
