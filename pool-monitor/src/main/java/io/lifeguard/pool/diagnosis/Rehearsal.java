package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.AwaitedTasks;
import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.PoolEvidence;
import io.lifeguard.pool.diagnosis.evidence.cpu.CpuShortage;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.evidence.cpu.WorkerTimes;
import io.lifeguard.pool.diagnosis.external.PoolSource;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import io.lifeguard.pool.recording.LiveSink;
import io.lifeguard.pool.recording.Recorder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Loads and links the code of the first looks and of the first judgement, while another thread starts the monitor.
 * Stateless.
 *
 * <p>The system gives each thread that wants a CPU the same share. Beside 64 threads that compute, and four other
 * processes, that is 3 % of a core. The start of the monitor until its first judgement takes 250 ms of CPU, most of
 * them for loading classes and linking lambdas, so one thread needs eight seconds. Three more threads have three more
 * shares.
 */
final class Rehearsal {

    /** Two windows, as most rules want for a finding; then one in which the rules that are asked last are loaded. */
    private static final int WINDOWS = 3;

    /** Workers by CPU. Beside fewer, the monitor's thread gets its turn soon, and helpers would only take theirs. */
    private static final int CROWD = 8;

    private Rehearsal() {}

    /** Rehearses in three threads of its own, if the calling thread has had to wait for CPUs beside many workers. */
    static void beginIfShortOfCpu() {
        try {
            List<InstrumentedPool> pools = Pools.live();
            if (areCrowded(pools) && CpuShortage.isOfCaller()) {
                begin(Rehearsal::readSystem);
                begin(() -> judge(pools.get(0)));
                begin(() -> look(pools.get(0)));
            }
        } catch (OutOfMemoryError | SecurityException ignored) { // no thread is to be had: the monitor starts without
            return;
        }
    }

    private static boolean areCrowded(List<InstrumentedPool> pools) {
        int workers = pools.stream().mapToInt(pool -> pool.workers().size()).sum();
        return workers > CROWD * Runtime.getRuntime().availableProcessors();
    }

    private static void begin(Runnable rehearsal) {
        DaemonThreads.newThread("lifeguard-rehearsal", () -> {
                    try {
                        rehearsal.run();
                    } catch (Throwable ignored) { // a user's pool that throws: the monitor's thread will tell of it
                        return;
                    }
                })
                .start();
    }

    /**
     * Judges a pool as if its workers queued for CPUs, and then as if they had not been seen, so that all questions are
     * asked. What is found goes to no listener.
     */
    static void judge(InstrumentedPool pool) {
        PoolSnapshot before = pool.snapshot();
        PoolDiagnosis diagnosis = new PoolDiagnosis(finding -> {});
        for (int i = 0; i < WINDOWS; i++) {
            PoolSnapshot after = pool.snapshot();
            diagnosis.enter(fullCpus(before, after), Duration.ofSeconds(1), true, i + 1 < WINDOWS);
            before = after;
        }
        PoolWindow unseen = PoolWindow.between(before, pool.snapshot()).build();
        diagnosis.enter(unseen, Duration.ofSeconds(1), true, false);
    }

    static PoolWindow fullCpus(PoolSnapshot before, PoolSnapshot after) {
        double workers = Math.max(1, after.size());
        double cores = Runtime.getRuntime().availableProcessors();
        Duration length = Duration.ofNanos(Math.max(1, after.nanoTime() - before.nanoTime()));
        ThreadTimes times = new ThreadTimes(length, length, 0, 0).times(workers / 2);
        List<StackTraceElement> stack = List.of(new Throwable().getStackTrace());
        String place = stack.get(0).toString();
        Estimate computing = Estimate.exactly(Math.min(workers, cores));
        Estimate waiting = Estimate.exactly(Math.max(0, workers - cores));
        TimeBreakdown breakdown = new TimeBreakdown(
                workers,
                1,
                1,
                List.of(
                        new Share(Doing.COMPUTING, place, computing, stack, Optional.empty()),
                        new Share(Doing.WAITING_FOR_CPU, place, waiting, stack, Optional.empty())),
                Map.of());
        return PoolWindow.between(before, after)
                .workers(List.of(new WorkerWindow("", 0, true, Optional.empty(), Duration.ZERO, Optional.of(times))))
                .process(new ProcessWindow(
                        cores,
                        OptionalDouble.of(cores),
                        OptionalDouble.of(0),
                        OptionalDouble.of(0),
                        OptionalDouble.of(1),
                        Optional.empty(),
                        Optional.of(Duration.ZERO),
                        Duration.ZERO))
                .breakdown(breakdown)
                .build();
    }

    /** Reads what the system tells of the process, as a monitor does. */
    static void readSystem() {
        EvidenceSources sources = EvidenceSources.ofThisMachine(MonitorClock.SYSTEM);
        sources.process().advance(Duration.ZERO);
        sources.disturbances();
        sources.process().advance(Duration.ZERO);
    }

    /** Looks at the workers of a pool as a monitor does. What is seen goes to no listener. */
    static void look(InstrumentedPool pool) {
        PoolSnapshot before = pool.snapshot();
        List<WorkerState> workers = pool.workers();
        Recorder recorder = new Recorder(LiveSink.NONE);
        EvidenceSources sources = EvidenceSources.ofThisMachine(MonitorClock.SYSTEM);
        PoolEvidence evidence = sources.evidence(before.name(), MonitorClock.SYSTEM);
        evidence.recordTo(recorder);
        WorkerTimes times = sources.workerTimes(MonitorClock.SYSTEM);
        times.read(workers);
        AwaitedTasks.Candidate candidate = new AwaitedTasks.Candidate(before.name(), PoolSource.of(pool));
        evidence.look(pool, true, true, new AwaitedTasks(List.of(candidate)));
        times.read(workers);
        evidence.close(PoolWindow.between(before, pool.snapshot()).build());
    }
}
