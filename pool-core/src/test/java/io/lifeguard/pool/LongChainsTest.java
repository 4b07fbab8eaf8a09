package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Delays;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Chains of tasks that go to and fro between two default pools with short queues. */
class LongChainsTest {

    private static final int CAPACITY = 4;
    private static final int WORKERS = 2; // of each pool

    @AutoClose
    private final Fixture fixture = new Fixture(Delays.scaled(Duration.ofMinutes(1)));

    private final InstrumentedThreadPoolExecutor io = pool("io");
    private final InstrumentedThreadPoolExecutor cpu = pool("cpu");
    private final AtomicInteger ran = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger longestQueue = new AtomicInteger();

    private InstrumentedThreadPoolExecutor pool(String name) {
        return fixture.closing(InstrumentedThreadPoolExecutor.named(name)
                .size(WORKERS)
                .queueCapacity(CAPACITY)
                .build());
    }

    private void step() {
        ran.incrementAndGet();
        for (InstrumentedThreadPoolExecutor pool : List.of(io, cpu)) {
            longestQueue.accumulateAndGet(pool.getQueue().size(), Math::max);
        }
    }

    /** Chains are shorter than runs nest. So the bound of the queues holds, which is twice their capacity. */
    @Test
    void manyShortChains_allEndAndQueuesStayWithinTwiceTheirCapacity() {
        int submitters = 5;
        int chains = 400;
        for (int i = 0; i < submitters; i++) {
            fixture.thread(() -> {
                for (int n = 0; n < chains; n++) {
                    CompletableFuture<Void> unused = CompletableFuture.runAsync(this::step, io)
                            .thenRunAsync(this::step, cpu)
                            .thenRunAsync(this::step, io)
                            .thenRunAsync(this::step, cpu)
                            .thenRunAsync(this::step, io)
                            .thenRun(ended::incrementAndGet);
                }
            });
        }

        fixture.eventually("end of all chains", () -> ended.get() == submitters * chains);
        assertThat(ran).hasValue(5 * submitters * chains);
        // each worker of the other pool may have looked at the same moment
        assertThat(longestQueue.get()).isBetween(CAPACITY, 2 * CAPACITY + WORKERS);
    }

    /** 50,000 tasks, each of which submits the next one to the other pool, far deeper than a stack could nest. */
    @Test
    void fewLongChains_allEnd() {
        int chains = 20;
        int length = 2_500;
        for (int i = 0; i < chains; i++) {
            fixture.thread(() -> io.execute(link(length, io)));
        }

        fixture.eventually("end of all chains", () -> ended.get() == chains);
        assertThat(ran).hasValue(chains * length);
        assertThat(longestQueue.get()).as("each chain has one task").isBetween(CAPACITY, chains);
    }

    private Runnable link(int left, InstrumentedThreadPoolExecutor here) {
        InstrumentedThreadPoolExecutor other = here == io ? cpu : io;
        return () -> {
            step();
            if (left > 1) {
                other.execute(link(left - 1, other));
            } else {
                ended.incrementAndGet();
            }
        };
    }
}
