package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.queue.WorkQueue;
import io.lifeguard.pool.testing.Fixture;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Workers that are virtual threads have no CPU clock: CPU time is unknown, and everything else is measured. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsTest {

    private static final int TASKS = 100;

    @AutoClose
    private final Fixture fixture = new Fixture();

    /** Calls the factory by reflection, because the tests are compiled for Java 17. */
    private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        return (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    }

    @Test
    void snapshot_virtualWorkers_cpuTimeIsUnknownAndTheRestIsMeasured() throws Exception {
        for (BlockingQueue<Runnable> queue : List.of(WorkQueue.unbounded(), new LinkedBlockingQueue<Runnable>())) {
            InstrumentedThreadPoolExecutor pool = fixture.closing(
                    new InstrumentedThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, queue, virtualThreads()));
            for (int i = 0; i < TASKS; i++) {
                pool.submit(() -> {});
            }
            fixture.eventually("all counted", () -> pool.snapshot().completed() == TASKS);
            PoolSnapshot snapshot = pool.snapshot();
            assertThat(snapshot.cpuTime().isKnown()).isFalse();
            assertThatThrownBy(() -> snapshot.cpuTime().total())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("virtual threads");
            assertThat(snapshot.toString()).contains("CPU time unknown");
            assertThat(snapshot.toTable()).containsPattern("CPU time +unknown").contains(", CPU unknown,");
            assertThat(snapshot.submitted()).isEqualTo(TASKS);
            assertThat(snapshot.queueWait().count()).isEqualTo(TASKS);
            assertThat(snapshot.serviceTime().count()).isEqualTo(TASKS);
            assertThat(snapshot.overhead().total()).isPositive();
            pool.shutdown();
            assertThat(pool.awaitTermination(fixture.patience().toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(pool.snapshot().cpuTime().isKnown()).isFalse();
        }
    }

    /** As workers that are platform threads have it. The JVM's default would not find classes of a jar of jars. */
    @Test
    void factory_threads_haveTheClassLoaderOfTheirMaker() throws Exception {
        ClassLoader own = new ClassLoader(null) {};
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        InstrumentedVirtualThreadExecutor executor;
        current.setContextClassLoader(own);
        try {
            executor = fixture.closing(
                    InstrumentedVirtualThreadExecutor.named("loader").limit(1).build());
        } finally {
            current.setContextClassLoader(before);
        }
        ClassLoader seen = executor.submit(() -> Thread.currentThread().getContextClassLoader())
                .get(fixture.patience().toSeconds(), TimeUnit.SECONDS);
        assertThat(seen).isSameAs(own);
    }

    @Test
    void snapshot_noTaskRunYet_cpuTimeIsKnownToBeZero() throws Exception {
        InstrumentedThreadPoolExecutor pool = fixture.closing(new InstrumentedThreadPoolExecutor(
                2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), virtualThreads()));
        assertThat(pool.snapshot().cpuTime().count()).isZero();
    }
}
