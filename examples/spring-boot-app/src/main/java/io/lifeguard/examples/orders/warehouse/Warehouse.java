package io.lifeguard.examples.orders.warehouse;

import io.lifeguard.workbench.Waiting;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.stereotype.Component;

/**
 * A service on loopback that answers after the requested time and uses a few microseconds of CPU. Callers block in a
 * read, as with any blocking client. Thread-safe.
 */
@Component
public class Warehouse implements AutoCloseable {

    private final ServerSocket server;
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

    /** Starts the service on a free port. */
    public Warehouse() throws IOException {
        server = new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    /**
     * Sends a request and waits for the answer.
     *
     * @param millis after which it answers
     */
    public void call(double millis) {
        Connection connection = idle.poll();
        if (connection == null) {
            connection = connect();
        }
        try {
            connection.out.writeLong((long) (millis * 1e6));
            connection.out.flush();
            if (connection.in.readByte() != 1) {
                throw new IOException("not an answer");
            }
            idle.add(connection);
        } catch (IOException e) {
            throw new UncheckedIOException("the warehouse does not answer", e);
        }
    }

    private Connection connect() {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
            socket.setTcpNoDelay(true);
            return new Connection(
                    socket,
                    new DataInputStream(socket.getInputStream()),
                    new DataOutputStream(socket.getOutputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot connect to the warehouse", e);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                daemon(() -> serve(socket));
            } catch (IOException ignored) {
                return;
            }
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            while (true) {
                Waiting.nanos(in.readLong());
                out.writeByte(1);
                out.flush();
            }
        } catch (EOFException | SocketException gone) {
            // the caller has closed, or we have
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
            connection.socket.close();
        }
    }

    private static void daemon(Runnable body) {
        Thread thread = new Thread(body, "warehouse");
        thread.setDaemon(true);
        thread.start();
    }

    /** Used by one call at a time. */
    private record Connection(Socket socket, DataInputStream in, DataOutputStream out) {}
}
