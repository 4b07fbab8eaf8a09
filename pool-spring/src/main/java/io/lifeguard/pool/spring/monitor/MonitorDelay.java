package io.lifeguard.pool.spring.monitor;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.spring.properties.LifeguardBinding;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.context.ApplicationListener;

/**
 * Delays the monitor until the application has started, because the monitor would compete with the start for the CPUs.
 * Waits at most {@value #MOST_SECONDS} seconds: an application that takes longer may be waiting for a pool.
 * Thread-safe.
 */
final class MonitorDelay implements ApplicationListener<SpringApplicationEvent> {

    static final int MOST_SECONDS = 10;

    private @Nullable CountDownLatch started; // guarded by this; not null while the monitor waits

    @Override
    public void onApplicationEvent(SpringApplicationEvent event) {
        if (event instanceof ApplicationPreparedEvent prepared) {
            if (GlobalMonitor.isOn()
                    && LifeguardBinding.isOn(
                            prepared.getApplicationContext().getEnvironment(), "lifeguard.enabled", true)) {
                begin();
            }
        } else if (event instanceof ApplicationStartedEvent || event instanceof ApplicationFailedEvent) {
            end();
        }
    }

    private synchronized void begin() {
        if (started == null) {
            CountDownLatch latch = new CountDownLatch(1);
            Thread thread = new Thread(null, () -> startAfter(latch), "lifeguard-delay", 0, false);
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

    @SuppressWarnings("ReturnValueIgnored") // the call starts the monitor
    private static void startAfter(CountDownLatch latch) {
        try {
            latch.await(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        PoolMonitor.global();
    }
}
