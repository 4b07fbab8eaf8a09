package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** What the stacks of a pool's workers say, without a window. */
class SaidWaitTest {

    /** When it is said, a worker may be between two tasks, which the looks before did not meet. */
    @Test
    void of_oneWorkerIsIdle_countsOnlyThoseThatAreBusy() throws IOException {
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("prices").size(3).build();
        try (ServerSocket server = new ServerSocket(0);
                Socket one = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket other = new Socket(server.getInetAddress(), server.getLocalPort())) {
            pool.prestartAllCoreThreads();
            pool.execute(() -> read(one));
            pool.execute(() -> read(other));
            await().ignoreExceptions().untilAsserted(() -> {
                SaidFinding said = SaidWait.of(pool, "prices");
                assertThat(said.summary())
                        .startsWith("2 of 3 workers are busy and 0 tasks wait; where they are: 2 waiting for something"
                                + " outside at ")
                        .doesNotContain("elsewhere");
            });
        } finally {
            pool.shutdown();
        }
    }

    private static void read(Socket socket) {
        try {
            socket.getInputStream().read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
