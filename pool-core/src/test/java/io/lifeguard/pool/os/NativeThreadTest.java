package io.lifeguard.pool.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
    @EnabledOnOs(OS.LINUX)
    void cpuNanos_ofAnotherThread_canBeReadWhileItLivesAndIsUnknownAfterwards() throws InterruptedException {
        CompletableFuture<NativeThread> known = new CompletableFuture<>();
        CompletableFuture<Void> leave = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            known.complete(NativeThread.current());
            leave.join();
        });
        thread.start();

        assertThat(known.join().cpuNanos()).isPositive();
        leave.complete(null);
        thread.join();
        await().until(() -> known.join().cpuNanos() == NativeThread.UNKNOWN);
    }

    @Test
    @EnabledOnOs({OS.WINDOWS, OS.MAC})
    void current_elsewhere_isUnknownAndSilent() {
        assertThat(NativeThread.current().id()).isEqualTo(NativeThread.UNKNOWN);
        assertThat(NativeThread.current().cpuNanos()).isEqualTo(NativeThread.UNKNOWN);
    }
}
