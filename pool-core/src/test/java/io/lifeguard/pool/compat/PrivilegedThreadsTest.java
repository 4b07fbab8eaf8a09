package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.testing.Fixture;
import java.security.AccessController;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Threads of the privileged factory run raw tasks with the rights of the code that made the factory, and no others. The
 * futures of {@code submit} are classes of the library, so its protection domain is part of their context.
 */
@SuppressWarnings("removal")
class PrivilegedThreadsTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    @Test
    void queueOfThisLibrary_tasksHaveTheCreatorsContext() throws Exception {
        hasTheCreatorsContext(fixture.closing(
                InstrumentedExecutors.newFixedThreadPool("privileged", 1, Executors.privilegedThreadFactory())));
    }

    @Test
    void usersQueue_tasksHaveTheCreatorsContext() throws Exception {
        hasTheCreatorsContext(fixture.closing(new InstrumentedThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Executors.privilegedThreadFactory())));
    }

    private void hasTheCreatorsContext(ExecutorService pool) throws Exception {
        CompletableFuture<Object> context = new CompletableFuture<>();
        pool.execute(() -> context.complete(AccessController.getContext()));
        assertThat(context.get(10, TimeUnit.SECONDS)).isEqualTo(AccessController.getContext());
        Thread thread = pool.submit(Thread::currentThread).get(10, TimeUnit.SECONDS);
        assertThat(thread.getName()).endsWith("-thread-1");
        assertThat(thread.isDaemon()).isFalse();
        assertThat(thread.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
        assertThat(thread.getThreadGroup()).isSameAs(Thread.currentThread().getThreadGroup());
        assertThat(thread.getContextClassLoader())
                .isSameAs(Thread.currentThread().getContextClassLoader());
        assertThat(((InstrumentedPool) pool).snapshot().submitted()).isEqualTo(2);
    }
}
