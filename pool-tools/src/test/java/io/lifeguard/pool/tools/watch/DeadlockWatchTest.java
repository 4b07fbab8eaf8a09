package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Circles of virtual threads in dumps that do not say who holds a lock. */
class DeadlockWatchTest {

    private final List<Finding> found = new ArrayList<>();
    private final DeadlockWatch watch = new DeadlockWatch(found::add);

    private static ThreadDump dump(String other) {
        return DumpPictureTest.dump(
                DumpPictureTest.waiter("one", "b", 43),
                other,
                DumpPictureTest.waiter("waits-1", "a", 40),
                DumpPictureTest.waiter("waits-2", "b", 40));
    }

    private void see(ThreadDump dump) {
        watch.close(dump, Optional.of(dump), "", ProcessWindow.unknown(2), Instant.EPOCH);
    }

    @Test
    void close_sameCircleInTwoDumps_isADeadlockByItsStacks() {
        see(dump(DumpPictureTest.waiter("other", "a", 43)));
        assertThat(found).isEmpty();

        see(dump(DumpPictureTest.waiter("other", "a", 43)));
        assertThat(found).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
            assertThat(finding.summary()).startsWith("2 threads wait for each other forever (by their stacks): ");
            assertThat(finding.evidence().get("circle")).asString().contains("(by its stack)");
        });
    }

    @Test
    void close_oneTriesForATime_findsNothing() {
        for (int i = 0; i < 3; i++) {
            see(dump(DumpPictureTest.timed(DumpPictureTest.waiter("other", "a", 43))));
        }
        assertThat(found).isEmpty();
    }
}
