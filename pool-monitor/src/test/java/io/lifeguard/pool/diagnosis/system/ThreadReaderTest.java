package io.lifeguard.pool.diagnosis.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.os.NativeThread;
import io.lifeguard.pool.os.ThreadCpuTime;
import io.lifeguard.pool.os.Unknown;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ThreadReaderTest {

    /** The scheduler updates its figure at each tick. */
    private static final long TICK_NANOS = 10_000_000;

    private static final String STATUS = "Name:\tx\nvoluntary_ctxt_switches:\t11\nnonvoluntary_ctxt_switches:\t7\n";

    @TempDir
    Path directory;

    private ThreadReading read(String schedstat, String status) {
        FakeRoot root = new FakeRoot(directory)
                .with("/proc/self/task/5/schedstat", schedstat)
                .with("/proc/self/task/5/status", status);
        return new ThreadReader(root.path()).read(5);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void read_ownThread_agreesWithThreadCpuTime() {
        long id = NativeThread.currentId();
        long before = ThreadCpuTime.ofCurrentThread();

        ThreadReading reading = new ThreadReader().read(id);

        assertThat(reading).isNotNull();
        assertThat(reading.cpuNanos()).isBetween(before - TICK_NANOS, ThreadCpuTime.ofCurrentThread() + TICK_NANOS);
    }

    @Test
    void read_bothFiles_givesAllFourFigures() {
        ThreadReading reading = read("1000 200 3\n", STATUS);
        assertThat(reading).isEqualTo(new ThreadReading(1000, 200, 11, 7, false, reading.nanoTime()));
    }

    @Test
    void read_state_saysWhetherTheThreadIsReady() {
        long before = System.nanoTime();
        ThreadReading ready = read("1000 200 3\n", "Name:\tx\nState:\tR (running)\n" + STATUS);
        ThreadReading sleeping = read("1000 200 3\n", "Name:\tx\nState:\tS (sleeping)\n" + STATUS);

        assertThat(ready.isReady()).isTrue();
        assertThat(ready.nanoTime()).isBetween(before, System.nanoTime());
        assertThat(sleeping.isReady()).isFalse();
    }

    @Test
    void read_kernelWithoutStatistics_isUnknown() {
        assertThat(read("0 0 0\n", STATUS)).isNull();
    }

    @Test
    void read_nonsense_isUnknown() {
        assertThat(read("", STATUS)).isNull();
        assertThat(read("12\n", STATUS)).isNull();
        assertThat(read("a b c\n", STATUS)).isNull();
        assertThat(read("1000 200 3\n", "Name:\tx\n")).isNull();
    }

    @Test
    void named_longName_matchesWhatTheSystemKeepsOfIt() {
        FakeRoot root = new FakeRoot(directory)
                .with("/proc/self/task/5/comm", "multiThreadIoEv\n")
                .with("/proc/self/task/6/comm", "multiTh..up-2-1\n")
                .with("/proc/self/task/7/comm", "multi\n");
        ThreadReader reader = new ThreadReader(root.path());
        assertThat(reader.named(List.of("multiThreadIoEventLoopGroup-2-1"))).containsExactlyInAnyOrder(5L, 6L);
        assertThat(reader.named(List.of("multi"))).containsExactly(7L);
        assertThat(reader.named(List.of("none"))).isEmpty();
    }

    @Test
    void named_noSuchDirectory_isEmpty() {
        assertThat(new ThreadReader(directory).named(List.of("any"))).isEmpty();
    }

    @Test
    void read_noSuchThread_isUnknown() {
        assertThat(new ThreadReader(directory).read(99)).isNull();
        assertThat(new ThreadReader(directory).read(Unknown.NUMBER)).isNull();
    }
}
