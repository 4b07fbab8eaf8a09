package io.lifeguard.pool.diagnosis.outside;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadPoolExecutor;

/** Finds the threads of an external {@code ThreadPoolExecutor}. Guarded by the pool it belongs to. */
public interface WorkerFinder {

    /** The workers; empty when they cannot be told from other threads, or not yet. */
    List<Thread> find(ThreadPoolExecutor pool);

    /** Why no workers are found; empty if they are, or if there has been no search yet. */
    default Optional<String> doubt() {
        return Optional.empty();
    }
}
