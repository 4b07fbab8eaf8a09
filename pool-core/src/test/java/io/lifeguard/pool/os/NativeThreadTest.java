package io.lifeguard.pool.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class NativeThreadTest {

    @Test
    @EnabledOnOs(OS.LINUX)
    void currentId_differentThreads_areDifferent() {
        long here = NativeThread.currentId();
        long there = CompletableFuture.supplyAsync(NativeThread::currentId, task -> new Thread(task).start())
                .join();

        assertThat(here).isPositive().isEqualTo(NativeThread.currentId());
        assertThat(there).isPositive().isNotEqualTo(here);
    }

    @Test
    @EnabledOnOs({OS.WINDOWS, OS.MAC})
    void currentId_otherSystems_isUnknown() {
        assertThat(NativeThread.currentId()).isEqualTo(Unknown.NUMBER);
    }
}
