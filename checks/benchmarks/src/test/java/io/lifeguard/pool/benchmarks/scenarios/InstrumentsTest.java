package io.lifeguard.pool.benchmarks.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.benchmarks.scenarios.BracketedTask.Account;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InstrumentsTest {
    private static final Setup SETUP = new Setup(Duration.ZERO, Duration.ZERO, 250.4, true, 1, 1);

    @Test
    void busyTicks_linuxLine_addsUserNiceSystemAndStolen() {
        assertThat(LoadMeter.busyTicks("cpu  3705 10 1088 203357 2141 7 94 4 0 0\ncpu0 1 1 1 1\n"))
                .isEqualTo(3705 + 10 + 1088 + 4);
    }

    @Test
    void busyTicks_oldKernelWithoutStolen_addsTheRest() {
        assertThat(LoadMeter.busyTicks("cpu  1 2 3 4\n")).isEqualTo(6);
    }

    @Test
    void foreignShare_nothingMeasured_isZero() {
        assertThat(new LoadMeter().foreignShare()).isZero();
    }

    @Test
    void steps_micros_areRounded() {
        assertThat(SETUP.steps(0)).isZero();
        assertThat(SETUP.steps(10)).isEqualTo(2_504);
    }

    @Test
    void bytesEach_freshTasks_isTheObjectsSize() {
        assertThat(Tasks.bytesEach(Tasks.of(1, SETUP))).isBetween(12.0, 32.0);
    }

    @Test
    void percentileMicros_ranks_areNearest() {
        Samples samples = new Samples();
        for (int i = 2_000; i >= 1; i--) {
            samples.add(i * 1_000L);
        }

        assertThat(samples.percentileMicros(0.5)).isEqualTo(1_000);
        assertThat(samples.percentileMicros(0.99)).isEqualTo(1_980);
        assertThat(samples.percentileMicros(1)).isEqualTo(2_000);
    }

    @Test
    void percentileMicros_noSample_saysWhy() {
        assertThatThrownBy(() -> new Samples().percentileMicros(0.5)).hasMessageContaining("too short");
    }

    @Test
    void taskKinds_all_are256Classes() {
        assertThat(TaskKinds.all()).hasSize(256);
        assertThat(TaskKinds.all()).extracting(Object::getClass).doesNotHaveDuplicates();
        TaskKinds.all().forEach(Runnable::run);
    }

    /** The harness can weigh: 1 MiB kept alive is 1 MiB more. */
    @Test
    void settled_aMegabyteKept_isSeen() {
        Heap.settled();
        long before = Heap.settled();
        byte[] kept = new byte[1 << 20];
        long after = Heap.settled();

        assertThat(kept).hasSize(1 << 20);
        assertThat((double) (after - before)).isCloseTo(1 << 20, within(200_000.0));
    }

    /** What the task says of itself lies within what its thread burnt around it. */
    @Test
    void bracketedTask_run_accountsForItsWork() {
        Account account = new Account();
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < 50; i++) {
            account.submit(Runnable::run, 100_000);
        }
        long around = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;

        assertThat(account.cpuNanos()).isBetween(around / 2, around + around / 20);
    }
}
