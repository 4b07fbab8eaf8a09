package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.testing.Fixture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Subclasses in other packages can have a name, a queue of this library and sizes of their own. */
class NamedSubclassTest {

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static final class Growing extends InstrumentedThreadPoolExecutor {
        Growing(Builder builder) {
            super(builder);
        }
    }

    private static final class Timers extends InstrumentedScheduledThreadPoolExecutor {
        Timers(String name) {
            super(name, 1, Executors.defaultThreadFactory(), new AbortPolicy());
        }
    }

    @Test
    void threadPool_namedAndGrown_measuresEveryTask() throws Exception {
        Growing pool = fixture.closing(new Growing(InstrumentedThreadPoolExecutor.named("growing")
                .size(1)
                .queueCapacity(1)
                .whenSaturated(new InstrumentedThreadPoolExecutor.AbortPolicy())));
        pool.setMaximumPoolSize(2);
        pool.setKeepAliveTime(1, TimeUnit.SECONDS);

        fixture.occupy(pool);
        pool.execute(() -> {});
        fixture.occupy(pool);

        assertThat(pool.name()).startsWith("growing");
        assertThat(pool.getPoolSize()).isEqualTo(2);
        assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(pool.snapshot().submitted()).isEqualTo(3);
        assertThat(pool.snapshot().rejected()).isEqualTo(1);
    }

    @Test
    void scheduledPool_named_isFoundByName() throws Exception {
        Timers pool = fixture.closing(new Timers("timers"));

        pool.schedule(() -> {}, 0, TimeUnit.SECONDS).get(10, TimeUnit.SECONDS);

        assertThat(pool.name()).startsWith("timers");
        assertThatThrownBy(() -> new Timers(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name");
    }
}
