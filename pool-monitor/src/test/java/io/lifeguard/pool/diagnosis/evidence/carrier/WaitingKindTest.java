package io.lifeguard.pool.diagnosis.evidence.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.evidence.stack.LimitedResource;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitingKindTest {

    private static final List<StackTraceElement> STACK = List.of(
            new StackTraceElement(
                    "org.apache.commons.pool2.impl.GenericObjectPool", "evict", "GenericObjectPool.java", 7),
            new StackTraceElement("com.example.Orders", "load", "Orders.java", 42));

    private final Optional<LimitedResource> resource = LimitedResource.of(STACK);

    /** A library's own monitor is no connection. */
    @Test
    void kind_blockedInALibraryThatLends_isAMonitor() {
        assertThat(resource).isPresent();
        assertThat(WaitingLines.kind(new Stratum(false, Thread.State.BLOCKED, "monitor", 0), STACK, resource))
                .isEqualTo(Kind.MONITOR);
    }

    @Test
    void kind_waitsInALibraryThatLends_isAConnection() {
        assertThat(WaitingLines.kind(new Stratum(false, Thread.State.WAITING, "", 0), STACK, resource))
                .isEqualTo(Kind.CONNECTION);
    }
}
