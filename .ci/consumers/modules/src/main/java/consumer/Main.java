package consumer;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** A user's program on the module path, where what the pool's module does not ask for is not there. */
public final class Main {

    private static final int TASKS = 1_000;

    public static void main(String[] args) throws InterruptedException, JMException {
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("orders")
                .size(2)
                .queueCapacity(10)
                .whenSaturated(BlockingWaitPolicy.forever())
                .build();
        for (int i = 0; i < TASKS; i++) {
            pool.execute(Thread::onSpinWait);
        }
        PoolMonitor.global(); // a healthy pool does not start it
        await("monitor", () -> Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("lifeguard-monitor")));
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName findings = new ObjectName("io.lifeguard:type=Findings");
        await("MBean", () -> beans.isRegistered(findings));
        expect(0, beans.getAttribute(findings, "Count")); // asked by a module of the JDK's own making
        pool.shutdown();
        if (!pool.awaitTermination(30, TimeUnit.SECONDS)) {
            throw new AssertionError("not terminated: " + pool);
        }
        System.out.println(pool.snapshot());
        // Provided by another module than the pool's, which therefore has to be bound.
        expect(true, !PoolMonitor.standardRules().isEmpty());
        expect(TASKS, pool.snapshot().completed());
        expect(List.of("created orders", "terminated orders"), Witness.TOLD);
    }

    private static void await(String what, BooleanSupplier isThere) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!isThere.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("the first pool did not start the " + what);
            }
            Thread.sleep(20);
        }
    }

    private static void expect(Object expected, Object actual) {
        if (!expected.toString().equals(actual.toString())) {
            throw new AssertionError("expected " + expected + ", was " + actual);
        }
    }
}
