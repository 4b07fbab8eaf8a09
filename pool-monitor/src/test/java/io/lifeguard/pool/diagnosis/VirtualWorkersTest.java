package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedVirtualThreadExecutor;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Findings about an executor of virtual threads name cause, place and limit, as for a pool of platform threads. */
@Tag("slow")
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualWorkersTest {

    private static final int LIMIT = 50;

    @AutoClose
    private final Fixture fixture = new Fixture(Duration.ofSeconds(60));

    private static final Semaphore CONNECTIONS = new Semaphore(4);
    private static final ReentrantLock LOCK = new ReentrantLock();

    private static void callWithConnection() {
        CONNECTIONS.acquireUninterruptibly();
        try {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        } finally {
            CONNECTIONS.release();
        }
    }

    private static void countUnderLock() {
        LOCK.lock();
        try {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        } finally {
            LOCK.unlock();
        }
    }

    /** While other processes use the CPUs, no finding names a size, and says so. */
    private static boolean isUnsized(Finding found) {
        return String.valueOf(found.evidence().get("noSizeBecause")).startsWith(Sizing.OTHERS);
    }

    /** The first window of a young JVM may say less than later ones. */
    private Finding find(String id, Runnable task, Predicate<Finding> isMeant) {
        InstrumentedVirtualThreadExecutor executor = fixture.closing(InstrumentedVirtualThreadExecutor.named(id)
                .limit(LIMIT)
                .queueCapacity(100)
                .build());
        AtomicBoolean isFound = new AtomicBoolean();
        fixture.thread(() -> {
            while (!isFound.get()) {
                try {
                    executor.execute(task);
                } catch (RejectedExecutionException e) {
                    assertThat(executor.isShutdown()).isTrue(); // the test is over
                }
            }
        });
        AtomicReference<Finding> found = new AtomicReference<>();
        fixture.eventually("the finding " + id, () -> {
            finding(executor, id).filter(isMeant).ifPresent(found::set);
            return found.get() != null;
        });
        isFound.set(true);
        return found.get();
    }

    private static Optional<Finding> finding(InstrumentedVirtualThreadExecutor executor, String id) {
        List<Finding> findings = PoolMonitor.global().findings(executor.asThreadPool());
        return findings.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    @Test
    void fourConnections_namesPlaceAndTheLimitThatDoesAsMuch() {
        Finding found = find(
                "downstream-saturated",
                VirtualWorkersTest::callWithConnection,
                each -> each.recommendedSize().isPresent() || isUnsized(each));
        assertThat(found.summary())
                .contains("VirtualWorkersTest.callWithConnection")
                .contains("Semaphore");
        if (!isUnsized(found)) {
            assertThat(found.recommendedSize().getAsInt()).isBetween(3, 8);
        }
    }

    @Test
    void oneLock_namesPlaceAndLock() {
        Finding found = find(
                "lock-contention",
                VirtualWorkersTest::countUnderLock,
                each -> each.recommendedSize().orElse(0) == 1 || isUnsized(each));
        assertThat(found.summary())
                .contains("VirtualWorkersTest.countUnderLock")
                .contains("ReentrantLock");
    }

    private static void compute(AtomicBoolean isOver) {
        long sum = 0;
        while (!isOver.get()) {
            sum = sum * 31 + 1;
        }
        assertThat(sum).isNotZero();
    }

    private static Optional<Finding> ofCarriers() {
        return PoolMonitor.global().findings().stream()
                .filter(each -> each.id().equals("carriers-starved"))
                .findFirst();
    }

    /** More threads compute than there are carriers. The finding ends with them. */
    @Test
    void threadsThatCompute_carriersAreStarvedUntilTheyEnd() {
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService requests = fixture.closing(InstrumentedExecutors.newVirtualThreadPerTaskExecutor("computing"));
        for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
            requests.execute(() -> compute(isOver));
        }
        fixture.eventually("the finding", () -> ofCarriers().isPresent());
        Finding found = ofCarriers().orElseThrow();
        isOver.set(true);
        assertThat(found.pool()).isEqualTo("virtual threads");
        if (Runtime.version().feature() >= 24) {
            assertThat(found.summary()).contains("VirtualWorkersTest.compute(VirtualWorkersTest.java:");
            assertThat(found.evidence()).containsEntry("why", "COMPUTES").containsKey("queued");
        }
        fixture.eventually("its end", () -> ofCarriers().isEmpty());
    }
}
