package io.lifeguard.pool.diagnosis.evidence.lock;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.os.NativeThread;
import java.util.ArrayList;
import java.util.List;

/** Finds the virtual threads of instrumented executors. Stateless. */
public final class TaskThreads {

    /** To ask one thread for state and blocker takes 0.15 µs. */
    static final int MOST = 1_000;

    private TaskThreads() {}

    /** {@return threads of an executor with a thread per task, or the workers of one whose workers are virtual} */
    public static List<Thread> of(InstrumentedPool pool) {
        return pool.threadCount() > 0 ? pool.threads(MOST) : virtualWorkers(pool);
    }

    public static int count(InstrumentedPool pool) {
        List<Thread> one = pool.threads(1);
        if (one.isEmpty()) {
            return virtualWorkers(pool).size();
        }
        return NativeThread.isVirtual(one.get(0)) ? pool.threadCount() : 0;
    }

    private static List<Thread> virtualWorkers(InstrumentedPool pool) {
        List<Thread> threads = new ArrayList<>();
        for (WorkerState worker : pool.workers()) {
            if (!NativeThread.isVirtual(worker.thread())) {
                return List.of();
            }
            threads.add(worker.thread());
        }
        return threads;
    }
}
