package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSource;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.fixture.DeepFramework;

/** Stacks of real threads: deep ones, missing ones, and those below users' objects that throw. */
class StackSamplerTest {

    private final Fixture fixture = new Fixture();
    private final List<Integer> depths = new ArrayList<>();
    private final StackSource source = (ids, depth) -> {
        if (depth > 0) {
            depths.add(depth);
        }
        return ManagementFactory.getThreadMXBean().getThreadInfo(ids, depth);
    };

    @AfterEach
    void close() {
        fixture.close();
    }

    private InstrumentedThreadPoolExecutor pool(String name, ThreadFactory threads) {
        return fixture.closing(InstrumentedThreadPoolExecutor.named(name)
                .size(3)
                .threadFactory(threads)
                .build());
    }

    /** A web framework's handler: the user's frame is the lowest of 120. */
    @Test
    void take_usersFrameIsDeep_isFoundAndLaterLooksAreDeepAtOnce() {
        InstrumentedThreadPoolExecutor pool = pool("deep", Executors.defaultThreadFactory());
        CountDownLatch latch = new CountDownLatch(1);
        pool.execute(() -> DeepFramework.await(120, latch));
        Looking looking = new Looking(pool, source, resource -> Optional.empty());

        TimeBreakdown breakdown = awaitWorkers(looking, Doing.WAITING_FOR_RESULT, 1);

        Share share = breakdown.places(Doing.WAITING_FOR_RESULT).findFirst().orElseThrow();
        assertThat(share.place()).contains("StackSamplerTest.lambda$take_usersFrameIsDeep");
        assertThat(share.stack()).hasSizeGreaterThan(120);
        assertThat(share.stack().get(share.stack().size() - 1).getMethodName()).isEqualTo("run");
        assertThat(depths).startsWith(StackSampler.USUAL_DEPTH, StackSampler.DEPTH);
        depths.clear();
        looking.looks(3);
        assertThat(depths).containsOnly(StackSampler.DEPTH);
        latch.countDown();
    }

    @Test
    void take_usersFrameIsNear_looksAreShallow() {
        InstrumentedThreadPoolExecutor pool = pool("shallow", Executors.defaultThreadFactory());
        pool.execute(fixture.gate()::passUninterruptibly);
        Looking looking = new Looking(pool, source, resource -> Optional.empty());

        awaitWorkers(looking, Doing.WAITING_FOR_RESULT, 1);

        assertThat(depths).containsOnly(StackSampler.USUAL_DEPTH);
    }

    /** A recursion would cost as much as a hundred looks. */
    @Test
    void take_recursion_isCutOff() {
        InstrumentedThreadPoolExecutor pool = pool("recursion", Executors.defaultThreadFactory());
        CountDownLatch latch = new CountDownLatch(1);
        pool.execute(() -> DeepFramework.await(2_000, latch));
        Looking looking = new Looking(pool, source, resource -> Optional.empty());

        TimeBreakdown breakdown = awaitWorkers(looking, Doing.WAITING_FOR_RESULT, 1);

        assertThat(breakdown.places(Doing.WAITING_FOR_RESULT))
                .singleElement()
                .satisfies(share -> assertThat(share.stack()).hasSize(StackSampler.DEPTH));
        latch.countDown();
    }

    @Test
    void look_blockerWhoseMethodsThrow_isCountedAndNamed() {
        InstrumentedThreadPoolExecutor pool = pool("hostile", Executors.defaultThreadFactory());
        Gate gate = fixture.gate();
        Hostile blocker = new Hostile();
        pool.execute(() -> {
            while (gate.arrived().getCount() > 0) {
                LockSupport.park(blocker);
            }
        });
        Looking looking = new Looking(pool);

        TimeBreakdown breakdown = awaitWorkers(looking, Doing.WAITING_IN_LINE, 1);

        assertThat(breakdown.places(Doing.WAITING_IN_LINE))
                .singleElement()
                .satisfies(share -> assertThat(share.awaited().toString()).contains(Hostile.class.getName()));
        fixture.thread("opener", gate::pass);
        fixture.eventually("the opener", () -> gate.arrived().getCount() == 0);
        pool.workers().forEach(worker -> LockSupport.unpark(worker.thread()));
    }

    /** The JVM's management bean does not show virtual threads, so each is asked itself. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void look_virtualWorkers_haveStacksToo() throws Exception {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        ThreadFactory threads = (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
        InstrumentedThreadPoolExecutor pool = pool("virtual", threads);
        Gate gate = fixture.gate();
        pool.execute(gate::passUninterruptibly);
        fixture.await("the gate", gate.arrived());

        TimeBreakdown breakdown = awaitWorkers(new Looking(pool), Doing.WAITING_FOR_RESULT, 1);

        assertThat(breakdown.stacks()).isPositive();
        assertThat(breakdown.places(Doing.WAITING_FOR_RESULT))
                .singleElement()
                .satisfies(share -> assertThat(share.place()).contains("Gate.pass("));
    }

    @Test
    void look_endedThreads_areNotCountedAsBusy() throws Exception {
        InstrumentedThreadPoolExecutor pool = pool("ended", Executors.defaultThreadFactory());
        Thread ended = new Thread(() -> {});
        ended.start();
        ended.join();
        Census census = new Census();
        io.lifeguard.pool.WorkerState state = new io.lifeguard.pool.WorkerState(
                ended, OptionalLong.empty(), true, false, Optional.of("kind"), java.time.Duration.ZERO, 1);

        census.members(List.of(state));

        assertThat(census.look(1)).isZero();
        assertThat(census.looks()).isZero();
        assertThat(new Looking(pool).looks(3).looks())
                .as("a pool without workers")
                .isZero();
    }

    private static TimeBreakdown awaitWorkers(Looking looking, Doing doing, int workers) {
        return await().until(() -> looking.looks(1), seen -> seen.workers(doing).value() == workers);
    }

    private static final class Hostile {
        @Override
        public String toString() {
            throw new AssertionError("not today");
        }

        @Override
        public int hashCode() {
            throw new AssertionError("not today");
        }

        @Override
        @SuppressWarnings("EqualsUnsafeCast")
        public boolean equals(Object other) {
            throw new AssertionError("not today");
        }
    }
}
