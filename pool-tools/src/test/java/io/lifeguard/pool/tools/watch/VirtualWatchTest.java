package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.os.VirtualThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What watch finds in JVMs with virtual threads that no library knows. */
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class VirtualWatchTest {

    private final List<Finding> found = new ArrayList<>();
    private final FindingListener listener = found::add;

    @BeforeEach
    void needsVirtualThreads() {
        assumeTrue(VirtualThreads.exist(), "virtual threads need Java 21");
    }

    /** Before Java 24 these threads keep all carriers, and no dump shows who holds a monitor. */
    @Test
    void look_monitorsInACircle_findsStandstillOrCircle() throws Exception {
        try (Child child = Child.tell("virtual-deadlock")) {
            Target target = Target.of(child.pid());
            target.takeAnyDump(); // of these two threads, which stand still
            watchUntilFound(target);

            boolean keepsCarrier = Runtime.version().feature() < 24;
            assertThat(found.get(0).id()).isEqualTo(keepsCarrier ? "carriers-starved" : "deadlock");
            assertThat(found.get(0).summary()).contains("waits for", "Story.withdraw(Story.java:");
        }
    }

    @Test
    void look_threadsComputeInTurns_findsStarvedCarriers() throws Exception {
        try (Child child = Child.tell("virtual-computing")) {
            watchUntilFound(Target.of(child.pid()));

            assertThat(found.get(0).id()).isEqualTo("carriers-starved");
            assertThat(found.get(0).summary()).contains("computes at", "Story.compute");
        }
    }

    /** Whoever does not want that danger is told what is unknown then, and why. */
    @Test
    void look_dumpCanCrashTheJvm_takesNoneAndSaysSo() throws Exception {
        try (Child child = Child.tell("virtual-deadlock")) {
            Target target = Target.of(child.pid());
            Watch watch = new Watch(target, listener);
            int windows = 0;
            while (windows < 4) {
                windows += watch.look() ? 1 : 0;
                Thread.sleep(watch.pause().toMillis());
            }
            assumeFalse(target.hazard().isEmpty(), "a dump of virtual threads is safe on this JVM");

            assertThat(target.dumpWithVirtualThreads()).isEmpty();
            assertThat(watch.blindness().orElse("")).contains("JDK-8364343", "--virtual-dump");
            assertThat(watch.obstacle()).isEqualTo(watch.blindness());
            assertThat(found).isEmpty();
            assertThat(WatchJson.of(watch, Instant.EPOCH)).contains("JDK-8364343");
            target.takeAnyDump();
            assertThat(target.dumpWithVirtualThreads()).isPresent();
        }
    }

    private void watchUntilFound(Target target) throws Exception {
        Watch watch = new Watch(target, listener);
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    watch.look();
                    return !found.isEmpty();
                });
    }
}
