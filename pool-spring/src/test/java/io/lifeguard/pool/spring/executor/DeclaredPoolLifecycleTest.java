package io.lifeguard.pool.spring.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** When the wait of a stop begins. The clock moves only when the test moves it. */
class DeclaredPoolLifecycleTest {

    private static final Duration WAIT = Duration.ofSeconds(2);

    private final AtomicLong now = new AtomicLong();
    private final DeclaredPool pool = declared("orders");
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    private final DeclaredPoolLifecycle lifecycle = new DeclaredPoolLifecycle(beans);

    private DeclaredPool declared(String name) {
        return new DeclaredPool(InstrumentedThreadPoolExecutor.named(name).size(1), List.of(), WAIT, now::get);
    }

    @BeforeEach
    void start() {
        beans.registerSingleton("orders", pool);
        lifecycle.start();
    }

    @AfterEach
    void end() {
        pool.shutdownNow();
    }

    @Test
    void stop_timePasses_countsFromTheBeginningOfTheStop() {
        now.addAndGet(Duration.ofHours(1).toNanos());
        lifecycle.stop();
        assertThat(pool.nanosLeft()).isEqualTo(WAIT.toNanos());
        now.addAndGet(WAIT.toNanos() / 4);
        assertThat(pool.nanosLeft()).isEqualTo(WAIT.toNanos() / 4 * 3);
        now.addAndGet(WAIT.toNanos());
        assertThat(pool.nanosLeft()).isZero();
    }

    @Test
    void stop_afterRestart_hasTheWholeWaitAgain() {
        lifecycle.stop();
        now.addAndGet(WAIT.toNanos());
        assertThat(pool.nanosLeft()).isZero();
        lifecycle.start();
        assertThat(lifecycle.isRunning()).isTrue();
        lifecycle.stop();
        assertThat(pool.nanosLeft()).isEqualTo(WAIT.toNanos());
    }

    @Test
    void stop_severalPools_shareOneWait() {
        DeclaredPool other = declared("mails");
        beans.registerSingleton("mails", other);
        lifecycle.stop();
        now.addAndGet(WAIT.toNanos() / 2);
        assertThat(other.nanosLeft()).isEqualTo(pool.nanosLeft()).isEqualTo(WAIT.toNanos() / 2);
        other.shutdownNow();
    }
}
