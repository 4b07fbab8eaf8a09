package io.lifeguard.pool.tools.watch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The socket at which a HotSpot JVM on Linux takes the requests of {@code jcmd}. Confined to one thread. Each request
 * is a connection of its own.
 *
 * <p>The protocol is that of HotSpot's {@code attachListener.cpp}. Version 1, which all JDKs from 8 to 25 speak: the
 * version, a command and three arguments, each ended by a zero byte. Version 2 of JDK 24 and later: the version, the
 * number of bytes that follow, the command with options, and its arguments. The answer is a line with 0 for success,
 * and the text.
 */
/*
 * JDK 25 and later may write a dump into the socket while all threads are stopped (JDK-8319055). Then the JVM stands
 * still until this program has read it: forever if this program is stopped itself, or if both look at each other at
 * the same moment. So such a JVM is asked to write its answer when it has the whole of it, which only version 2 can say.
 */
final class AttachSocket {

    /**
     * What jcmd does, for the JVM of process {@code $0} that has number {@code $1} in its container: a file that asks
     * for the socket, and SIGQUIT. It outlives this program, so that the file does not stay. {@code set -C} follows no
     * link that another user has put there.
     */
    private static final String OPEN = """
            trap '' INT HUP TERM; set -C; file=/proc/$0/cwd/.attach_pid$1
            { true > $file; } 2>/dev/null || { file=/proc/$0/root/tmp/.attach_pid$1; true > $file; } 2>/dev/null || exit 1
            kill -QUIT $0 || { rm -f $file; exit 1; }
            for i in $(seq 200); do [ -S /proc/$0/root/tmp/.java_pid$1 ] && break; sleep 0.05 || sleep 1; done
            rm -f $file
            """;

    /** The JVM's capabilities are a text of digits after the name, of which the first one is attaching. */
    private static final Pattern TAKES_NONE = Pattern.compile("sun\\.rt\\.jvmCapabilities\\x00+0");

    private static final int ARGUMENTS = 3; // of version 1
    private static final String WHOLE_ANSWER = " streaming=0"; // an option of version 2
    private static final int BUFFER = 64 * 1024;
    private static final long RETRY_NANOS = 10_000_000;

    private final Path file;
    private @Nullable Boolean mayStream; // null before the JVM was asked

    AttachSocket(Path file) {
        this.file = file;
    }

    /**
     * {@return the socket; empty when the JVM has not opened it yet, or the system has no such sockets}
     *
     * <p>HotSpot puts it into {@code /tmp} of its own container, whatever {@code java.io.tmpdir} says. A file that
     * another user has put there is not used.
     *
     * @param innerPid the number that the process has in its own container
     */
    static Optional<AttachSocket> of(long pid, long innerPid) {
        Path file = Path.of("/proc/" + pid + "/root/tmp/.java_pid" + innerPid);
        try {
            boolean isIts =
                    Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(Path.of("/proc/" + pid)));
            return isIts ? Optional.of(new AttachSocket(file)) : Optional.empty();
        } catch (IOException | UnsupportedOperationException ignored) { // there is none
            return Optional.empty();
        }
    }

    /**
     * Has the JVM open its socket. A shell takes 5 ms of CPU time for this, and jcmd a third of a second, which are two
     * seconds where CPUs are short.
     *
     * @return the socket; empty where there is no shell, or where the JVM has not opened it in time, or never does
     */
    static Optional<AttachSocket> open(long pid, long innerPid, Duration patience) {
        if (opensNone(pid, innerPid)) {
            return Optional.empty(); // at SIGQUIT it would print its threads
        }
        try {
            boolean ignored = new ProcessBuilder("sh", "-c", OPEN, Long.toString(pid), Long.toString(innerPid))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start()
                    .waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException ignored) { // no shell
            return Optional.empty();
        }
        return of(pid, innerPid);
    }

    /** Whether the JVM's counters say, as to jcmd, that it takes no requests. A JVM without counters may take them. */
    private static boolean opensNone(long pid, long innerPid) {
        Path tmp = Path.of("/proc", Long.toString(pid), "root", "tmp");
        try (DirectoryStream<Path> users = Files.newDirectoryStream(tmp, "hsperfdata_*")) {
            for (Path user : users) {
                Path counters = user.resolve(Long.toString(innerPid));
                if (Files.isReadable(counters)) {
                    return TAKES_NONE
                            .matcher(Files.readString(counters, StandardCharsets.ISO_8859_1))
                            .find();
                }
            }
        } catch (IOException | DirectoryIteratorException ignored) { // jcmd will say why
        }
        return false;
    }

    /**
     * Sends a request, and waits for the whole answer.
     *
     * @throws IOException if the JVM does not answer in time, or refuses, or if the thread is interrupted, which it
     *     still is then
     */
    String ask(Duration patience, String command, String argument) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        if (mayStream == null) {
            String answer = answer(request("getversion", "options"), deadline, patience);
            mayStream = answer.startsWith("0\n2 ") && answer.contains("streaming");
        }
        return text(answer(
                mayStream ? requestOfVersion2(command + WHOLE_ANSWER, argument) : request(command, argument),
                deadline,
                patience));
    }

    private String answer(ByteBuffer request, long deadline, Duration patience) throws IOException {
        try (SocketChannel channel = connected(deadline);
                Selector selector = Selector.open()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
            while (request.hasRemaining()) {
                await(selector, deadline, patience);
                channel.write(request);
            }
            key.interestOps(SelectionKey.OP_READ);
            return read(channel, selector, deadline, patience);
        }
    }

    /**
     * Tries again while the queue of requests is full: that of a JVM that hangs stays full, and would block forever.
     */
    private SocketChannel connected(long deadline) throws IOException {
        while (true) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.configureBlocking(false);
                if (channel.connect(UnixDomainSocketAddress.of(file))) {
                    return channel;
                }
                throw new SocketException("too many requests wait for an answer");
            } catch (IOException e) {
                channel.close();
                boolean mayBeFull = e instanceof SocketException && !(e instanceof ConnectException);
                if (!mayBeFull || deadline - System.nanoTime() <= 0 || !Files.exists(file)) {
                    throw e;
                }
            }
            LockSupport.parkNanos(RETRY_NANOS); // returns at once in a thread that is interrupted
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted");
            }
        }
    }

    private static ByteBuffer request(String command, String argument) {
        return bytes("1\0" + command + '\0' + argument + "\0".repeat(ARGUMENTS)); // two arguments are empty
    }

    private static ByteBuffer requestOfVersion2(String command, String argument) {
        String request = command + '\0' + argument + '\0';
        return bytes("2\0" + request.getBytes(StandardCharsets.UTF_8).length + '\0' + request);
    }

    private static ByteBuffer bytes(String request) {
        return ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(SocketChannel channel, Selector selector, long deadline, Duration patience)
            throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream(BUFFER);
        ByteBuffer part = ByteBuffer.allocate(BUFFER);
        while (true) {
            await(selector, deadline, patience);
            int count = channel.read(part);
            if (count < 0) {
                return answer.toString(StandardCharsets.UTF_8);
            }
            answer.write(part.array(), 0, count);
            part.clear();
        }
    }

    private static void await(Selector selector, long deadline, Duration patience) throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0 || selector.select(Math.max(1, left / 1_000_000)) == 0) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted");
            }
            throw new IOException("no answer for " + patience.toSeconds() + " s");
        }
        selector.selectedKeys().clear();
    }

    private static String text(String all) throws IOException {
        int end = all.indexOf('\n');
        if (end < 0 || !all.substring(0, end).equals("0")) {
            throw new IOException(all.isBlank() ? "the connection was closed" : all.strip());
        }
        return all.substring(end + 1);
    }
}
