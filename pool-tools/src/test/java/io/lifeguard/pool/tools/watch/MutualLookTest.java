package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.tools.jvm.Jcmd;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A JVM that looks at itself cannot read while it stands still. The same holds for two that look at each other, and for
 * one that was stopped while it looked at another.
 */
@EnabledOnOs(OS.LINUX)
class MutualLookTest {

    @Test
    void dump_ofTheJvmThatAsks_doesNotHoldIt() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LooksAtItself.class.getName())
                .inheritIO()
                .start();
        try {
            assertThat(child.waitFor(60, TimeUnit.SECONDS))
                    .as("the JVM goes on")
                    .isTrue();
            assertThat(child.exitValue()).isZero();
        } finally {
            child.destroyForcibly();
        }
    }

    /** Has more threads than a socket can hold the stacks of. */
    static final class LooksAtItself {

        private static final int THREADS = 500;
        private static final Duration PATIENCE = Duration.ofSeconds(40);

        private LooksAtItself() {}

        public static void main(String[] arguments) throws Exception {
            CountDownLatch end = new CountDownLatch(1);
            for (int i = 0; i < THREADS; i++) {
                Thread thread = new Thread(() -> awaitUnlessInterrupted(end), "waits-" + i);
                thread.setDaemon(true);
                thread.start();
            }
            long pid = ProcessHandle.current().pid();
            Jcmd.run(PATIENCE, pid, "VM.version"); // has the JVM open its socket
            AttachSocket socket = AttachSocket.of(pid, pid).orElseThrow();
            System.exit(socket.ask(PATIENCE, "jcmd", "Thread.print").contains("waits-" + (THREADS - 1)) ? 0 : 1);
        }

        private static void awaitUnlessInterrupted(CountDownLatch end) {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
