package io.lifeguard.pool.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class NativeThreadTest {

    @Test
    @EnabledOnOs(OS.LINUX)
    void current_differentThreads_haveDifferentNumbers() {
        NativeThread here = NativeThread.current();
        NativeThread there = CompletableFuture.supplyAsync(NativeThread::current, task -> new Thread(task).start())
                .join();

        assertThat(here.id()).isPositive().isEqualTo(NativeThread.current().id());
        assertThat(there.id()).isPositive().isNotEqualTo(here.id());
    }

    @Test
    @EnabledOnOs({OS.WINDOWS, OS.MAC})
    void current_elsewhere_isUnknownAndSilent() {
        assertThat(NativeThread.current().id()).isEqualTo(NativeThread.UNKNOWN);
    }
}
