package io.lifeguard.pool.diagnosis.evidence.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.seen.DeadlockCircle;
import io.lifeguard.pool.testing.Fixture;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** A circle with a monitor, of virtual threads. Java 25 tells who holds it. */
@EnabledForJreRange(min = JRE.JAVA_25)
class VirtualDeadlocksTest {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @AutoClose
    private final Fixture fixture = new Fixture(Duration.ofSeconds(60));

    private final ReentrantLock lock = new ReentrantLock();
    private final Object monitor = new Object();
    private final CountDownLatch both = new CountDownLatch(2);
    private boolean seemsDear; // of the dump
    private long now;

    private ThreadMXBean threads() {
        return (ThreadMXBean) Proxy.newProxyInstance(
                ThreadMXBean.class.getClassLoader(),
                new Class<?>[] {ThreadMXBean.class},
                (proxy, method, arguments) -> method.getName().equals("getTotalStartedThreadCount")
                        ? startedThreads()
                        : method.invoke(THREADS, arguments));
    }

    /** All threads that other tests have made seem to be platform threads, or a million more than were made. */
    private long startedThreads() {
        return seemsDear ? -1_000_000 : new Thread(() -> {}).getId();
    }

    private void lockFirst() {
        lock.lock();
        try {
            both.countDown();
            both.await();
            synchronized (monitor) {
                monitor.notifyAll();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void enterFirst() {
        synchronized (monitor) {
            both.countDown();
            try {
                both.await();
                lock.lockInterruptibly();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Each takes its first one before the other's is asked for. The interrupt ends the circle. */
    @Test
    void look_dumpWasRefusedAtFirst_findsTheCircleLater() {
        ExecutorService executor = fixture.closing(InstrumentedExecutors.newVirtualThreadPerTaskExecutor("mixed"));
        executor.execute(this::lockFirst);
        executor.execute(this::enterFirst);
        InstrumentedPool pool = (InstrumentedPool) executor;
        await().until(
                        () -> pool.threads(2).stream().map(Thread::getState).toList(),
                        states -> states.size() == 2
                                && states.contains(Thread.State.BLOCKED)
                                && states.contains(Thread.State.WAITING)
                                && lock.hasQueuedThreads());
        VirtualDeadlocks careful = new VirtualDeadlocks(() -> now, threads());
        assertThat(look(careful, pool, 4)).hasSize(MonitorOwners.whyUnknown().isEmpty() ? 1 : 0);
        assertThat(careful.unseen().isEmpty())
                .as("the circle is seen, or it is said why not")
                .isEqualTo(MonitorOwners.whyUnknown().isEmpty());
        assertThat(careful.unseen()).contains(MonitorOwners.whyUnknown());
        // even where the JVM could crash: of two threads that stand still there is no danger
        MonitorDumps dumps = new MonitorDumps(() -> now, threads(), () -> true);
        VirtualDeadlocks deadlocks = new VirtualDeadlocks(() -> now, threads(), dumps);
        seemsDear = true;
        assertThat(look(deadlocks, pool, 4)).isEmpty();
        seemsDear = false;
        List<DeadlockCircle> circles = look(deadlocks, pool, 3);
        executor.shutdownNow();
        assertThat(circles).hasSize(1);
    }

    private List<DeadlockCircle> look(VirtualDeadlocks deadlocks, InstrumentedPool pool, int times) {
        List<DeadlockCircle> circles = List.of();
        for (int i = 0; i < times; i++) {
            now += TimeUnit.SECONDS.toNanos(1);
            circles = deadlocks.look(List.of(pool));
        }
        return circles;
    }
}
