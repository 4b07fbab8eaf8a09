package io.lifeguard.pool.spring.web;

import io.lifeguard.pool.diagnosis.external.PoolGauges;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import io.lifeguard.pool.os.NamedThreads;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.springframework.util.ClassUtils;

/** Reads the request pool of a web server, whose threads are known by the prefix of their names. Thread-safe. */
abstract class ServerPoolReader implements PoolReader<Executor> {

    private final NamedThreads threads;
    final LongSupplier requests; // the tasks, because those of the executors are parts of requests, or several

    ServerPoolReader(String threadPrefix, LongSupplier requests) {
        this.threads = new NamedThreads(threadPrefix);
        this.requests = requests;
    }

    @Override
    public final List<Thread> workers(Executor executor) {
        return threads.find(threads(executor));
    }

    @Override
    public final Optional<String> blindness() {
        return threads.doubt();
    }

    /** {@return how many threads the pool has, of whatever purpose} */
    abstract int threads(Executor executor);

    /** Reads Tomcat's request pool, whose class is a copy of the JDK's. Its tasks are requests. Thread-safe. */
    static final class OfTomcat extends ServerPoolReader {

        private static final boolean PRESENT = ClassUtils.isPresent(
                "org.apache.tomcat.util.threads.ThreadPoolExecutor", OfTomcat.class.getClassLoader());

        OfTomcat(String threadPrefix, LongSupplier requests) {
            super(threadPrefix, requests);
        }

        static boolean canRead(Executor executor) {
            return PRESENT && executor instanceof ThreadPoolExecutor;
        }

        @Override
        int threads(Executor executor) {
            return ((ThreadPoolExecutor) executor).getPoolSize();
        }

        @Override
        public PoolGauges read(Executor executor) {
            ThreadPoolExecutor pool = (ThreadPoolExecutor) executor;
            return new PoolGauges(
                    pool.getPoolSize(),
                    pool.getActiveCount(),
                    pool.getQueue().size(),
                    requests.getAsLong(),
                    pool.getCorePoolSize(),
                    pool.getMaximumPoolSize(),
                    pool.getQueue().remainingCapacity());
        }
    }

    /**
     * Reads Jetty's request pool. Its acceptors and selectors are threads of the pool, too, but not workers. Reserved
     * threads wait for a task. Its tasks are requests, as for Tomcat. While the server stops, the pool still subtracts
     * acceptors that have ended, so requests that run are counted as well. Thread-safe.
     */
    static final class OfJetty extends ServerPoolReader {

        private static final boolean PRESENT =
                ClassUtils.isPresent("org.eclipse.jetty.util.thread.QueuedThreadPool", OfJetty.class.getClassLoader());

        private final JettyRequests running;

        OfJetty(Executor executor, JettyRequests requests) {
            super(((QueuedThreadPool) executor).getName() + "-", requests);
            this.running = requests;
        }

        static boolean canRead(Executor executor) {
            return PRESENT && executor instanceof QueuedThreadPool;
        }

        @Override
        int threads(Executor executor) {
            return ((QueuedThreadPool) executor).getThreads();
        }

        @Override
        public PoolGauges read(Executor executor) {
            QueuedThreadPool pool = (QueuedThreadPool) executor;
            int leased = pool.getLeasedThreads();
            int busy = pool.getVirtualThreadsExecutor() == null ? running.running() : 0;
            int size = Math.max(busy, pool.getThreads() - leased);
            return new PoolGauges(
                    size,
                    Math.max(busy, Math.min(size, pool.getUtilizedThreads())),
                    pool.getQueueSize(),
                    requests.getAsLong(),
                    Math.max(0, pool.getMinThreads() - leased),
                    pool.getMaxAvailableThreads(),
                    Integer.MAX_VALUE);
        }

        /** A stopped pool may start again, and is then watched again. */
        @Override
        public boolean isTerminated(Executor executor) {
            return ((QueuedThreadPool) executor).isStopped();
        }
    }
}
