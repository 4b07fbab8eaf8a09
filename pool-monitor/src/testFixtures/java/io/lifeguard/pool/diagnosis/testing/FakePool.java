package io.lifeguard.pool.diagnosis.testing;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A pool with numbers and a clock that a test sets. Not thread-safe, except {@link #collected}. */
public class FakePool implements InstrumentedPool, PoolSource {

    private final String name;
    private final FakeClock clock;
    public volatile AtomicBoolean collected = new AtomicBoolean();
    public List<WorkerState> workers = List.of();
    public Object executor = this;

    public List<PoolSnapshot.Unseen> failures = List.of();

    @Nullable
    public Throwable failure;

    public FakePool(String name, FakeClock clock) {
        this.name = name;
        this.clock = clock;
    }

    /** A worker that has been running a task for so long. */
    public void runs(Duration time) {
        workers = List.of(new WorkerState(
                Thread.currentThread(), OptionalLong.of(5), true, false, Optional.of("kind"), time, 1));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public PoolSnapshot snapshot() {
        if (failure != null) {
            throw FakePool.<RuntimeException>sneaky(failure);
        }
        return Windows.of(name).unseen(failures, failures).at(clock.nanoTime());
    }

    @Override
    public List<WorkerState> workers() {
        return workers;
    }

    @Override
    public @Nullable InstrumentedPool meter() {
        return collected.get() ? null : this;
    }

    @Override
    public @Nullable Object executor() {
        return collected.get() ? null : executor;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable any) throws T {
        throw (T) any;
    }
}
