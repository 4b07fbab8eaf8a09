package io.lifeguard.pool.corpus.real.virtual;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/**
 * A server on loopback that speaks as much of PostgreSQL's protocol, version 3, as a driver needs to send simple
 * queries. Each takes 20 ms and returns nothing. Thread-safe. Message formats are those of the PostgreSQL manual,
 * chapter "Frontend/Backend Protocol".
 */
final class OldDatabase implements AutoCloseable {

    private static final long QUERY_MILLIS = 20;

    private final ServerSocket server;

    private OldDatabase(ServerSocket server) {
        this.server = server;
    }

    static OldDatabase start() {
        try {
            OldDatabase database = new OldDatabase(new ServerSocket(0, 10, InetAddress.getLoopbackAddress()));
            daemon(database::accept);
            return database;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on loopback", e);
        }
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                daemon(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            in.readNBytes(in.readInt() - Integer.BYTES); // user and database
            send(out, 'R', new byte[Integer.BYTES]); // welcome, without a password
            parameter(out, "server_version", "9.6.24");
            parameter(out, "server_encoding", "UTF8");
            parameter(out, "client_encoding", "UTF8");
            parameter(out, "DateStyle", "ISO, MDY");
            parameter(out, "standard_conforming_strings", "on");
            parameter(out, "integer_datetimes", "on");
            ready(out);
            for (int type = in.readByte(); type == 'Q'; type = in.readByte()) {
                in.readNBytes(in.readInt() - Integer.BYTES);
                Thread.sleep(QUERY_MILLIS);
                send(out, 'C', text("SET"));
                ready(out);
            }
        } catch (EOFException | SocketException gone) {
            // the client has ended
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void parameter(DataOutputStream out, String name, String value) throws IOException {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.write(text(name));
        both.write(text(value));
        send(out, 'S', both.toByteArray());
    }

    private static void ready(DataOutputStream out) throws IOException {
        send(out, 'Z', new byte[] {'I'});
        out.flush();
    }

    private static void send(DataOutputStream out, char type, byte[] body) throws IOException {
        out.writeByte(type);
        out.writeInt(Integer.BYTES + body.length);
        out.write(body);
    }

    private static byte[] text(String text) {
        return (text + '\0').getBytes(StandardCharsets.US_ASCII);
    }

    private static void daemon(Runnable body) {
        Thread thread = new Thread(body, "old-database");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
