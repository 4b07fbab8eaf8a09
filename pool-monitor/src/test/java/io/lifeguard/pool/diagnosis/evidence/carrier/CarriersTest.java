package io.lifeguard.pool.diagnosis.evidence.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.diagnosis.evidence.cpu.NativeIds;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.os.Unknown;
import io.lifeguard.pool.os.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;

/** The carriers of this JVM are found, also by the system. */
@EnabledForJreRange(min = JRE.JAVA_21)
class CarriersTest {

    private final Carriers carriers = new Carriers(System::nanoTime);

    /** The virtual thread computes until its carrier's CPU time differs from that of all other threads. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void threads_oneComputes_isFoundByTheSystem() {
        AtomicBoolean isOver = new AtomicBoolean();
        VirtualThreads.unnamed()
                .newThread(() -> {
                    while (!isOver.get()) {
                        Thread.onSpinWait();
                    }
                })
                .start();
        try {
            await().until(() -> {
                carriers.look();
                return carriers.threads().stream().anyMatch(CarriersTest::isFound);
            });
        } finally {
            isOver.set(true);
        }
    }

    private static boolean isFound(Thread carrier) {
        long id = NativeIds.findAny(
                carrier.getName(),
                () -> ManagementFactory.getThreadMXBean().getThreadCpuTime(ThreadLook.id(carrier)),
                new ThreadReader(),
                List.of());
        return id != Unknown.NUMBER;
    }

    /** Of the threads in the JVM's group of carriers, Java 25 has one that is none, but that parks until a time. */
    @Test
    void threads_virtualThreadsSleep_areCarriersOnly() {
        VirtualThreads.unnamed()
                .newThread(() -> LockSupport.parkNanos(1_000_000))
                .start();
        await().until(() -> {
            carriers.look();
            return !carriers.threads().isEmpty();
        });
        assertThat(carriers.threads())
                .allSatisfy(thread -> assertThat(thread.getName()).contains("-worker-"));
    }

    /** The probe is made by one window and runs by the next one, or later on a busy machine. */
    @Test
    void advance_carriersAreFree_probeStarts() {
        VirtualThreads.unnamed().newThread(() -> {}).start();
        await().until(() -> {
            carriers.look();
            return carriers.arePresent();
        });
        assertThat(carriers.advance(Duration.ofDays(1), 0.9).startDelay()).isZero();
        await().until(() -> carriers.advance(Duration.ofDays(1), 0.9).hasStarted());
    }
}
