package io.lifeguard.pool.agent;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that knows nothing of Lifeguard: eight workers of a plain pool share one lock, or a task of a timer waits
 * for a latch that is never counted down, or each job makes a scheduler and forgets it. Ends after 60 s.
 */
final class SickProgram {

    private static final Object LOCK = new Object();

    private SickProgram() {}

    /** Runs it: {@code timer}, {@code leak}, or the pool. */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments[0].equals("timer")) {
            Timer billing = new Timer("billing", true);
            billing.schedule(new Heartbeat(), 0, 200);
            billing.schedule(new Import(), 500);
            Thread.sleep(60_000);
            return;
        }
        if (arguments[0].equals("leak")) {
            for (int job = 0; job < 600; job++) {
                Executors.newScheduledThreadPool(1, task -> new Thread(task, "job"))
                        .schedule(() -> {}, 1, TimeUnit.MILLISECONDS);
                Thread.sleep(100);
            }
            System.exit(0); // the threads of the schedulers never end
            return;
        }
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                8, 8, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(100), new ThreadPoolExecutor.CallerRunsPolicy());
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(60)) {
            pool.execute(SickProgram::shareLock);
        }
        pool.shutdownNow();
    }

    private static final class Heartbeat extends TimerTask {
        @Override
        public void run() {}
    }

    private static final class Import extends TimerTask {
        @Override
        public void run() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static void shareLock() {
        synchronized (LOCK) {
            LockSupport.parkNanos(5_000_000);
        }
    }
}
