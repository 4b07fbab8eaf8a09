package io.lifeguard.pool.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.Tasks;
import java.util.concurrent.TimeUnit;

/** A pool of one worker for tests, which is joined when it is closed. */
final class InstrumentedPoolFixture implements AutoCloseable {

    private final InstrumentedThreadPoolExecutor pool;

    InstrumentedPoolFixture(String name) {
        pool = InstrumentedThreadPoolExecutor.named(name).size(1).build();
    }

    /** Runs a long task of that kind, and waits until the worker has recorded its end. */
    void run(String kind) throws Exception {
        pool.execute(Tasks.named(kind, FlightRecordingTest::takeLong));
        runShort("(end)"); // begins after the end of the former
    }

    void runShort(String kind) throws Exception {
        pool.submit(Tasks.named(kind, () -> {})).get(20, TimeUnit.SECONDS);
        pool.submit(Tasks.named("(end)", () -> {})).get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws InterruptedException {
        pool.shutdown();
        assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }
}
