package io.lifeguard.pool.agent;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A program that knows nothing of Lifeguard: eight workers of a plain pool share one lock. Ends after 60 s. */
final class SickProgram {

    private static final Object LOCK = new Object();

    private SickProgram() {}

    /** Runs it. */
    public static void main(String[] arguments) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                8, 8, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(100), new ThreadPoolExecutor.CallerRunsPolicy());
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(60)) {
            pool.execute(SickProgram::shareLock);
        }
        pool.shutdownNow();
    }

    static void shareLock() {
        synchronized (LOCK) {
            LockSupport.parkNanos(5_000_000);
        }
    }
}
