package io.lifeguard.pool.diagnosis.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.os.NativeThread;
import io.lifeguard.pool.os.ThreadCpuTime;
import org.junit.jupiter.api.Test;

class ThreadCpuTimeTest {

    /** The virtual machine's clock and the file system show the same counter of the kernel. */
    @Test
    void ofCurrentThread_afterWork_agreesWithTheOperatingSystem() {
        ThreadReading atFirst = read();
        assumeTrue(ThreadCpuTime.isSupported() && atFirst != null);

        long before = ThreadCpuTime.ofCurrentThread();
        while (ThreadCpuTime.ofCurrentThread() - before < 100_000_000) {
            Thread.onSpinWait();
        }
        long burnt = ThreadCpuTime.ofCurrentThread() - before;
        long osBurnt = read().cpuNanos() - atFirst.cpuNanos();

        assertThat((double) osBurnt).isCloseTo(burnt, within(30_000_000.0));
    }

    private static ThreadReading read() {
        return new ThreadReader().read(NativeThread.currentId());
    }
}
