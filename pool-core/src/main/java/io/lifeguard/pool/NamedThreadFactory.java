package io.lifeguard.pool;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the threads of a pool that was given a name: {@code orders-1}, {@code orders-2}, … In all else they are what
 * {@link java.util.concurrent.Executors#defaultThreadFactory()} makes: no daemons, normal priority. Thread-safe.
 */
final class NamedThreadFactory implements ThreadFactory {

    private final String prefix;
    private final AtomicLong threads = new AtomicLong();

    NamedThreadFactory(String poolName) {
        this.prefix = poolName + "-";
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // resets to normal what the creating thread would hand down
    public Thread newThread(Runnable body) {
        Thread thread = new Thread(null, body, prefix + threads.incrementAndGet(), 0);
        if (thread.isDaemon()) {
            thread.setDaemon(false);
        }
        if (thread.getPriority() != Thread.NORM_PRIORITY) {
            thread.setPriority(Thread.NORM_PRIORITY);
        }
        return thread;
    }
}
