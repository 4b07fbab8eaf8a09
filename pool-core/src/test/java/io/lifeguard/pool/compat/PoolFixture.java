package io.lifeguard.pool.compat;

import io.lifeguard.pool.testing.Delays;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;

/** The fixture of checks on {@link ThreadPoolExecutor} and similar classes. */
final class PoolFixture extends Fixture {

    private final PoolMaker maker;

    PoolFixture(PoolMaker maker) {
        this(maker, Delays.PATIENCE);
    }

    PoolFixture(PoolMaker maker, Duration patience) {
        super(patience);
        this.maker = maker;
    }

    ThreadPoolExecutor make(PoolSpec spec) {
        return closing(maker.make(spec));
    }

    /** {@code size} threads, an unbounded queue, no hooks. */
    ThreadPoolExecutor fixed(int size) {
        return make(spec(size, size));
    }

    /** A specification with an unbounded queue and a keep-alive of a minute, for further settings. */
    PoolSpec spec(int core, int maximum) {
        return new PoolSpec(core, maximum, unbounded());
    }

    /** One specification for each of the four constructors, otherwise like {@link #spec}. */
    List<PoolSpec> everyConstructor(int core, int maximum) {
        return List.of(
                spec(core, maximum),
                spec(core, maximum).factory(new RecordingFactory()),
                spec(core, maximum).handler(new ThreadPoolExecutor.DiscardPolicy()),
                spec(core, maximum).factory(new RecordingFactory()).handler(new ThreadPoolExecutor.DiscardPolicy()));
    }

    BlockingQueue<Runnable> unbounded() {
        return maker.unbounded();
    }

    BlockingQueue<Runnable> bounded(int capacity) {
        return maker.bounded(capacity);
    }

    @Override
    public String toString() {
        return maker.toString();
    }
}
