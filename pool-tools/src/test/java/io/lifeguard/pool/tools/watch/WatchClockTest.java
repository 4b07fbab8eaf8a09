package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A watch whose clocks leap by an hour: the wall clock is set, or a machine with both clocks was moved. */
@EnabledOnOs(OS.LINUX)
class WatchClockTest {

    private final List<String> news = new ArrayList<>();
    private Duration wall = Duration.ZERO;
    private Duration monotonic = Duration.ZERO;

    private final MonitorClock clock = new MonitorClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime() + monotonic.toNanos();
        }

        @Override
        public Instant now() {
            return Instant.now().plus(wall);
        }
    };

    private final FindingListener listener = new FindingListener() {
        @Override
        public void raised(Finding finding) {
            note("raised", finding);
        }

        @Override
        public void resolved(Finding finding) {
            note("resolved", finding);
        }

        @Override
        public void ended(Finding finding, String why) {
            note("ended, " + why, finding);
        }
    };

    /** A busy machine may show something else of the pool, too. */
    private void note(String what, Finding finding) {
        if (finding.id().equals("lock-contention")) {
            news.add(what);
        }
    }

    @Test
    @Tag("slow")
    void look_clocksLeapByAnHour_findingStandsAndIsRaisedOnce() throws Exception {
        try (Child child = Child.tell("monitor")) {
            Watch watch = new Watch(Target.of(child.pid()), listener, Optional.empty(), clock);
            Windows.await(watch, () -> !news.isEmpty());
            for (int hours : new int[] {1, -1}) {
                wall = wall.plusHours(hours);
                assertStands(watch, "after the wall clock leapt by " + hours);
                wall = wall.plusHours(hours);
                monotonic = monotonic.plusHours(hours);
                assertStands(watch, "after both clocks leapt by " + hours);
            }
            assertStands(watch, "a window later");
        }
    }

    /** Asserts that the finding still stands when the present window ends. */
    private void assertStands(Watch watch, String when) {
        Windows.await(watch, () -> true);
        assertThat(news).as(when).containsExactly("raised");
        assertThat(watch.pools())
                .as(when)
                .anySatisfy(pool ->
                        assertThat(pool.findings()).extracting(Finding::id).contains("lock-contention"));
    }
}
