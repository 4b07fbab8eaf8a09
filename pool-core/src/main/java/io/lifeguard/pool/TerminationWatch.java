package io.lifeguard.pool;

import java.lang.ref.WeakReference;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks from time to time whether an executor that was shut down has terminated, which those without workers of ours tell only to
 * who asks: after 10 ms, then ever less often, at least once a second. Holds the executor weakly. Confined to one daemon thread for
 * all executors, which ends when there was nothing to watch for five seconds.
 */
final class TerminationWatch implements Runnable {

    private static final long FIRST_MILLIS = 10;
    private static final long LONGEST_MILLIS = 1_000;

    private static final ScheduledThreadPoolExecutor WATCHMAN = watchman();

    private final WeakReference<ExecutorService> executor;
    private long waitMillis = FIRST_MILLIS;

    private TerminationWatch(ExecutorService executor) {
        this.executor = new WeakReference<>(executor);
    }

    /** Asks the executor {@code isTerminated} until it says yes, or is collected. */
    static void watch(ExecutorService executor) {
        new TerminationWatch(executor).lookLater();
    }

    @Override
    public void run() {
        ExecutorService watched = executor.get();
        if (watched != null && !watched.isTerminated()) {
            waitMillis = Math.min(2 * waitMillis, LONGEST_MILLIS);
            lookLater();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // this cannot fail, and nobody waits for it
    private void lookLater() {
        try {
            WATCHMAN.schedule(this, waitMillis, TimeUnit.MILLISECONDS);
        } catch (OutOfMemoryError noThread) {
            // whoever asks the executor will be told, and the observers with it
        }
    }

    private static ScheduledThreadPoolExecutor watchman() {
        ScheduledThreadPoolExecutor watchman =
                new ScheduledThreadPoolExecutor(1, body -> Callbacks.daemon("lifeguard-watch", body));
        watchman.setKeepAliveTime(5, TimeUnit.SECONDS);
        watchman.allowCoreThreadTimeOut(true);
        return watchman;
    }
}
