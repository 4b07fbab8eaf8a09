package io.lifeguard.pool.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.report.drawing.PageFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** No client keeps another one from its answer, however many there are and however slow they are. */
class LoopbackServerTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(100);

    private static final String GET = "GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int LARGE_BYTES = 8 << 20;

    private final List<Socket> sockets = new ArrayList<>();
    private @Nullable LoopbackServer server;

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private static @Nullable PageFile find(String name, @Nullable String query) {
        return switch (name) {
            case "" -> PageFile.of("text/plain", "root");
            case "echo" -> PageFile.of("text/plain", String.valueOf(query));
            case "large" -> new PageFile("application/octet-stream", new byte[LARGE_BYTES]);
            case "error" -> throw new OutOfMemoryError("as if");
            default -> null;
        };
    }

    private LoopbackServer start(Patience patience) throws IOException {
        LoopbackServer started = LoopbackServer.start(0, LoopbackServerTest::find, "default-src 'none'", patience);
        server = started;
        return started;
    }

    private Socket connect() throws IOException {
        if (server == null) {
            throw new IllegalStateException("there must be a server");
        }
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        socket.setSoTimeout(20_000);
        sockets.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static String ask(Socket socket, String name) throws IOException {
        send(socket, GET.formatted(name));
        return answer(socket);
    }

    /** {@return the next answer, with its body} */
    private static String answer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int read = in.read();
            if (read < 0) {
                return head + "(closed)";
            }
            head.append((char) read);
        }
        String length = head.toString().replaceAll("(?s).*Content-Length: (\\d+)\r\n.*", "$1");
        return head + new String(in.readNBytes(Integer.parseInt(length)), StandardCharsets.UTF_8);
    }

    /** Further requests would be those of another client that smuggled them in. */
    @Test
    void connection_withSeveralRequests_endsAfterTheFirstAnswer() throws IOException {
        start(Patience.USUAL);
        Socket socket = connect();

        send(socket, GET.formatted("echo?first") + GET.formatted("echo?second"));

        assertThat(answer(socket)).contains("\r\nConnection: close\r\n").endsWith("\r\n\r\nfirst");
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void request_thatArrivesByteByByte_isAnswered() throws IOException {
        start(Patience.USUAL);
        Socket socket = connect();
        socket.setTcpNoDelay(true);

        for (String letter : GET.formatted("echo?slow").split("", -1)) {
            send(socket, letter);
        }

        assertThat(answer(socket)).endsWith("\r\n\r\nslow");
    }

    @Test
    void client_thatOpensHalfRequests_keepsNobodyFromAnAnswer() throws IOException {
        start(Patience.USUAL);
        for (int i = 0; i < 10; i++) {
            send(connect(), "GET / HTTP/1.1\r\nHost: local");
        }

        assertThat(ask(connect(), "")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void halfRequest_thatIsNotContinued_isClosed() throws IOException {
        start(new Patience(64, SHORT, SHORT, LONG, LONG));
        Socket socket = connect();
        send(socket, "GET / HTTP/1.1\r\nHost: local");

        assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void idleConnection_afterItsTime_isClosed() throws IOException {
        start(new Patience(64, SHORT, SHORT, LONG, LONG));
        Socket fresh = connect();
        assertThat(fresh.getInputStream().read()).isEqualTo(-1);
    }

    /** Each connection is kept for as long as the attacker likes, so only the server can end it. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void manyIdleConnections_whileOthersAsk_takeFewFilesAndNoAnswer() throws IOException {
        start(new Patience(64, Duration.ofMillis(1), LONG, LONG, LONG));
        long before = openFiles();
        for (int i = 0; i < 1000; i++) {
            connect();
            if (i % 250 == 0) {
                assertThat(ask(connect(), "")).startsWith("HTTP/1.1 200 ");
            }
        }

        // This side of each connection is open in the same process.
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(openFiles() - before - sockets.size()).isLessThan(64 + 20));
        assertThat(ask(connect(), "")).startsWith("HTTP/1.1 200 ");
    }

    private static long openFiles() throws IOException {
        long files = 0;
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path ignored : open) {
                files++;
            }
        }
        return files;
    }

    @Test
    void fullServer_furtherClient_takesThePlaceOfTheLeastUsedOne() throws IOException {
        start(new Patience(2, Duration.ofMillis(1), LONG, LONG, LONG));
        Socket silent = connect();
        Socket used = connect();
        send(used, "GET / HTTP/1.1\r\n");

        assertThat(ask(connect(), "")).startsWith("HTTP/1.1 200 ");

        assertThat(silent.getInputStream().read()).isEqualTo(-1);
        send(used, "Host: localhost\r\n\r\n");
        assertThat(answer(used)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void client_thatReadsNoAnswer_isClosedAndKeepsNobodyFromTheirs() throws IOException {
        start(new Patience(64, SHORT, LONG, SHORT, LONG));
        Socket slow = connect();
        send(slow, GET.formatted("large"));

        assertThat(ask(connect(), "")).startsWith("HTTP/1.1 200 ");
        await().atMost(Duration.ofSeconds(20)).until(() -> isReset(slow));
    }

    private static boolean isReset(Socket socket) {
        try {
            send(socket, "x");
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void largeAnswer_toAClientThatReads_isWhole() throws IOException {
        start(Patience.USUAL);

        assertThat(ask(connect(), "large")).hasSizeGreaterThan(LARGE_BYTES);
    }

    @Test
    void request_withTwoHosts_isRefusedAndEndsTheConnection() throws IOException {
        start(Patience.USUAL);
        for (String second : new String[] {"localhost", "evil.example"}) {
            Socket socket = connect();
            send(socket, "GET / HTTP/1.1\r\nHost: localhost\r\nhost: " + second + "\r\n\r\n");

            assertThat(answer(socket)).startsWith("HTTP/1.1 400 ").endsWith("A request has one Host header (was 2).");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void request_withoutAHost_isRefused() throws IOException {
        start(Patience.USUAL);
        Socket socket = connect();
        send(socket, "GET / HTTP/1.1\r\n\r\n");

        assertThat(answer(socket)).startsWith("HTTP/1.1 403 ");
    }

    @Test
    void request_ofManyKilobytes_isRefusedShortly() throws IOException {
        start(Patience.USUAL);
        Socket socket = connect();
        send(socket, GET.formatted("echo?" + "x".repeat(200_000)));

        assertThat(answer(socket)).startsWith("HTTP/1.1 431 ").hasSizeLessThan(1000);
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void request_thatIsNoHttp_isRefused() throws IOException {
        start(Patience.USUAL);
        String[] heads = {
            "hello",
            "GET /",
            "GET / HTTP/2",
            "GET / HTTP/1.1\r\nHost : localhost",
            "GET /| HTTP/1.1",
            "\u0016\u0003\u0001"
        };
        for (String head : heads) {
            Socket socket = connect();
            send(socket, head + "\r\n\r\n");

            assertThat(answer(socket)).as(head).startsWith("HTTP/1.1 400 ");
        }
    }

    /** A body is not read, and so not taken for a request. */
    @Test
    void request_withABody_isAnsweredAndEndsTheConnection() throws IOException {
        start(Patience.USUAL);
        Socket socket = connect();
        send(
                socket,
                "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60\r\n\r\n" + GET.formatted("echo?smuggled"));

        assertThat(answer(socket)).startsWith("HTTP/1.1 200 ");
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void errorOfTheSite_whileItAnswers_endsThatConnectionOnly() throws IOException {
        start(Patience.USUAL);

        assertThat(ask(connect(), "error")).isEqualTo("(closed)");
        assertThat(ask(connect(), "")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void close_withOpenConnections_endsThem() throws IOException {
        LoopbackServer started = start(Patience.USUAL);
        Socket idle = connect();
        assertThat(ask(connect(), "")).startsWith("HTTP/1.1 200 ");

        started.close();
        started.close();

        assertThat(idle.getInputStream().read()).isEqualTo(-1);
    }
}
