package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counts of the tasks that were scheduled once and of those that repeat. */
class ScheduledCountsTest {

    private final InstrumentedScheduledThreadPoolExecutor pool = new InstrumentedScheduledThreadPoolExecutor(1);

    @AfterEach
    void end() {
        pool.shutdownNow();
    }

    @Test
    void scheduledOnce_everyWayToSubmit_countsOnlyScheduledTasks() throws Exception {
        pool.schedule(() -> {}, 0, TimeUnit.SECONDS);
        pool.schedule(() -> "result", 1, TimeUnit.HOURS);
        pool.execute(() -> {});
        pool.submit(() -> {}).get();
        pool.submit(() -> {}, "result").get();
        pool.submit(() -> "result").get();
        pool.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
        pool.scheduleWithFixedDelay(() -> {}, 0, 1, TimeUnit.MILLISECONDS);
        assertThat(pool.scheduledOnce()).isEqualTo(2);
        assertThat(pool.scheduledRepetitively()).isEqualTo(2);
    }

    @Test
    void scheduledOnce_rejected_isNotCounted() {
        pool.shutdown();
        assertThatThrownBy(() -> pool.schedule(() -> {}, 0, TimeUnit.SECONDS))
                .isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> pool.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(pool.scheduledOnce()).isZero();
        assertThat(pool.scheduledRepetitively()).isZero();
    }
}
