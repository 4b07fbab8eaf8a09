package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.StackSample;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The budget of the sampler; a stack counts as 50 µs until it has measured one. */
class StackBudgetTest {

    private static final int WORKERS = 12;

    private final Fixture fixture = new Fixture();
    private final InstrumentedThreadPoolExecutor pool = fixture.closing(
            InstrumentedThreadPoolExecutor.named("large").size(WORKERS).build());

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void sample_moreWorkersThanTheBudgetAllows_somePartStandsForAll() {
        occupyAll();
        StackSampler sampler = new StackSampler(Duration.ofNanos(6 * 50_000), () -> 0, () -> 0, Duration.ZERO);

        StackSample first = sampler.sample(pool.workers(), pool).orElseThrow();
        StackSample second = sampler.sample(pool.workers(), pool).orElseThrow();

        assertThat(first.longestRunning()).hasSize(6);
        assertThat(first.workersPerRound()).isEqualTo(WORKERS);
        assertThat(first.groups().stream()
                        .mapToDouble(StackSample.Group::workers)
                        .sum())
                .isEqualTo(WORKERS);
        Set<Long> seen = new HashSet<>(first.longestRunning().keySet());
        seen.addAll(second.longestRunning().keySet());
        assertThat(seen).as("another part each time").hasSize(WORKERS);
    }

    @Test
    void sample_budgetExhausted_isEmptyUntilMoreIsEarned() {
        occupyAll();
        AtomicLong now = new AtomicLong();
        LongSupplier slow = () -> now.getAndAdd(Duration.ofMillis(500).toNanos());
        StackSampler sampler = new StackSampler(Duration.ofMillis(100), slow, slow, Duration.ZERO);

        assertThat(sample(sampler)).as("costs 500 ms").isPresent();
        assertThat(sample(sampler)).isEmpty();
        now.addAndGet(Duration.ofSeconds(20).toNanos());
        assertThat(sample(sampler)).isPresent();
    }

    /** Where 24 threads want two CPUs a look takes half a second, of which the sampler works for a moment. */
    @Test
    void sample_waitedForTheCpu_costsTheWalkOnly() {
        occupyAll();
        AtomicLong now = new AtomicLong();
        LongSupplier slow = () -> now.getAndAdd(Duration.ofMillis(500).toNanos());
        StackSampler sampler = new StackSampler(Duration.ofMillis(10), slow, () -> 0, Duration.ZERO);

        for (int i = 0; i < 10; i++) {
            assertThat(sample(sampler)).isPresent();
        }
    }

    @Test
    void sample_idleWorkers_costNothing() {
        pool.prestartAllCoreThreads();
        fixture.eventually(
                "idle workers",
                () -> pool.workers().stream().filter(worker -> worker.idle()).count() == WORKERS);

        StackSample sample = sample(new StackSampler(Duration.ZERO)).orElseThrow();

        assertThat(sample.workers(Doing.IDLE)).isEqualTo(WORKERS);
    }

    private Optional<StackSample> sample(StackSampler sampler) {
        return sampler.sample(pool.workers(), pool);
    }

    private void occupyAll() {
        for (int i = 0; i < WORKERS; i++) {
            fixture.occupy(pool);
        }
    }
}
