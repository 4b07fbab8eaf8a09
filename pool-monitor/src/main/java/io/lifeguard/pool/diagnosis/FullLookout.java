package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.PoolSnapshot.Load;
import io.lifeguard.pool.diagnosis.log.FullSentence;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import io.lifeguard.pool.os.LibraryThread;
import io.lifeguard.pool.text.UserCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Says of external pools that stay full where their workers are, while their watch is young: the monitor may get too
 * little CPU time then to find a reason. The triage does the same for instrumented pools. Thread-safe. Its daemon
 * thread ends once there is nothing left to say.
 */
final class FullLookout implements Runnable {

    /** 200 ms between two looks: a pool that is not full in between is not full for seconds. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** A line is promised within eight seconds; two are left to see the pool and to write, where the CPUs are full. */
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(6);

    /** Until then a look is repeated that met workers between two tasks: it cannot tell which others have one. */
    private static final long LATEST_NANOS = TimeUnit.SECONDS.toNanos(8);

    /** From then on the monitor has judged the pool, and will judge it again. */
    private static final long YOUNG_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Looks in a row: where CPUs are full, the thread that submits waits for one too, and the queue is empty then. */
    private static final int LONGEST_GAP = 2;

    /** One worker of four may be between two tasks. */
    private static final double NEARLY_ALL = 0.75;

    private final PoolMonitor monitor;
    private final List<Young> pools = new ArrayList<>(); // guarded by this; the thread runs while there are any

    FullLookout(PoolMonitor monitor) {
        this.monitor = monitor;
    }

    /** Looks at a pool, unless tasks of it wait for their time and for no worker, or its queue may never answer. */
    synchronized void add(ExternalPool<?> pool) {
        boolean mayHang = pool.executor() instanceof ThreadPoolExecutor executor
                && (executor instanceof ScheduledThreadPoolExecutor || UserCode.isUsers(executor.getQueue()));
        if (mayHang) {
            return;
        }
        if (pools.isEmpty()) {
            LibraryThread.daemon("lifeguard-lookout", this).start();
        }
        pools.add(new Young(pool));
    }

    @Override
    public void run() {
        List<Young> left = without(List.of());
        while (!left.isEmpty()) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
            List<Young> over = new ArrayList<>();
            for (Young young : left) {
                if (isOver(young)) {
                    over.add(young);
                }
            }
            left = without(over);
        }
    }

    private synchronized List<Young> without(List<Young> over) {
        pools.removeAll(over);
        return List.copyOf(pools);
    }

    /** {@return whether there will be nothing more to say of the pool} */
    private boolean isOver(Young young) {
        try {
            return monitor.isClosed() || look(young);
        } catch (Throwable ignored) { // it was collected, a user's reader fails, or memory lacks: others are looked at
            return true;
        }
    }

    private boolean look(Young young) {
        Load load = young.pool.snapshot().load();
        long now = System.nanoTime();
        boolean isFull = load.queued() > 0 && load.active() > 0 && load.active() >= NEARLY_ALL * load.size();
        young.gapLooks = isFull ? 0 : young.gapLooks + 1;
        if (young.gapLooks > LONGEST_GAP) {
            young.fullSince = now;
            return now - young.begun >= YOUNG_NANOS;
        }
        boolean isDue = isFull && now - young.fullSince >= FULL_NANOS;
        if (isDue
                && monitor.isOn(SaidFinding.LEAST)
                && monitor.findings(young.pool.name()).isEmpty()) {
            int least = (int) Math.ceil(NEARLY_ALL * load.size());
            FullSentence sentence = FullSentence.of(young.pool, least, load.queued());
            if (sentence == null) {
                return now - young.fullSince >= LATEST_NANOS;
            }
            sentence.run();
        }
        return isDue;
    }

    /** A pool whose watch has begun lately. Confined to the thread. */
    private static final class Young {
        final ExternalPool<?> pool;
        final long begun = System.nanoTime();
        long fullSince = begun; // since then looks have found it full, but for short gaps
        int gapLooks; // in a row that did not

        Young(ExternalPool<?> pool) {
            this.pool = pool;
        }
    }
}
