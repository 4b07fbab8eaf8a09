package io.lifeguard.pool.diagnosis.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.os.NativeThread;
import io.lifeguard.pool.os.Unknown;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class OsStateTest {

    @Test
    void of_unknownThread_isUnknown() {
        assertThat(OsState.of(Unknown.NUMBER)).isEqualTo(OsState.UNKNOWN);
        assertThat(OsState.of(Long.MAX_VALUE)).isEqualTo(OsState.UNKNOWN);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void of_callingThread_runs() {
        assertThat(OsState.of(NativeThread.currentId())).isEqualTo(OsState.RUNNING);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void of_parkedThread_waits() {
        try (Fixture fixture = new Fixture()) {
            Gate gate = fixture.gate();
            CompletableFuture<Long> id = new CompletableFuture<>();
            fixture.thread(() -> {
                id.complete(NativeThread.currentId());
                gate.pass();
            });
            await().until(() -> OsState.of(id.join()) == OsState.WAITING);
        }
    }

    @Test
    void ofLetter_otherLetters_areUnknown() {
        assertThat(OsState.ofLetter('D')).isEqualTo(OsState.WAITING);
        assertThat(OsState.ofLetter('T')).isEqualTo(OsState.UNKNOWN);
        assertThat(OsState.ofLetter('Z')).isEqualTo(OsState.UNKNOWN);
    }
}
