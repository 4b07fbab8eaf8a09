package io.lifeguard.pool.diagnosis.evidence.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The holder of a lock is found by the lock alone, and the lock is left as it is. */
class LockOwnersTest {

    @AutoClose
    private final Fixture fixture = new Fixture(Duration.ofSeconds(20));

    private final LockOwners owners = new LockOwners();

    /** What a waiting thread shows of the thing it waits for. */
    private Object blocker(Fixture.Work wait) {
        Thread waiter = fixture.thread(wait);
        AtomicReference<Object> blocker = new AtomicReference<>();
        fixture.eventually("the wait", () -> {
            blocker.set(LockSupport.getBlocker(waiter));
            return blocker.get() != null && waiter.getState() == Thread.State.WAITING;
        });
        return blocker.get();
    }

    @Test
    void of_lockThatIsHeld_isItsHolder() {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            Object blocker = blocker(() -> {
                lock.lock();
                lock.unlock();
            });
            AtomicReference<Optional<LockOwners.Owner>> owner = new AtomicReference<>(Optional.empty());
            fixture.eventually(
                    "the holder",
                    () -> { // a machine that is too busy tells nothing
                        owner.set(owners.of(blocker));
                        return owner.get().isPresent();
                    });
            assertThat(owner.get().orElseThrow().id()).isEqualTo(ThreadLook.id(Thread.currentThread()));
            assertThat(owner.get().orElseThrow().name())
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(lock.getQueueLength()).isEqualTo(1);
        } finally {
            lock.unlock();
        }
    }

    @Test
    void of_semaphore_isNobody() {
        Semaphore semaphore = new Semaphore(0);
        Object blocker = blocker(semaphore::acquireUninterruptibly);
        assertThat(owners.of(blocker)).isEmpty();
        semaphore.release();
    }
}
