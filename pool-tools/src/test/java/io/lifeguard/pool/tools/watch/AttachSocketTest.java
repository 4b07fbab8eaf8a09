package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
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
        listen(1);
        fill();

        assertThatThrownBy(() -> new AttachSocket(file()).ask(Duration.ofMillis(100), "jcmd", "Thread.print"))
                .isInstanceOf(IOException.class);
    }

    /** A request that stays would have the JVM open its socket at the next SIGQUIT, instead of printing its threads. */
    @Test
    void open_jvmThatNobodyAsked_answersAndHasNoRequest() throws Exception {
        try (Child child = Child.tell("idle")) {
            assertThat(AttachSocket.of(child.pid(), child.pid())).isEmpty();

            AttachSocket socket =
                    AttachSocket.open(child.pid(), child.pid(), Target.PATIENCE).orElseThrow();
            assertThat(socket.ask(Target.PATIENCE, "jcmd", "Thread.print")).contains("Full thread dump");
            assertThat(Path.of("/proc/" + child.pid() + "/cwd/.attach_pid" + child.pid()))
                    .doesNotExist();
        }
    }

    /** Such a JVM takes SIGQUIT for the wish to print its threads. */
    @Test
    void open_jvmThatTakesNoRequests_leavesItAlone() throws Exception {
        try (Child child = Child.tell("idle", "-XX:+DisableAttachMechanism")) {
            assertThat(AttachSocket.open(child.pid(), child.pid(), Target.PATIENCE))
                    .isEmpty();

            child.process().getOutputStream().close();
            assertThat(child.process().inputReader(StandardCharsets.UTF_8).lines())
                    .noneMatch(line -> line.contains("Full thread dump"));
        }
    }

    /** Others may ask the same JVM at the same moment. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void ask_queueOfRequestsIsFullForAMoment_isAnswered() throws Exception {
        ServerSocketChannel jvm = listen(1);
        fill();
        List<AutoCloseable> waiting = List.copyOf(open.subList(1, open.size()));
        FutureTask<String> asking =
                new FutureTask<>(() -> new AttachSocket(file()).ask(Duration.ofSeconds(30), "jcmd", "Thread.print"));
        Thread asker = new Thread(asking, "asker");
        asker.start();
        Awaitility.await().until(() -> asker.getState() == Thread.State.TIMED_WAITING); // for room in the queue

        for (AutoCloseable each : waiting) {
            each.close();
        }
        int answered = 0;
        while (answered < 2) { // which version it speaks, and the dump; those that have gone want no answer
            answered += answered(jvm) ? 1 : 0;
        }
        assertThat(asking.get()).isEqualTo("yes");
    }

    /** A list of JVMs interrupts the look at one that hangs. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void ask_interruptedWhileTheQueueOfRequestsIsFull_ends() throws Exception {
        listen(1);
        fill();
        AtomicBoolean isStillInterrupted = new AtomicBoolean();
        FutureTask<String> asking = new FutureTask<>(() -> {
            try {
                return new AttachSocket(file()).ask(Duration.ofHours(1), "jcmd", "Thread.print");
            } finally {
                isStillInterrupted.set(Thread.currentThread().isInterrupted());
            }
        });
        Thread asker = new Thread(asking, "asker");
        asker.setDaemon(true);
        asker.start();
        Awaitility.await().until(() -> asker.getState() == Thread.State.TIMED_WAITING); // for room in the queue

        asker.interrupt();

        assertThatThrownBy(() -> asking.get(30, TimeUnit.SECONDS)).hasRootCauseInstanceOf(InterruptedIOException.class);
        assertThat(isStillInterrupted).isTrue();
    }

    private static boolean answered(ServerSocketChannel jvm) throws IOException {
        try (SocketChannel request = jvm.accept()) {
            if (request.read(ByteBuffer.allocate(1_000)) < 0) {
                return false;
            }
            request.write(ByteBuffer.wrap("0\nyes".getBytes(StandardCharsets.US_ASCII)));
            return true;
        }
    }

    @Test
    void ask_noAnswer_givesUp() throws Exception {
        listen(0); // as many as is usual

        assertThatThrownBy(() -> new AttachSocket(file()).ask(Duration.ofMillis(50), "jcmd", "Thread.print"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no answer");
    }

    private Path file() {
        return directory.resolve("socket");
    }

    /** Listens as a JVM does, and answers nothing by itself. */
    private ServerSocketChannel listen(int requests) throws IOException {
        ServerSocketChannel jvm = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        open.add(jvm);
        jvm.bind(UnixDomainSocketAddress.of(file()), requests);
        return jvm;
    }

    private void fill() throws IOException {
        while (true) {
            SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX);
            open.add(client);
            client.configureBlocking(false);
            try {
                if (!client.connect(UnixDomainSocketAddress.of(file()))) {
                    return;
                }
            } catch (IOException full) {
                return;
            }
        }
    }
}
