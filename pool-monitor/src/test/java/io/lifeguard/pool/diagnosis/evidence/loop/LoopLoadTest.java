package io.lifeguard.pool.diagnosis.evidence.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.diagnosis.seen.EventLoopLooks.Fill;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How full a loop was, by its CPU time in Java and the system's figures of the thread of the same name. */
class LoopLoadTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long GROWN_UP = 4 * SECOND;

    @TempDir
    Path root;

    private final LoopLoad load = new LoopLoad(0);
    private long now = GROWN_UP;
    private long cpu;
    private long delay;
    private long waits;

    @BeforeEach
    void makeThreads() throws IOException {
        thread(7, "other", 0, 0, 0);
        thread(8, "netty-worker-1", 0, 0, 0);
    }

    private void thread(int id, String name, long cpuNanos, long delayNanos, long switches) throws IOException {
        Path task = Files.createDirectories(root.resolve("proc/self/task/" + id));
        Files.writeString(task.resolve("comm"), name + "\n");
        Files.writeString(task.resolve("schedstat"), cpuNanos + " " + delayNanos + " 1\n");
        Files.writeString(
                task.resolve("status"), "voluntary_ctxt_switches:\t" + switches + "\nnonvoluntary_ctxt_switches:\t1\n");
    }

    /** One second passes, of which the loop had so much CPU time, and waited for a CPU for so long. */
    private void second(double cpuShare, double delayShare, int waitsInIt, String handler) throws IOException {
        now += SECOND;
        cpu += (long) (cpuShare * SECOND);
        delay += (long) (delayShare * SECOND);
        waits += waitsInIt;
        thread(8, "netty-worker-1", cpu, delay, waits);
        load.looked(now, handler);
        load.read(now, "netty-worker-1", cpu, new ThreadReader(root));
    }

    private Optional<Fill> fillAfter(int seconds, double cpuShare, double delayShare, int waitsInEach)
            throws IOException {
        for (int i = 0; i < seconds; i++) {
            second(cpuShare, delayShare, waitsInEach, i % 2 == 0 ? "com.example.Orders.load" : "");
        }
        return load.fill();
    }

    @Test
    void fill_loopAtWorkAllTheTime_isFullAndCountsItsWaits() throws IOException {
        Fill fill = fillAfter(7, 0.95, 0, 20).orElseThrow();
        assertThat(fill.busy()).isCloseTo(0.95, within(0.01));
        assertThat(fill.waits().orElseThrow()).isCloseTo(20, within(0.1));
        assertThat(fill.parts()).containsOnlyKeys("com.example.Orders.load");
        assertThat(fill.parts().get("com.example.Orders.load")).isBetween(0.4, 0.6);
        assertThat(load.isBusy()).isTrue();
    }

    @Test
    void fill_othersHaveTheCpu_countsOnlyTheTimeThatTheLoopCouldUse() throws IOException {
        Fill fill = fillAfter(7, 0.3, 0.4, 20).orElseThrow();
        assertThat(fill.busy()).isCloseTo(0.5, within(0.01));
    }

    @Test
    void fill_loopThatHardlyWorks_isNotBusyAndAsksTheSystemNothing() throws IOException {
        Fill fill = fillAfter(7, 0.1, 0, 500).orElseThrow();
        assertThat(fill.busy()).isCloseTo(0.1, within(0.01));
        assertThat(fill.waits()).isEmpty();
        assertThat(load.isBusy()).isFalse();
    }

    @Test
    void fill_twoThreadsOfThatNameThatLookAlike_knowsNoWaits() throws IOException {
        for (int i = 0; i < 6; i++) {
            thread(9, "netty-worker-1", cpu + (long) (0.95 * SECOND), 0, 0);
            second(0.95, 0, 20, "");
        }
        Fill fill = load.fill().orElseThrow();
        assertThat(fill.busy()).isCloseTo(0.95, within(0.01));
        assertThat(fill.waits()).isEmpty();
    }

    @Test
    void fill_beforeItIsThreeSecondsOld_isEmpty() throws IOException {
        now = 0;
        assertThat(fillAfter(2, 1, 0, 0)).isEmpty();
    }

    @Test
    void forget_afterReadings_startsAnew() throws IOException {
        assertThat(fillAfter(7, 0.95, 0, 20)).isPresent();
        load.forget();
        assertThat(load.fill()).isEmpty();
    }
}
