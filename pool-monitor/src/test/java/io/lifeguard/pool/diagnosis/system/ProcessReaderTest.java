package io.lifeguard.pool.diagnosis.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.os.Unknown;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessReaderTest {

    private static final String UNIFIED_MOUNT =
            "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
    private static final String OLD_MOUNTS = """
            31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
            33 31 0:30 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset
            32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
            """;

    @TempDir
    Path directory;

    private FakeRoot root;

    @BeforeEach
    void makeRoot() {
        root = new FakeRoot(directory);
    }

    private ProcessReading read() {
        return new ProcessReader(root.path()).read();
    }

    @Test
    void read_nothingThere_isUnknownWithoutLimit() {
        assertThat(read()).isEqualTo(new ProcessReading(-1, -1, -1, -1, Double.POSITIVE_INFINITY, -1));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void read_thisMachine_knowsProcessAndMachine() {
        ProcessReading here = new ProcessReader().read();

        assertThat(here.userNanos()).isPositive();
        assertThat(here.machineTicks()).isGreaterThan(here.machineBusyTicks());
        assertThat(here.quotaCores()).isPositive();
    }

    @Test
    void read_programWithParenthesesInItsName_findsTheTimes() {
        root.with("/proc/self/stat", "42 (a) b (c 1 2) S 1 1 1 0 -1 0 0 0 0 0 123 45 6 7 20 0 1\n");

        assertThat(read().userNanos()).isEqualTo(1_230_000_000L);
        assertThat(read().systemNanos()).isEqualTo(450_000_000L);
    }

    @Test
    void read_machine_countsStolenTimeAsBusyAndGuestsOnce() {
        root.with("/proc/stat", "cpu  100 10 20 500 50 0 5 15 40 3\ncpu0 1 1 1 1 1 1 1 1 1 1\nintr 99\n");

        assertThat(read().machineTicks()).isEqualTo(700);
        assertThat(read().machineBusyTicks()).isEqualTo(150);
    }

    @Test
    void read_unifiedFraction_isTheQuota() {
        root.with("/proc/self/cgroup", "0::/\n")
                .with("/proc/self/mountinfo", UNIFIED_MOUNT)
                .with("/sys/fs/cgroup/cpu.max", "150000 100000\n")
                .with(
                        "/sys/fs/cgroup/cpu.stat",
                        "usage_usec 9\nnr_periods 50\nnr_throttled 10\nthrottled_usec 300000\n");

        assertThat(read().quotaCores()).isEqualTo(1.5);
        assertThat(read().throttledNanos()).isEqualTo(300_000_000L);
    }

    @Test
    void read_unifiedNested_isTheTightestOfAllAround() {
        root.with("/proc/self/cgroup", "0::/kubepods/pod1/c1\n")
                .with("/proc/self/mountinfo", UNIFIED_MOUNT)
                .with("/sys/fs/cgroup/kubepods/cpu.max", "800000 100000\n")
                .with("/sys/fs/cgroup/kubepods/pod1/cpu.max", "50000 100000\n")
                .with("/sys/fs/cgroup/kubepods/pod1/cpu.stat", "nr_throttled 2\nthrottled_usec 5000000\n")
                .with("/sys/fs/cgroup/kubepods/pod1/c1/cpu.max", "max 100000\n");

        assertThat(read().quotaCores()).isEqualTo(0.5);
        assertThat(read().throttledNanos())
                .as("five seconds over all CPUs, but in two periods only")
                .isEqualTo(200_000_000L);
    }

    /** A quota that is known, and a file that may not be read. */
    @Test
    void read_quotaWithoutFigures_throttledIsUnknown() {
        root.with("/proc/self/cgroup", "0::/\n")
                .with("/proc/self/mountinfo", UNIFIED_MOUNT)
                .with("/sys/fs/cgroup/cpu.max", "150000 100000\n");

        assertThat(read().throttledNanos()).isEqualTo(Unknown.NUMBER);
    }

    /**
     * Two threads use up 50 ms of CPU in 25 ms of each period. Both stand still for the other 75 ms, which the kernel
     * counts as 150 ms.
     */
    @Test
    void read_throttledOnTwoCpus_isNoLongerThanThePeriodWithoutTheQuota() {
        root.with("/proc/self/cgroup", "0::/\n")
                .with("/proc/self/mountinfo", UNIFIED_MOUNT)
                .with("/proc/self/status", "Name:\tjava\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n")
                .with("/sys/fs/cgroup/cpu.max", "50000 100000\n")
                .with("/sys/fs/cgroup/cpu.stat", "nr_periods 10\nnr_throttled 10\nthrottled_usec 1500000\n");

        assertThat(read().throttledNanos()).isEqualTo(750_000_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "-", "0"})
    void read_throttledOnCpusThatAreNotKnown_isNoLongerThanThePeriods(String allowed) {
        root.with("/proc/self/cgroup", "0::/\n")
                .with("/proc/self/mountinfo", UNIFIED_MOUNT)
                .with("/proc/self/status", "Cpus_allowed_list:\t" + allowed + "\n")
                .with("/sys/fs/cgroup/cpu.max", "150000 100000\n")
                .with("/sys/fs/cgroup/cpu.stat", "nr_throttled 10\nthrottled_usec 9500000\n");

        assertThat(read().throttledNanos()).isEqualTo(1_000_000_000L);
    }

    @Test
    void read_unifiedMax_isNoLimit() {
        root.with("/proc/self/cgroup", "0::/\n")
                .with("/proc/self/mountinfo", UNIFIED_MOUNT)
                .with("/sys/fs/cgroup/cpu.max", "max 100000\n");

        assertThat(read().quotaCores()).isInfinite();
    }

    @Test
    void read_groupOutsideOfTheNamespace_isTheGroupOfTheMount() {
        root.with("/proc/self/cgroup", "0::/../../other\n")
                .with("/proc/self/mountinfo", UNIFIED_MOUNT)
                .with("/sys/fs/cgroup/cpu.max", "200000 100000\n");

        assertThat(read().quotaCores()).isEqualTo(2);
    }

    @Test
    void read_oldNested_isTheTightestOfAllAround() {
        root.with("/proc/self/cgroup", "4:memory:/m\n3:cpu,cpuacct:/docker/abc\n0::/\n")
                .with("/proc/self/mountinfo", OLD_MOUNTS)
                .with("/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "-1\n")
                .with("/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us", "100000\n")
                .with("/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "25000\n")
                .with("/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n")
                .with(
                        "/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.stat",
                        "nr_periods 100\nnr_throttled 40\nthrottled_time 1234567\n");

        assertThat(read().quotaCores()).isEqualTo(0.25);
        assertThat(read().throttledNanos()).isEqualTo(1_234_567L);
    }

    @Test
    void read_oldMountOfTheContainersOwnGroup_findsIt() {
        root.with("/proc/self/cgroup", "3:cpu:/docker/abc\n")
                .with(
                        "/proc/self/mountinfo",
                        "32 31 0:29 /docker/abc /sys/fs/cgroup/cpu ro,relatime - cgroup cgroup rw,cpu\n")
                .with("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "300000\n")
                .with("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");

        assertThat(read().quotaCores()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\u0000", "relative", "/\u0000"})
    void read_mountPointThatIsNoPath_isNoLimit(String mountPoint) {
        root.with("/proc/self/cgroup", "0::/\u0000\n")
                .with("/proc/self/mountinfo", "30 23 0:26 / " + mountPoint + " rw - cgroup2 cgroup2 rw\n");

        assertThat(read().quotaCores()).isInfinite();
    }

    @Test
    void read_nonsense_isNoLimit() {
        root.with("/proc/self/cgroup", "nonsense\n0::/\n:::\n")
                .with("/proc/self/mountinfo", "1 2\n - \n" + UNIFIED_MOUNT)
                .with("/sys/fs/cgroup/cpu.max", "many few\n")
                .with("/proc/stat", "\n")
                .with("/proc/self/stat", "42 (a) S");

        assertThat(read()).isEqualTo(new ProcessReading(-1, -1, -1, -1, Double.POSITIVE_INFINITY, 0));
    }
}
