package io.lifeguard.pool.spring.web;

import io.lifeguard.pool.diagnosis.external.PoolGauges;
import java.util.concurrent.Executor;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.springframework.util.ClassUtils;

/** Reads Jetty's request pool, which does not count completed tasks. Thread-safe. */
final class JettyReader extends ServerPoolReader {

    private static final boolean PRESENT =
            ClassUtils.isPresent("org.eclipse.jetty.util.thread.QueuedThreadPool", JettyReader.class.getClassLoader());

    JettyReader(String threadPrefix) {
        super(threadPrefix);
    }

    static boolean canRead(Executor executor) {
        return PRESENT && executor instanceof QueuedThreadPool;
    }

    static String threadPrefix(Executor executor) {
        return ((QueuedThreadPool) executor).getName() + "-";
    }

    @Override
    public PoolGauges read(Executor executor) {
        QueuedThreadPool pool = (QueuedThreadPool) executor;
        int size = pool.getThreads();
        return new PoolGauges(
                size,
                Math.max(0, size - pool.getIdleThreads()),
                pool.getQueueSize(),
                0,
                pool.getMinThreads(),
                pool.getMaxThreads(),
                Integer.MAX_VALUE);
    }

    /** A stopped pool may start again, and is then watched again. */
    @Override
    public boolean isTerminated(Executor executor) {
        return ((QueuedThreadPool) executor).isStopped();
    }
}
