package io.lifeguard.pool.diagnosis.external;

import java.util.Objects;
import java.util.concurrent.Executor;

/** The readers that come with the library. Stateless. */
public final class PoolReaders {

    private PoolReaders() {}

    /**
     * {@return a reader of an executor of a library: an {@code EnhancedQueueExecutor} of JBoss Threads, on which
     * Quarkus and WildFly run their tasks; an {@code XnioWorker} of JBoss XNIO, on which Undertow runs blocking
     * handlers; or a {@code DefaultEventExecutorGroup} of Netty}
     *
     * <pre>{@code
     * PoolMonitor.global().watch(executor, "quarkus", PoolReaders.of(executor));
     * }</pre>
     *
     * @param executor one of them, not null; the reader does not hold it
     * @throws IllegalArgumentException if it is of another type, for instance a wrapper, or too old to be read
     */
    public static PoolReader<Executor> of(Executor executor) {
        Objects.requireNonNull(executor, "executor must not be null");
        return NettyReader.canRead(executor) ? NettyReader.of(executor) : JBossReader.of(executor);
    }
}
