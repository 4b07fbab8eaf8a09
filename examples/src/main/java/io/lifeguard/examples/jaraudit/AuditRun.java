package io.lifeguard.examples.jaraudit;

import io.lifeguard.examples.Lookout;
import io.lifeguard.examples.Terminal;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Audits the same jars again and again, each time with a fresh pool. The calling thread is the dispatcher. */
final class AuditRun {

    private static final long SECONDS_TO_STOP = 5;

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
     * @throws InterruptedException when interrupted; the pool has been stopped then
     */
    RunResult run(String label, Policy policy) throws InterruptedException {
        Lookout lookout = Lookout.begin(); // before the pool, which would start the usual monitor
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
            return new RunResult(elapsed, cpu, results, pool.snapshot(), lookout.findings(pool.name()));
        } finally {
            stop(pool);
        }
    }

    private void dispatch(InstrumentedThreadPoolExecutor pool, ResultSheet results) throws InterruptedException {
        for (int i = 0; i < jars.size(); i++) {
            try {
                pool.execute(new AuditTask(i, jars.get(i), auditor, results));
            } catch (RejectedExecutionException rejected) {
                if (!Thread.currentThread().isInterrupted()) {
                    throw rejected;
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
