package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Submitters whose stack ends while they submit: the pool loses no task and keeps all its workers. */
class DeepStackTest {

    private static final int DIVES = 8; // each ends at its own depth

    /** Many times as many depths as {@code StackReserve} wants free, so that the last calls have stack enough. */
    private static final int SUBMISSIONS_PER_DIVE = 1_000;

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger ran = new AtomicInteger();
    private int left; // the diving thread's

    @ParameterizedTest
    @ValueSource(ints = {1, 1_024})
    void execute_atTheEndOfTheStack_poolKeepsWorking(int capacity) {
        ThreadPoolExecutor pool = fixture.closing(InstrumentedThreadPoolExecutor.named("deep")
                .size(2)
                .queueCapacity(capacity)
                .build());
        pool.prestartAllCoreThreads();
        for (int i = 0; i < DIVES; i++) {
            Runnable submission = () -> {
                pool.execute(ran::incrementAndGet);
                accepted.incrementAndGet();
            };
            Thread diver = new Thread(null, () -> dive(submission), "diver", 256 << 10);
            left = SUBMISSIONS_PER_DIVE;
            diver.start();
            fixture.eventually("end of the dive", () -> !diver.isAlive());
            fixture.eventually("run of all that was accepted", () -> ran.get() >= accepted.get());
        }
        assertThat(refused.get()).isPositive();
        assertThat(ran.get()).isLessThanOrEqualTo(accepted.get() + refused.get());
        CountDownLatch bothRun = new CountDownLatch(2);
        CountDownLatch bothHaveWaited = new CountDownLatch(2); // before the end of the pool interrupts them
        for (int i = 0; i < 2; i++) {
            pool.execute(() -> {
                bothRun.countDown();
                fixture.await("the other worker", bothRun);
                bothHaveWaited.countDown();
            });
        }
        fixture.await("both workers", bothHaveWaited);
    }

    /** The queue is frozen for a removal: an Error in between would leave it frozen, and no task would run any more. */
    @Test
    void removeAndPurge_atTheEndOfTheStack_poolKeepsWorking() {
        InstrumentedThreadPoolExecutor pool = fixture.closing(InstrumentedThreadPoolExecutor.named("deep")
                .size(1)
                .queueCapacity(64)
                .build());
        HeldTask held = fixture.occupy(pool);
        for (int i = 0; i < 64; i++) {
            pool.execute(ran::incrementAndGet);
        }
        Runnable unknown = () -> {};
        for (int i = 0; i < DIVES; i++) {
            Thread diver = new Thread(
                    null,
                    () -> dive(() -> {
                        pool.remove(unknown);
                        pool.purge();
                        accepted.incrementAndGet();
                    }),
                    "diver",
                    256 << 10);
            left = SUBMISSIONS_PER_DIVE;
            diver.start();
            fixture.eventually("end of the dive", () -> !diver.isAlive());
        }
        assertThat(refused.get()).isPositive();
        assertThat(accepted.get()).isPositive();
        held.release();
        fixture.eventually("run of all tasks", () -> ran.get() == 64);
    }

    /** Dives until the stack ends, and makes the call on the way back, each time with a little more stack. */
    @SuppressWarnings("InfiniteRecursion") // it ends where the stack ends
    private void dive(Runnable call) {
        try {
            dive(call);
        } catch (VirtualMachineError e) {
            // the bottom
        }
        if (left > 0) {
            left--;
            try {
                call.run();
            } catch (VirtualMachineError e) {
                refused.incrementAndGet();
            }
        }
    }
}
