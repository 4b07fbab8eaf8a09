package io.lifeguard.pool.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CompilerWaitTest {

    @TempDir
    Path directory;

    private void thread(int id, String name, String schedstat) {
        new FakeRoot(directory)
                .with("/proc/self/task/" + id + "/comm", name + "\n")
                .with("/proc/self/task/" + id + "/schedstat", schedstat + "\n");
    }

    @Test
    void nanos_twoCompilersBesideOthers_isTheirTimeOnTheRunQueue() {
        thread(5, "C1 CompilerThre", "1000 30 1");
        thread(6, "C2 CompilerThre", "2000 400 1");
        thread(7, "worker-1", "50 9999 1");
        CompilerWait wait = new CompilerWait(directory);

        assertThat(wait.nanos()).isEqualTo(430);
        thread(6, "C2 CompilerThre", "2001 500 2");
        thread(8, "C2 CompilerThre", "2000 7777 1");
        assertThat(wait.nanos()).as("a later compiler is not looked for").isEqualTo(530);
    }

    @Test
    void nanos_compilerHasEnded_countsNoMore() throws Exception {
        thread(5, "C2 CompilerThre", "1000 30 1");
        CompilerWait wait = new CompilerWait(directory);

        assertThat(wait.nanos()).isEqualTo(30);
        Files.delete(directory.resolve("proc/self/task/5/schedstat"));
        assertThat(wait.nanos()).isZero();
    }

    @Test
    void nanos_otherFormatOrSystem_isZero() {
        assertThat(new CompilerWait(directory).nanos()).isZero();
        thread(5, "C2 CompilerThre", "none");
        thread(6, "C1 CompilerThre", "1 x 1");
        assertThat(new CompilerWait(directory).nanos()).isZero();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void nanos_thisJvm_neverFalls() {
        CompilerWait wait = new CompilerWait();
        long before = wait.nanos();
        assertThat(before).isNotNegative();
        assertThat(wait.nanos()).isGreaterThanOrEqualTo(before);
    }
}
