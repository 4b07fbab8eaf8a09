package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * One slot is used again and again while two consumers take from it. One of them is the producer, who makes room when
 * there is none. Each task comes out once, and each consumer sees its tasks in order.
 */
@JCStressTest
@Outcome(id = "ok, 8", expect = ACCEPTABLE, desc = "all came out")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled, overtaken")
@State
public class RoundAndRoundTakingPart {
    private static final int TASKS = 8;

    private final WorkQueue queue = Queues.ofCapacity(1);
    private final int[] first = new int[TASKS];
    private final int[] second = new int[TASKS];
    private int countOfFirst; // the producer's
    private volatile boolean done;

    private record Numbered(int number) implements Runnable {
        @Override
        public void run() {}
    }

    @Actor
    public void producer() {
        for (int i = 0; i < TASKS; i++) {
            while (!queue.offer(new Numbered(i))) {
                Runnable task = queue.poll();
                if (task != null) {
                    first[((Numbered) task).number()] += ++countOfFirst;
                }
            }
        }
        done = true;
    }

    /* Notes when each task was taken: 1 for this consumer's first one, and so on. */
    @Actor
    public void consumer() {
        int count = 0;
        for (boolean last = false; !last; ) {
            last = done;
            for (Runnable task = queue.poll(); task != null; task = queue.poll()) {
                second[((Numbered) task).number()] += ++count;
            }
        }
    }

    @Arbiter
    public void all(LL_Result r) {
        int taken = 0;
        int lastOfFirst = 0;
        int lastOfSecond = 0;
        r.r1 = "ok";
        for (int i = 0; i < TASKS; i++) {
            taken += (first[i] > 0 ? 1 : 0) + (second[i] > 0 ? 1 : 0);
            if (first[i] > 0 && first[i] != ++lastOfFirst || second[i] > 0 && second[i] != ++lastOfSecond) {
                r.r1 = "order";
            }
        }
        r.r2 = taken;
    }
}
