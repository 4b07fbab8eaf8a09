package consumer;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Runs tasks on a pool inside a bundle, and waits until the monitor, another bundle, watches it. */
public final class Activator implements BundleActivator {

    @Override
    public void start(BundleContext context) throws InterruptedException {
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("orders").size(2).build();
        for (int i = 0; i < 1_000; i++) {
            pool.execute(Thread::onSpinWait);
        }
        PoolMonitor.global(); // a healthy pool does not start it
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("lifeguard-monitor"))) {
            if (System.nanoTime() > end) {
                throw new AssertionError("the pool did not find its monitor");
            }
            Thread.sleep(20);
        }
        pool.shutdown();
        if (!pool.awaitTermination(30, TimeUnit.SECONDS) || pool.snapshot().completed() != 1_000) {
            throw new AssertionError("not all tasks ran: " + pool);
        }
        if (PoolMonitor.standardRules().isEmpty()) {
            throw new AssertionError("the monitor found no rules");
        }
        System.out.println("osgi: 1000 tasks, " + PoolMonitor.standardRules().size() + " rules");
    }

    @Override
    public void stop(BundleContext context) {}
}
