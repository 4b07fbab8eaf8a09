package io.lifeguard.pool.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

class ThreadCpuTimeTest {

    /** Two ways to the same kernel counter: the virtual machine's clock, and the file system. */
    @Test
    void ofCurrentThread_afterWork_agreesWithTheOperatingSystem() {
        NativeThread thread = NativeThread.current();
        assumeTrue(ThreadCpuTime.isSupported() && thread.cpuNanos() != NativeThread.UNKNOWN);

        long osBefore = thread.cpuNanos();
        long before = ThreadCpuTime.ofCurrentThread();
        while (ThreadCpuTime.ofCurrentThread() - before < 100_000_000) {
            Thread.onSpinWait();
        }
        long burnt = ThreadCpuTime.ofCurrentThread() - before;
        long osBurnt = thread.cpuNanos() - osBefore;

        assertThat((double) osBurnt).isCloseTo(burnt, within(30_000_000.0));
    }
}
