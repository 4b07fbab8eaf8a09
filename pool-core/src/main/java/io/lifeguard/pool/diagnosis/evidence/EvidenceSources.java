package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.os.NativeThread;
import io.lifeguard.pool.os.ThreadReader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sources of evidence, and their budget. Immutable; its parts are confined to the monitor's thread.
 *
 * @param process what happened to the process
 * @param threads the operating system's times of a thread
 * @param stacks what threads do
 * @param budget what all this may cost
 */
public record EvidenceSources(ProcessTimes process, ThreadReader threads, StackSource stacks, EvidenceBudget budget) {

    private static final Logger LOG = LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");

    /**
     * The JVM's own thread walks stacks while all threads are stopped, so the budget of CPU time does not include it.
     */
    private static final Duration STACKS_PER_SECOND = Duration.ofMillis(10);

    private static final Duration STACKS_TO_WARM_UP = Duration.ofMillis(100);

    private static final AtomicBoolean SAID = new AtomicBoolean();

    public static EvidenceSources ofThisMachine(MonitorClock clock) {
        return new EvidenceSources(
                ProcessTimes.ofThisProcess(clock),
                new ThreadReader(),
                new StackSampler(
                        STACKS_PER_SECOND, System::nanoTime, EvidenceBudget::cpuOfThisThread, STACKS_TO_WARM_UP),
                EvidenceBudget.ofThisMachine());
    }

    /** The operating system's times of the workers of one more pool. */
    public WorkerTimes workerTimes(MonitorClock clock) {
        return new WorkerTimes(threads::read, budget, clock);
    }

    /** Sets how long windows are. Shorter windows have the same budget each, and so more of it in a second. */
    public void window(Duration length) {
        budget.window(length);
        stacks.pace(EvidenceBudget.pace(length));
    }

    /**
     * Logs once per JVM that the system says nothing about threads: on other systems than Linux, or in a locked
     * container.
     */
    public void sayIfUnknown(List<WorkerState> workers, WorkerTimes times) {
        sayIfUnknown(workers, times, SAID);
    }

    /**
     * A worker that has just ended, or one of an external pool, is not known either. So the calling thread is tried.
     */
    void sayIfUnknown(List<WorkerState> workers, WorkerTimes times, AtomicBoolean said) {
        if (!workers.isEmpty()
                && times.knowsNothing()
                && !said.get()
                && threads.read(NativeThread.currentId()) == null
                && said.compareAndSet(false, true)) {
            LOG.info("The operating system does not say here how long threads wait for a CPU"
                    + " (/proc/self/task/<id>/schedstat and"
                    + " status): findings make do with what is left, and some are not made");
        }
    }
}
