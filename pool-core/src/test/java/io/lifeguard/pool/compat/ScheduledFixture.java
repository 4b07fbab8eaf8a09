package io.lifeguard.pool.compat;

import io.lifeguard.pool.testing.Delays;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** The fixture of checks on {@link ScheduledThreadPoolExecutor} and similar classes. */
final class ScheduledFixture extends Fixture {

    private final ScheduledMaker maker;

    ScheduledFixture(ScheduledMaker maker) {
        this(maker, Delays.PATIENCE);
    }

    ScheduledFixture(ScheduledMaker maker, Duration patience) {
        super(patience);
        this.maker = maker;
    }

    ScheduledThreadPoolExecutor make(ScheduledSpec spec) {
        return closing(spec.make(maker));
    }

    ScheduledThreadPoolExecutor pool(int core) {
        return make(spec(core));
    }

    ScheduledSpec spec(int core) {
        return new ScheduledSpec(core);
    }

    /** One specification for each of the four constructors. */
    List<ScheduledSpec> everyConstructor(int core) {
        return List.of(
                spec(core),
                spec(core).factory(new RecordingFactory()),
                spec(core).handler(new ThreadPoolExecutor.DiscardPolicy()),
                spec(core).factory(new RecordingFactory()).handler(new ThreadPoolExecutor.DiscardPolicy()));
    }

    @Override
    public String toString() {
        return maker.toString();
    }
}
