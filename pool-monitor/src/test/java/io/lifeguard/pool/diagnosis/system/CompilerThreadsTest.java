package io.lifeguard.pool.diagnosis.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.os.Unknown;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CompilerThreadsTest {

    private static final int UNTIL_NEXT_LOOK = 32;

    @TempDir
    Path directory;

    private void thread(int id, String name, long nanos) {
        new FakeRoot(directory)
                .with("/proc/self/task/" + id + "/comm", name + "\n")
                .with("/proc/self/task/" + id + "/schedstat", nanos + " 5 1\n");
    }

    private CompilerThreads threads() {
        return new CompilerThreads(directory);
    }

    @Test
    void cpuNanos_twoCompilersBesideOthers_isTheirSumSinceTheFirstReading() {
        thread(5, "C1 CompilerThre", 1_000);
        thread(6, "C2 CompilerThre", 2_000);
        thread(7, "worker-1", 50);
        CompilerThreads threads = threads();

        assertThat(threads.cpuNanos()).isZero();
        thread(5, "C1 CompilerThre", 1_100);
        thread(6, "C2 CompilerThre", 2_700);
        thread(7, "worker-1", 9_999);
        assertThat(threads.cpuNanos()).isEqualTo(800);
        assertThat(threads.cpuNanos()).isEqualTo(800);
    }

    @Test
    void cpuNanos_compilerStartedLater_isFoundOnceTheOthersHaveCompiled() {
        thread(5, "C1 CompilerThre", 1_000);
        CompilerThreads threads = threads();
        threads.cpuNanos();
        thread(6, "C2 CompilerThre", 500);

        for (int i = 1; i <= UNTIL_NEXT_LOOK; i++) {
            threads.cpuNanos();
        }
        thread(6, "C2 CompilerThre", 700);
        assertThat(threads.cpuNanos()).as("nothing is compiled").isZero();

        thread(5, "C1 CompilerThre", 50_001_000);
        for (int i = 1; i <= UNTIL_NEXT_LOOK; i++) {
            threads.cpuNanos();
        }
        thread(6, "C2 CompilerThre", 900);
        assertThat(threads.cpuNanos()).isEqualTo(50_000_200);
    }

    @Test
    void cpuNanos_compilerHasEnded_keepsItsTime() throws Exception {
        thread(5, "C2 CompilerThre", 1_000);
        CompilerThreads threads = threads();
        threads.cpuNanos();
        thread(5, "C2 CompilerThre", 1_300);
        threads.cpuNanos();
        Files.delete(directory.resolve("proc/self/task/5/schedstat"));

        assertThat(threads.cpuNanos()).isEqualTo(300);
    }

    @Test
    void cpuNanos_noSuchThreadOrNoSystem_isUnknown() {
        assertThat(threads().cpuNanos()).isEqualTo(Unknown.NUMBER);
        thread(5, "worker-1", 1_000);
        assertThat(threads().cpuNanos()).isEqualTo(Unknown.NUMBER);
        thread(5, "C2 CompilerThre", 1_000);
        new FakeRoot(directory).with("/proc/self/task/5/schedstat", "nonsense\n");
        assertThat(threads().cpuNanos()).isEqualTo(Unknown.NUMBER);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void cpuNanos_thisJvm_isKnown() {
        CompilerThreads threads = new CompilerThreads(Path.of("/"));

        assertThat(threads.cpuNanos()).isNotNegative();
    }
}
