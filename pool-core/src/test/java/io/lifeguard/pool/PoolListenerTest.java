package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Listeners receive the events of a pool, and cannot harm the pool. */
class PoolListenerTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private InstrumentedThreadPoolExecutor.Builder pool(PoolListener... listeners) {
        InstrumentedThreadPoolExecutor.Builder builder =
                InstrumentedThreadPoolExecutor.named("PoolListenerTest").size(1).queueCapacity(1);
        for (PoolListener listener : listeners) {
            builder.listener(listener);
        }
        return builder;
    }

    @Test
    void listener_tasksCallerRunsAndEnd_receivesEventsInOrder() {
        Log log = new Log(true);
        InstrumentedThreadPoolExecutor pool = fixture.closing(pool(log)
                .whenSaturated(new ThreadPoolExecutor.CallerRunsPolicy())
                .build());
        var first = fixture.occupy(pool);
        pool.execute(() -> {});
        pool.execute(() -> {}); // by this thread
        first.release();
        fixture.eventually("both tasks", () -> pool.snapshot().completed() == 2);
        pool.shutdown();

        fixture.eventually("the end", () -> log.events.contains("terminated 2"));
        assertThat(log.events)
                .containsExactly(
                        "callerRan " + Thread.currentThread().getName(), "task false", "task false", "terminated 2");
        assertThat(log.queueWaits)
                .allSatisfy(wait -> assertThat(wait)
                        .hasValueSatisfying(
                                time -> assertThat(time.isNegative()).isFalse()));
    }

    @Test
    void listener_doesNotWantTasks_receivesNoneThoughAnotherDoes() {
        Log wanting = new Log(true);
        Log other = new Log(false);
        InstrumentedThreadPoolExecutor pool =
                fixture.closing(pool(wanting, other).build());
        pool.execute(() -> {});
        fixture.eventually("the task", () -> pool.snapshot().completed() == 1);
        pool.shutdown();

        fixture.eventually("the end", () -> other.events.contains("terminated 1"));
        assertThat(other.events).containsExactly("terminated 1");
        assertThat(wanting.events).containsExactly("task false", "terminated 1");
        assertThat(wanting.asked).as("asked once, when the pool is built").hasValue(1);
    }

    @Test
    void listener_throwsInEveryMethod_harmsNeitherTaskNorPoolNorOtherListeners() throws Exception {
        PoolListener throwing = new PoolListener() {
            @Override
            public boolean wantsTasks() {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void terminated(InstrumentedPool pool, PoolSnapshot last) {
                throw new StackOverflowError("on purpose");
            }
        };
        Log log = new Log(true);
        InstrumentedThreadPoolExecutor pool =
                fixture.closing(pool(throwing, log).build());
        assertThat(pool.submit(() -> 42).get()).isEqualTo(42);
        pool.shutdown();

        fixture.eventually("the end", () -> log.events.contains("terminated 1"));
        assertThat(log.events).containsExactly("task false", "terminated 1");
    }

    @Test
    void listener_poolEndsWhileTheBacklogIsFull_receivesTheEndNevertheless() {
        var gate = fixture.gate();
        List<String> ends = new CopyOnWriteArrayList<>();
        PoolListener slow = new PoolListener() {
            @Override
            public boolean wantsTasks() {
                return true;
            }

            @Override
            public void taskEnded(InstrumentedPool pool, TaskRun run) {
                gate.passUninterruptibly();
            }

            @Override
            public void terminated(InstrumentedPool pool, PoolSnapshot last) {
                ends.add(pool.name());
            }
        };
        InstrumentedThreadPoolExecutor pool = fixture.closing(pool(slow).build());
        try {
            while (pool.snapshot().counts().eventsDropped() == 0) {
                pool.execute(() -> {});
            }
            pool.shutdown();
            fixture.eventually("its end", pool::isTerminated);
        } finally {
            gate.open();
        }
        fixture.eventually("the last event", () -> ends.equals(List.of(pool.name())));
    }

    @Test
    void listener_blocks_losesEventsAndDelaysNoTask() {
        CountDownLatch reached = new CountDownLatch(1);
        var gate = fixture.gate();
        PoolListener blocking = new PoolListener() {
            @Override
            public boolean wantsTasks() {
                return true;
            }

            @Override
            public void taskEnded(InstrumentedPool pool, TaskRun run) {
                reached.countDown();
                gate.passUninterruptibly();
            }
        };
        int tasks = 20_000; // more than the backlog holds
        InstrumentedThreadPoolExecutor pool =
                fixture.closing(pool(blocking).queueCapacity(tasks).build());
        for (int i = 0; i < tasks; i++) {
            pool.execute(() -> {});
        }
        fixture.await("the listener is called", reached);
        fixture.eventually("all tasks", () -> pool.snapshot().completed() == tasks);
        assertThat(pool.snapshot().counts().eventsDropped()).isBetween(1L, (long) tasks);
        gate.open();
    }

    private static final class Log implements PoolListener {
        final List<String> events = new CopyOnWriteArrayList<>();
        final List<Optional<Duration>> queueWaits = new CopyOnWriteArrayList<>();
        final AtomicInteger asked = new AtomicInteger();
        private final boolean wantsTasks;

        Log(boolean wantsTasks) {
            this.wantsTasks = wantsTasks;
        }

        @Override
        public boolean wantsTasks() {
            asked.incrementAndGet();
            return wantsTasks;
        }

        @Override
        public void taskEnded(InstrumentedPool pool, TaskRun run) {
            events.add("task " + run.failed());
            queueWaits.add(run.queueWait());
        }

        @Override
        public void callerRan(InstrumentedPool pool, String submitter, Duration duration, double idleWorkers) {
            events.add("callerRan " + submitter);
        }

        @Override
        public void terminated(InstrumentedPool pool, PoolSnapshot last) {
            events.add("terminated " + last.completed());
        }
    }
}
