package io.lifeguard.examples.jaraudit;

import io.lifeguard.examples.Lookout;
import io.lifeguard.examples.Terminal;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Audits the same jars as often as it is asked to, each time in a new pool. The calling thread is the dispatcher. */
final class AuditRun {

    private static final long SECONDS_TO_STOP = 5;

    /** Seven windows, which a finding needs, take 3.5 s: less than a run takes that is worth measuring. */
    private static final Duration WINDOW = Duration.ofMillis(500);

    private final List<Jar> jars;
    private final JarAuditor auditor;
    private final int workers;
    private final int queue;
    private final Terminal terminal;

    AuditRun(List<Jar> jars, JarAuditor auditor, Options options, Terminal terminal) {
        this.jars = jars;
        this.auditor = auditor;
        this.workers = options.workers();
        this.queue = options.queue();
        this.terminal = terminal;
    }

    /**
     * Audits all jars.
     *
     * @param label what the progress line calls this run
     * @throws InterruptedException if interrupted; the pool has been stopped by then
     */
    RunResult run(String label, Policy policy) throws InterruptedException {
        Lookout lookout = Lookout.withWindows(WINDOW); // first, because the pool would start the global monitor
        InstrumentedThreadPoolExecutor pool = policy.openPool(workers, queue);
        ResultSheet results = new ResultSheet(jars);
        try (lookout;
                Progress progress = Progress.start(terminal, label, results, pool)) {
            Stopwatch stopwatch = Stopwatch.start();
            dispatch(pool, results);
            pool.shutdown();
            pool.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            long elapsed = stopwatch.elapsedNanos();
            CpuUse cpu = stopwatch.cpuUse();
            progress.done(elapsed);
            return new RunResult(
                    elapsed, cpu, results, pool.snapshot(), lookout.findings(pool.name()), lookout.lastMinute());
        } finally {
            stop(pool);
        }
    }

    private void dispatch(InstrumentedThreadPoolExecutor pool, ResultSheet results) throws InterruptedException {
        for (int i = 0; i < jars.size(); i++) {
            try {
                pool.execute(new AuditTask(i, jars.get(i), auditor, results));
            } catch (RejectedExecutionException e) {
                if (!Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    private static void stop(InstrumentedThreadPoolExecutor pool) throws InterruptedException {
        if (!pool.isTerminated()) {
            pool.shutdownNow();
            pool.awaitTermination(SECONDS_TO_STOP, TimeUnit.SECONDS);
        }
    }
}
