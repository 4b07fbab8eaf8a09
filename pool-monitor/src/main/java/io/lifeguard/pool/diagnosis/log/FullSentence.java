package io.lifeguard.pool.diagnosis.log;

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
public final class FullSentence implements Runnable {

    /** Busy workers for each CPU that keep the CPUs full, as for the finding {@code pool-full}. */
    private static final double PER_CPU = 1.2;

    private final String text;

    private FullSentence(String text) {
        this.text = text;
    }

    /**
     * Makes the sentence from the states of the pool's busy workers; null if fewer are busy than {@code least}, or if
     * they do as much as the CPUs can.
     *
     * @param least at least 1
     */
    public static @Nullable FullSentence of(InstrumentedPool pool, int least, int queued) {
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
        int cpus = Runtime.getRuntime().availableProcessors();
        double enough = Math.ceil(PER_CPU * cpus);
        return busy < least || (running * 2 > busy && busy <= enough)
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
                        + (running > enough ? "; there " + (cpus == 1 ? "is 1 CPU" : "are " + cpus + " CPUs") : "")
                        + ". The monitor has found no reason yet, and keeps looking");
    }

    private static String some(int count, String what, @Nullable Thread one) {
        String place = one == null ? null : placeOf(one.getStackTrace());
        return one == null ? "" : count + " " + what + (place == null ? "" : ", one at " + LogText.clean(place));
    }

    /** The first frame that is neither the JDK's nor this library's. */
    public static @Nullable String placeOf(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            if (!type.startsWith("java.")
                    && !type.startsWith("javax.")
                    && !type.startsWith("jdk.")
                    && !type.startsWith("sun.")
                    && !type.startsWith("io.lifeguard.pool.")) {
                return type + "." + frame.getMethodName() + ":" + frame.getLineNumber();
            }
        }
        return null;
    }

    public String text() {
        return text;
    }

    @Override
    public void run() {
        LoggerFactory.getLogger("io.lifeguard.pool.diagnosis").info(text);
    }
}
