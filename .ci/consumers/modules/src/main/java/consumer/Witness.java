package consumer;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it is told; found by the ServiceLoader. */
public final class Witness implements PoolObserver {
    static final List<String> TOLD = new CopyOnWriteArrayList<>();

    @Override
    public void created(InstrumentedPool pool) {
        TOLD.add("created " + pool.name());
    }

    @Override
    public void terminated(InstrumentedPool pool) {
        TOLD.add("terminated " + pool.name());
    }
}
