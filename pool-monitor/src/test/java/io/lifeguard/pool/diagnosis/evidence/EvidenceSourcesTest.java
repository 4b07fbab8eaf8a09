package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.cpu.ProcessTimes;
import io.lifeguard.pool.diagnosis.evidence.cpu.WorkerTimes;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSource;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where the system says nothing of threads, that is said once; where it does, a thread it does not know is no reason to
 * say so.
 */
class EvidenceSourcesTest {

    @TempDir
    Path noSystem;

    private final List<String> lines = new ArrayList<>();
    private final FakeClock clock = new FakeClock();
    private final AtomicBoolean said = new AtomicBoolean();

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
        sources.blindness(workers, times, said).ifPresent(lines::add);
    }

    @Test
    void blindness_noSystem_isToldOnce() {
        say(new ThreadReader(noSystem), 7);
        say(new ThreadReader(noSystem), -1);

        assertThat(lines).singleElement().asString().startsWith("The operating system does not say here");
    }

    /** As on other systems than Linux, where workers do not know their numbers. */
    @Test
    void blindness_workersWithoutNumber_isTold() {
        say(new ThreadReader(noSystem), -1);

        assertThat(lines).singleElement().asString().startsWith("The operating system does not say here");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void blindness_workerThatHasEndedOrIsExternal_isNotTold() {
        say(new ThreadReader(), 999_999_999);
        say(new ThreadReader(), -1);

        assertThat(lines).isEmpty();
    }
}
