package io.lifeguard.pool.benchmarks.scenarios;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.concurrent.locks.LockSupport;

/** The heap in use. */
final class Heap {
    private static final int MOST_COLLECTIONS = 20;
    private static final long PAUSE_NANOS = 30_000_000;
    private static final long STEADY_BYTES = 256;

    private Heap() {}

    /** Bytes of live objects and buffers. Collects until the number no longer falls. */
    static long settled() {
        long last = collected();
        for (int i = 0; i < MOST_COLLECTIONS; i++) {
            long now = collected();
            if (Math.abs(now - last) <= STEADY_BYTES) {
                return now;
            }
            last = now;
        }
        return last;
    }

    private static long collected() {
        LockSupport.parkNanos(PAUSE_NANOS);
        System.gc();
        long used = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            // at the end of the collection: the current use includes whole allocation buffers of threads
            MemoryUsage left = pool.getCollectionUsage();
            used += pool.getType() == MemoryType.HEAP && left != null ? left.getUsed() : 0;
        }
        for (BufferPoolMXBean buffers : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            used += buffers.getMemoryUsed();
        }
        return used;
    }
}
