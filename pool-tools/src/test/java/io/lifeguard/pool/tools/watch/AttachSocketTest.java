package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that hangs no longer takes requests. */
@EnabledOnOs(OS.LINUX)
class AttachSocketTest {

    @TempDir
    Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    /** Each watch of a JVM that hangs leaves a request in the queue, so the queue is full after some of them. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void ask_queueOfRequestsIsFull_doesNotWaitForever() throws Exception {
        Path file = directory.resolve("socket");
        ServerSocketChannel jvm = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        open.add(jvm);
        jvm.bind(UnixDomainSocketAddress.of(file), 1);
        fill(file);

        assertThatThrownBy(() -> new AttachSocket(file).ask(Duration.ofSeconds(1), "jcmd", "Thread.print"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void ask_noAnswer_givesUp() throws Exception {
        Path file = directory.resolve("socket");
        ServerSocketChannel jvm = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        open.add(jvm);
        jvm.bind(UnixDomainSocketAddress.of(file));

        assertThatThrownBy(() -> new AttachSocket(file).ask(Duration.ofMillis(50), "jcmd", "Thread.print"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no answer");
    }

    private void fill(Path file) throws IOException {
        while (true) {
            SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX);
            open.add(client);
            client.configureBlocking(false);
            try {
                if (!client.connect(UnixDomainSocketAddress.of(file))) {
                    return;
                }
            } catch (IOException full) {
                return;
            }
        }
    }
}
