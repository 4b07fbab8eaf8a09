package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.TestLoggers;
import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.cpu.ProcessTimes;
import io.lifeguard.pool.diagnosis.evidence.cpu.WorkerTimes;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSource;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.os.ThreadReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where the system says nothing of threads, that is said once; where it does, a thread it does not know is no reason to
 * say so.
 */
class EvidenceSourcesTest {

    private static final Logger LOG = TestLoggers.logger("io.lifeguard.pool.diagnosis");

    @TempDir
    Path noSystem;

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final FakeClock clock = new FakeClock();
    private final AtomicBoolean said = new AtomicBoolean();
    private Level level; // null where it is the parent's

    @BeforeEach
    void listen() {
        level = LOG.getLevel();
        LOG.setLevel(Level.INFO);
        lines.start();
        LOG.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        LOG.detachAppender(lines);
        LOG.setLevel(level);
    }

    private void say(ThreadReader threads, long nativeId) {
        EvidenceBudget budget = new EvidenceBudget(() -> 0, clock::nanoTime);
        EvidenceSources sources =
                new EvidenceSources(ProcessTimes.ofThisProcess(clock), threads, StackSource.NONE, budget);
        List<WorkerState> workers = List.of(new WorkerState(
                Thread.currentThread(),
                OptionalLong.of(nativeId),
                true,
                false,
                Optional.of("kind"),
                Duration.ofSeconds(1),
                1));
        WorkerTimes times = new WorkerTimes(threads::read, budget, clock);
        times.read(workers);
        sources.sayIfUnknown(workers, times, said);
    }

    private List<String> said() {
        return lines.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.startsWith("The operating system does not say here"))
                .toList();
    }

    @Test
    void sayIfUnknown_noSystem_isLoggedOnce() {
        say(new ThreadReader(noSystem), 7);
        say(new ThreadReader(noSystem), -1);

        assertThat(said()).hasSize(1);
    }

    /** As on other systems than Linux, where workers do not know their numbers. */
    @Test
    void sayIfUnknown_workersWithoutNumber_isLogged() {
        say(new ThreadReader(noSystem), -1);

        assertThat(said()).hasSize(1);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void sayIfUnknown_workerThatHasEndedOrIsExternal_isNotLogged() {
        say(new ThreadReader(), 999_999_999);
        say(new ThreadReader(), -1);

        assertThat(said()).isEmpty();
    }
}
