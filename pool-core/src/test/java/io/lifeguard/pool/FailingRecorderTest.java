package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.measure.EventTap;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** There is no memory for any event: tasks, workers and submitters do not notice. */
@Isolated("takes the place of the recorder of this JVM")
class FailingRecorderTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final AtomicInteger died = new AtomicInteger();
    private final AtomicInteger ran = new AtomicInteger();
    private final NoMemory recorder = new NoMemory();

    @AutoClose
    private final AutoCloseable tap = () -> EventTap.close(recorder);

    @BeforeEach
    void takeTap() {
        EventTap.take(recorder);
        EventTap.set(recorder, 0, true);
    }

    private InstrumentedThreadPoolExecutor pool(boolean ownQueue) {
        InstrumentedThreadPoolExecutor pool = ownQueue
                ? InstrumentedThreadPoolExecutor.named("no memory")
                        .size(1)
                        .queueCapacity(1)
                        .build()
                : new InstrumentedThreadPoolExecutor(
                        1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(1), BlockingWaitPolicy.forever());
        pool.setThreadFactory(body -> {
            Thread thread = new Thread(body);
            thread.setUncaughtExceptionHandler((dead, why) -> died.incrementAndGet());
            return thread;
        });
        return fixture.closing(pool);
    }

    /** With an earlier version the submitter got the Error of the event, although its task was accepted. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void execute_waitsForRoom_getsNoErrorOfTheEvent(boolean ownQueue) {
        InstrumentedThreadPoolExecutor pool = pool(ownQueue);
        HeldTask held = fixture.occupy(pool);
        pool.execute(ran::incrementAndGet);
        CountDownLatch returned = new CountDownLatch(1);
        fixture.thread(() -> {
            pool.execute(ran::incrementAndGet);
            returned.countDown();
        });
        fixture.eventually(
                "the submitter waits", () -> pool.snapshot().saturation().blockedNow() == 1);
        long since = System.nanoTime();
        fixture.eventually(
                "a wait that is long enough for an event",
                () -> System.nanoTime() - since > 2 * EventTap.SHORTEST_NANOS);
        held.release();
        fixture.await("return of execute", returned);
        fixture.eventually("run of all tasks", () -> ran.get() == 2);
        assertThat(pool.snapshot().saturation().blockedNow()).isZero();
        assertThat(pool.snapshot().submitted()).isEqualTo(3);
        assertThat(recorder.events.get()).isPositive();
    }

    /** With an earlier version the worker ended, and nobody could submit any more. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tasks_end_workersLiveOn(boolean ownQueue) {
        InstrumentedThreadPoolExecutor pool = pool(ownQueue);
        for (int i = 0; i < 100; i++) {
            pool.execute(ran::incrementAndGet);
        }
        fixture.eventually("run of all tasks", () -> pool.snapshot().completed() == 100);
        assertThat(died.get()).isZero();
        assertThat(recorder.events.get()).isGreaterThanOrEqualTo(99);
    }

    @Test
    void execute_callerRunsAndRefusals_keepTheirOutcome() {
        InstrumentedThreadPoolExecutor pool = pool(true);
        HeldTask held = fixture.occupy(pool);
        pool.execute(ran::incrementAndGet);
        pool.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
        pool.execute(() -> {
            long since = System.nanoTime();
            fixture.eventually("a long run", () -> System.nanoTime() - since > 2 * EventTap.SHORTEST_NANOS);
            ran.incrementAndGet();
        });
        assertThat(ran.get()).isEqualTo(1);
        pool.setRejectedExecutionHandler(new ThreadPoolExecutor.AbortPolicy());
        assertThatThrownBy(() -> pool.execute(ran::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
        assertThat(pool.snapshot().callerRuns()).isEqualTo(1);
        assertThat(pool.snapshot().rejected()).isEqualTo(1);
        held.release();
    }

    /** Throws at each event, as if the heap were full. */
    private static final class NoMemory implements EventTap.Receiver {
        final AtomicInteger events = new AtomicInteger();

        private OutOfMemoryError noMemory() {
            events.incrementAndGet();
            return new OutOfMemoryError("on purpose");
        }

        @Override
        public @Nullable Object begins(EventTap.Beginning what, @Nullable Object spare) {
            throw noMemory();
        }

        @Override
        public void taskEnded(
                String pool,
                String kind,
                long startNanos,
                long serviceNanos,
                long waitNanos,
                long cpuNanos,
                boolean failed,
                @Nullable Object note) {
            throw noMemory();
        }

        @Override
        public void submitterWaited(String pool, long nanos, boolean accepted, @Nullable Object note) {
            throw noMemory();
        }

        @Override
        public void callerRan(String pool, long nanos, double idleWorkers, @Nullable Object note) {
            throw noMemory();
        }

        @Override
        public void rejected(String pool, String reason) {
            throw noMemory();
        }
    }
}
