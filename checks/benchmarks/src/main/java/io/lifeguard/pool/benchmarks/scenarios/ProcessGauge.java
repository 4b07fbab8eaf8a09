package io.lifeguard.pool.benchmarks.scenarios;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The resources that this process has consumed so far. Immutable. */
record ProcessGauge(long cpuNanos, long allocatedBytes, long contextSwitches) {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final Path OWN_THREADS = Path.of("/proc/self/task");

    /** Reads the most expensive figure last, so that reading is not part of the stretch that begins here. */
    static ProcessGauge atStart() {
        long switches = switches();
        long allocated = allocatedByAllThreads();
        return new ProcessGauge(SYSTEM.getProcessCpuTime(), allocated, switches);
    }

    /** Reads in the opposite order, for the stretch that ends here. */
    static ProcessGauge atEnd() {
        long cpu = SYSTEM.getProcessCpuTime();
        long allocated = allocatedByAllThreads();
        return new ProcessGauge(cpu, allocated, switches());
    }

    ProcessGauge since(ProcessGauge earlier) {
        return new ProcessGauge(
                cpuNanos - earlier.cpuNanos,
                allocatedBytes - earlier.allocatedBytes,
                contextSwitches - earlier.contextSwitches);
    }

    static long allocatedByThisThread() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** Sum over the producer, the workers, and the other threads of a rival. */
    private static long allocatedByAllThreads() {
        long sum = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }

    /** Sum over the threads, because {@code /proc/self/status} is about the main thread only. */
    private static long switches() {
        if (!Files.isDirectory(OWN_THREADS)) {
            return 0;
        }
        long sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(OWN_THREADS)) {
            for (Path thread : threads) {
                sum += switches(thread.resolve("status"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + OWN_THREADS, e);
        }
        return sum;
    }

    private static long switches(Path status) throws IOException {
        try {
            return Files.readString(status)
                    .lines()
                    .filter(line -> line.contains("ctxt_switches"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                    .sum();
        } catch (IOException e) {
            if (Files.exists(status)) {
                throw e;
            }
            return 0; // the thread has just ended, before the file was opened or while it was read
        }
    }
}
