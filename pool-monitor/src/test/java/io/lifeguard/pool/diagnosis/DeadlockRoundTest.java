package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.log.Guard;
import io.lifeguard.pool.diagnosis.rules.Deadlock;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.recording.LiveSink;
import io.lifeguard.pool.recording.Recorder;
import io.lifeguard.pool.testing.Fixture;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class DeadlockRoundTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final MonitorSettings settings = new MonitorSettings();

    private static void lockBoth(ReentrantLock one, ReentrantLock other, CountDownLatch both) {
        one.lock();
        both.countDown();
        try {
            both.await();
            other.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Collections that take much of the time change nothing about threads that wait for each other forever. */
    @Test
    void make_windowsInWhichEverythingStoodStill_areJudged() {
        ReentrantLock one = new ReentrantLock();
        ReentrantLock other = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2); // each has its first lock before it wants its second one
        Thread first = fixture.thread(() -> lockBoth(one, other, both));
        Thread second = fixture.thread(() -> lockBoth(other, one, both));
        fixture.eventually("both wait", () -> one.hasQueuedThread(second) && other.hasQueuedThread(first));
        settings.discoversRules(false);
        settings.rules().add(new Deadlock());
        Guard guard = new Guard();
        RuleBook rules = new RuleBook(settings, guard);
        rules.choose();
        EvidenceSources sources = EvidenceSources.ofThisMachine(MonitorClock.SYSTEM);
        DeadlockRound deadlocks = new DeadlockRound(new Engine(
                settings,
                MonitorClock.SYSTEM,
                sources,
                sources.disturbances(),
                guard,
                rules,
                finding -> {},
                new RoundRecorder(new Recorder(LiveSink.NONE), MonitorClock.SYSTEM)));
        Round disturbed = new Round(ProcessWindow.unknown(2), true, false, Map.of(), "");

        fixture.eventually("the finding", () -> {
            deadlocks.make(disturbed);
            return deadlocks.findings().findAny().isPresent();
        });

        assertThat(deadlocks.findings()).extracting(Finding::id).containsExactly("deadlock");
        first.interrupt();
        second.interrupt();
    }
}
