package io.lifeguard.pool.diagnosis.external;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;

/** The threads of an external pool, as somebody knows them for certain. Stateless. */
final class KnownWorkers implements WorkerFinder {

    private final Function<? super ThreadPoolExecutor, List<Thread>> workers;

    KnownWorkers(Function<? super ThreadPoolExecutor, List<Thread>> workers) {
        this.workers = workers;
    }

    @Override
    public List<Thread> find(ThreadPoolExecutor pool) {
        return workers.apply(pool);
    }

    @Override
    public Optional<String> doubt() {
        return Optional.empty();
    }
}
