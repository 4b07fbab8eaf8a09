package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.cpu.Disturbances;
import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.evidence.cpu.ProcessTimes;
import io.lifeguard.pool.diagnosis.evidence.cpu.WorkerTimes;
import io.lifeguard.pool.diagnosis.evidence.stack.ResourceNames;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.diagnosis.evidence.stack.StackShares;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSource;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.os.LiveThreads;
import io.lifeguard.pool.os.NativeThread;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The sources of evidence, and their budget. Immutable; its parts are confined to the monitor's thread.
 *
 * @param process what happened to the process
 * @param threads the operating system's times of a thread
 * @param stacks what threads do
 * @param budget what all this may cost
 * @param shares the parts of the stacks that pools get
 * @param others which other threads are busy
 */
public record EvidenceSources(
        ProcessTimes process,
        ThreadReader threads,
        StackSource stacks,
        EvidenceBudget budget,
        StackShares shares,
        BusyThreads others) {

    private static final String BLIND = "The operating system does not say here how long threads wait for a CPU"
            + " (/proc/self/task/<id>/schedstat and status): findings are then less certain, and some are missing";

    // from false to true, by the first monitor's thread that says it; CAS, so no read is stale
    private static final AtomicBoolean SAID = new AtomicBoolean();

    /** Creates sources that share the stacks among pools. */
    public EvidenceSources(ProcessTimes process, ThreadReader threads, StackSource stacks, EvidenceBudget budget) {
        this(
                process,
                threads,
                stacks,
                budget,
                new StackShares(),
                new BusyThreads(MonitorClock.SYSTEM, new AllThreads()));
    }

    public static EvidenceSources ofThisMachine(MonitorClock clock) {
        return new EvidenceSources(
                ProcessTimes.ofThisProcess(clock),
                new ThreadReader(),
                StackSource.ofThisJvm(),
                EvidenceBudget.ofThisMachine());
    }

    public PoolEvidence evidence(String pool, MonitorClock clock) {
        return new PoolEvidence(
                pool, new StackSampler(stacks, budget, shares, clock), ResourceNames.ofThisProcess(), others);
    }

    /**
     * {@return what the workers of a pool wait for, to the end} Looks at all of them, so only asked of a pool that
     * stands.
     */
    public Optional<WaitChain> chain(String pool, Collection<AwaitedTasks.Candidate> pools) {
        return LiveScene.chain(pool, stacks, pools);
    }

    private static final class AllThreads implements Supplier<List<Thread>> {
        @Override
        public List<Thread> get() {
            return LiveThreads.all();
        }
    }

    /** Sets among how many pools that work the stacks are shared until the next call. */
    public void share(int suspectedPools, int otherPools) {
        shares.among(suspectedPools, otherPools);
    }

    /** Tells windows in which everything stood still, from those in which other threads had the CPUs. */
    public Disturbances disturbances() {
        return Disturbances.of(threads);
    }

    public WorkerTimes workerTimes(MonitorClock clock) {
        return new WorkerTimes(threads, budget, clock);
    }

    /**
     * {@return what to log where the system says nothing about threads: on other systems than Linux, or in a locked
     * container; empty otherwise, and after the first time in this JVM}
     */
    public Optional<String> blindness(List<WorkerState> workers, WorkerTimes times) {
        return blindness(workers, times, SAID);
    }

    /** A worker that has just ended, or one of an external pool, is unknown, too. So the calling thread is tried. */
    Optional<String> blindness(List<WorkerState> workers, WorkerTimes times, AtomicBoolean said) {
        boolean isNew = !workers.isEmpty()
                && times.knowsNothing()
                && !said.get()
                && threads.read(NativeThread.currentId()) == null
                && said.compareAndSet(false, true);
        return isNew ? Optional.of(BLIND) : Optional.empty();
    }
}
