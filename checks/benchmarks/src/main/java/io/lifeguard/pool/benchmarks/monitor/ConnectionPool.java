package io.lifeguard.pool.benchmarks.monitor;

import java.util.concurrent.Semaphore;

/** A pool of connections, served in the order of arrival. Recognised by the names of class and method. Thread-safe. */
final class ConnectionPool {
    private final Semaphore free;

    ConnectionPool(int connections) {
        free = new Semaphore(connections, true);
    }

    void borrow() {
        free.acquireUninterruptibly();
    }

    void giveBack() {
        free.release();
    }
}
