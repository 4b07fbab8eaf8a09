package io.lifeguard.pool.diagnosis.evidence.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.os.Unknown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The system's numbers of threads, by files as Linux writes them. */
class NativeIdsTest {

    private static final long MS = 1_000_000;
    private static final String NAME = "ForkJoinPool-1-worker-2";

    @TempDir
    Path root;

    private void thread(int id, String comm, long cpuMillis) throws IOException {
        Path task = Files.createDirectories(root.resolve("proc/self/task/" + id));
        Files.writeString(task.resolve("comm"), comm + "\n");
        Files.writeString(task.resolve("schedstat"), cpuMillis * MS + " 0 7\n");
        Files.writeString(task.resolve("status"), "voluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t1\n");
    }

    /** The system's name of carriers is the same, and of other pools' workers, too. */
    @BeforeEach
    void threads() throws IOException {
        thread(11, "ForkJoinPool-1-", 500);
        thread(12, "ForkJoi..rker-2", 510);
        thread(13, "ForkJoinPool-1-", 7_000);
        thread(14, "other", 7_000);
    }

    @Test
    void find_threadsLookAlike_isUnknown() {
        ThreadReader system = new ThreadReader(root);
        assertThat(NativeIds.find(NAME, () -> 7_005 * MS, system)).isEqualTo(13);
        assertThat(NativeIds.find(NAME, () -> 505 * MS, system)).isEqualTo(Unknown.NUMBER);
        assertThat(NativeIds.find(NAME, () -> 900 * MS, system)).isEqualTo(Unknown.NUMBER);
    }

    @Test
    void findAny_threadsLookAlike_isTheNearestOneThatIsNotTaken() {
        ThreadReader system = new ThreadReader(root);
        assertThat(NativeIds.findAny(NAME, () -> 508 * MS, system, List.of())).isEqualTo(12);
        assertThat(NativeIds.findAny(NAME, () -> 508 * MS, system, List.of(12L)))
                .isEqualTo(11);
        assertThat(NativeIds.findAny(NAME, () -> 508 * MS, system, List.of(11L, 12L)))
                .isEqualTo(Unknown.NUMBER);
    }
}
