package io.lifeguard.pool.diagnosis.external;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadPoolExecutor;

/** Finds the threads of an external {@code ThreadPoolExecutor}. Guarded by the pool it belongs to. */
interface WorkerFinder {

    /** The workers; empty when they cannot be told from other threads, or not yet. */
    List<Thread> find(ThreadPoolExecutor pool);

    /** Why no workers are found; empty if they are, or if there has been no search yet. */
    Optional<String> doubt();
}
