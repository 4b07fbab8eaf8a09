package io.lifeguard.pool.spring;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.context.ApplicationListener;

/**
 * Starts the monitor in the background when the application has started, and not with its first pool: it would compete with the start for
 * the CPUs. An application that takes longer than {@value #MOST_SECONDS} seconds is watched from then on, since a pool may be what it waits
 * for. Thread-safe.
 */
final class MonitorDelay implements ApplicationListener<SpringApplicationEvent> {

    static final int MOST_SECONDS = 10;

    private @Nullable CountDownLatch started; // guarded by this; there while the monitor waits

    @Override
    public void onApplicationEvent(SpringApplicationEvent event) {
        if (event instanceof ApplicationPreparedEvent prepared) {
            if (GlobalMonitor.isOn()
                    && OnSwitch.isOn(prepared.getApplicationContext().getEnvironment(), "lifeguard.enabled", true)) {
                begin();
            }
        } else if (event instanceof ApplicationStartedEvent || event instanceof ApplicationFailedEvent) {
            end();
        }
    }

    private synchronized void begin() {
        if (started == null) {
            CountDownLatch latch = new CountDownLatch(1);
            Thread thread = new Thread(null, () -> startAfter(latch), "lifeguard-start", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(MonitorDelay.class.getClassLoader());
            thread.start();
            PoolMonitor.startLater();
            started = latch;
        }
    }

    private synchronized void end() {
        if (started != null) {
            started.countDown();
            started = null;
        }
    }

    @SuppressWarnings("ReturnValueIgnored") // asking for the monitor starts it
    private static void startAfter(CountDownLatch latch) {
        try {
            latch.await(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException now) {
            Thread.currentThread().interrupt();
        }
        PoolMonitor.global();
    }
}
