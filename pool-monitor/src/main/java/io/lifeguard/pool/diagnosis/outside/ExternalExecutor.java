package io.lifeguard.pool.diagnosis.outside;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.external.PoolGauges;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** An external pool of any type, read by a {@link PoolReader} that knows its getters. */
public final class ExternalExecutor<E extends Executor> extends ExternalPool<E> {

    private final PoolReader<? super E> reader;

    /** Must be given a reader that does not hold the executor. */
    public ExternalExecutor(E executor, String name, PoolReader<? super E> reader) {
        super(executor, name);
        this.reader = reader;
    }

    @Override
    PoolSnapshot read(E executor) {
        PoolGauges gauges = reader.read(executor);
        PoolSnapshot counted = snapshot(
                gauges.size(),
                gauges.active(),
                gauges.queued(),
                gauges.completed(),
                new Limits(gauges.coreSize(), gauges.maximumSize(), gauges.queueRemaining()));
        return late(counted, reader.lateness(executor)).build();
    }

    @Override
    List<WorkerState> workers(E executor) {
        PoolGauges gauges = reader.read(executor);
        return states(reader.workers(executor), gauges.active() >= gauges.size(), gauges.active() == 0);
    }

    @Override
    public Optional<String> blindness() {
        return reader.blindness();
    }

    @Override
    boolean isTerminated(E executor) {
        return reader.isTerminated(executor);
    }
}
