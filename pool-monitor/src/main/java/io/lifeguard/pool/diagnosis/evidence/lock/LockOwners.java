package io.lifeguard.pool.diagnosis.evidence.lock;

import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Tells who holds a lock that virtual threads wait for. Confined to the monitor's thread.
 *
 * <p>The JVM tells the holder of a lock of {@code java.util.concurrent} only for a platform thread that is parked on
 * it. So a platform thread of this class parks with that lock as its blocker, which is no attempt to take it, and the
 * JVM is asked about this thread. That takes 0.1 to 3 ms, most of it the start of the thread.
 */
public final class LockOwners {

    /** 50 ms: the thread parks within 3 ms, and the monitor does nothing else meanwhile. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** 50 µs between two looks at whether the thread has parked: half of what its start takes at least. */
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    /** Who holds a lock. */
    public record Owner(long id, String name) {}

    /** {@return the holder; empty when there is none, or the system is too busy to tell} */
    public Optional<Owner> of(Object blocker) {
        Parked parked = new Parked(blocker);
        Thread thread = new Thread(parked, "lifeguard-owner");
        thread.setDaemon(true);
        thread.start();
        try {
            return waitUntilParked(thread, blocker) ? ask(thread.getId(), blocker) : Optional.empty();
        } finally {
            parked.isOver = true;
            LockSupport.unpark(thread);
        }
    }

    private static boolean waitUntilParked(Thread thread, Object blocker) {
        long start = System.nanoTime();
        while (LockSupport.getBlocker(thread) != blocker || thread.getState() != Thread.State.WAITING) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    private Optional<Owner> ask(long id, Object blocker) {
        // with a frame: without one the JVM reads the owner while it may mount or unmount, and can crash (JvmHazards)
        @Nullable ThreadInfo info = threads.getThreadInfo(id, 1);
        if (info == null
                || info.getLockOwnerId() == ThreadLook.NO_HOLDER
                || info.getLockInfo() == null
                || info.getLockInfo().getIdentityHashCode() != System.identityHashCode(blocker)) {
            return Optional.empty();
        }
        String name = info.getLockOwnerName();
        return Optional.of(new Owner(info.getLockOwnerId(), name == null ? "" : name));
    }

    private static final class Parked implements Runnable {
        private final Object blocker;
        private volatile boolean isOver; // written by the monitor's thread; it unparks this one afterwards

        Parked(Object blocker) {
            this.blocker = blocker;
        }

        @Override
        public void run() {
            while (!isOver) {
                LockSupport.park(blocker);
            }
        }
    }
}
