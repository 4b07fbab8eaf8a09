package io.lifeguard.pool.diagnosis.start;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * One line of the log about a pool that has been full for long and has no finding yet, mostly because the monitor gets
 * too little CPU time. Written by a thread of its own, so that a slow log holds up nothing. Immutable.
 */
final class FullSentence implements Runnable {

    /** The finding that says the same of windows. */
    static final String ID = "pool-full";

    private final String text;

    private FullSentence(String text) {
        this.text = text;
    }

    /** Makes the sentence from the states of the pool's busy workers; null if none is busy any longer. */
    static @Nullable FullSentence of(InstrumentedPool pool, int queued) {
        List<WorkerState> workers = pool.workers();
        int busy = 0;
        int running = 0;
        Thread runs = null;
        Thread waits = null;
        for (WorkerState worker : workers) {
            Thread thread = worker.thread();
            if (!worker.busy()) {
                continue;
            }
            busy++;
            if (thread.getState() == Thread.State.RUNNABLE) {
                running++;
                runs = thread;
            } else {
                waits = thread;
            }
        }
        int size = workers.size();
        return busy == 0
                ? null
                : new FullSentence("pool " + LogText.name(Pools.nameOf(pool)) + ": "
                        + (size == 1
                                ? "the only worker is"
                                : (busy == size ? "all " : busy + " of ")
                                        + size
                                        + (busy == 1 ? " workers is" : " workers are"))
                        + " busy and "
                        + Counted.of(queued, "task waits", "tasks wait") + "; where they are: "
                        + some(running, "computing or outside", runs)
                        + (runs == null || waits == null ? "" : ", ")
                        + some(busy - running, "waiting", waits)
                        + ". The monitor has found no reason yet, and keeps looking");
    }

    private static String some(int count, String what, @Nullable Thread one) {
        String place = one == null ? null : FirstSentence.placeOf(one.getStackTrace());
        return one == null ? "" : count + " " + what + (place == null ? "" : ", one at " + LogText.clean(place));
    }

    String text() {
        return text;
    }

    @Override
    public void run() {
        LoggerFactory.getLogger("io.lifeguard.pool.diagnosis").info(text);
    }
}
