package io.lifeguard.pool;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The live workers of one pool. Thread-safe; written only when a worker starts or ends. */
final class Crew {

    private final Set<PoolWorker> workers = ConcurrentHashMap.newKeySet();

    void join(PoolWorker worker) {
        workers.add(worker);
    }

    void leave(PoolWorker worker) {
        workers.remove(worker);
    }

    List<WorkerState> states() {
        long now = System.nanoTime();
        return workers.stream().map(worker -> worker.state(now)).toList();
    }
}
