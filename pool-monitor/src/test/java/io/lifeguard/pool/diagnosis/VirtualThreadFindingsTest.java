package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.window.VirtualThreadLoad;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Virtual threads without a limit: queues and circles are found, with line and holder. */
@Tag("slow")
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadFindingsTest {

    private static final int REQUESTS = 200;

    @AutoClose
    private final Fixture fixture = new Fixture(Duration.ofSeconds(60));

    private static Optional<Finding> finding(String id) {
        return PoolMonitor.global().findings().stream()
                .filter(each -> each.id().equals(id))
                .findFirst();
    }

    private static void call(Semaphore permits) {
        permits.acquireUninterruptibly();
        try {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        } finally {
            permits.release();
        }
    }

    /** The semaphore is opened at the end, so that the threads end. */
    @Test
    void threadsBehindASemaphore_areFoundWithTheLimitThatDoesAsMuch() {
        ExecutorService executor = fixture.closing(InstrumentedExecutors.newVirtualThreadPerTaskExecutor("line"));
        InstrumentedPool pool = (InstrumentedPool) executor;
        Semaphore permits = new Semaphore(4);
        AtomicBoolean isOver = new AtomicBoolean();
        fixture.thread(() -> {
            while (!isOver.get()) {
                if (pool.threadCount() < REQUESTS) {
                    executor.execute(() -> call(permits));
                } else {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            }
        });
        fixture.eventually(
                "the finding", () -> finding("virtual-threads-in-line").isPresent());
        Finding found = finding("virtual-threads-in-line").orElseThrow();
        VirtualThreadLoad load = PoolMonitor.global().virtualThreads().orElseThrow();
        isOver.set(true);
        permits.release(REQUESTS);
        assertThat(load.carriers()).isPositive();
        assertThat(load.live()).isBetween(1L, (long) REQUESTS);
        assertThat(load.waiting())
                .anySatisfy(line -> assertThat(line.place()).contains("VirtualThreadFindingsTest.call"));
        assertThat(load.mounted().isPresent()).isEqualTo(Runtime.version().feature() >= 24);
        assertThat(found.summary())
                .contains("virtual threads of line wait for a permit of java.util.concurrent.Semaphore")
                .contains("VirtualThreadFindingsTest.call(VirtualThreadFindingsTest.java:");
        assertThat((Integer) found.evidence().get("limit")).isBetween(4, 12);
        fixture.eventually("its end", () -> finding("virtual-threads-in-line").isEmpty());
    }

    private static void lockBoth(ReentrantLock one, ReentrantLock other, CountDownLatch both) {
        one.lock();
        both.countDown();
        try {
            both.await();
            other.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A virtual and a platform thread. The latch makes each take its first lock before its second one. */
    @Test
    void twoThreadsThatLockInOppositeOrder_areFoundWithBothLines() {
        ExecutorService executor = fixture.closing(InstrumentedExecutors.newVirtualThreadPerTaskExecutor("circle"));
        ReentrantLock one = new ReentrantLock();
        ReentrantLock other = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        executor.execute(() -> lockBoth(one, other, both));
        Thread platform = fixture.thread(() -> lockBoth(other, one, both));
        fixture.eventually("the finding", () -> finding("deadlock").isPresent());
        Finding found = finding("deadlock").orElseThrow();
        platform.interrupt();
        executor.shutdownNow();
        assertThat(found.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(found.evidence()).containsEntry("threads", 2).containsEntry("virtual", 1L);
        assertThat((List<?>) found.evidence().get("circle"))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line.toString())
                        .contains("ReentrantLock@")
                        .contains("VirtualThreadFindingsTest.lockBoth(VirtualThreadFindingsTest.java:"));
        fixture.eventually("its end", () -> finding("deadlock").isEmpty());
    }
}
