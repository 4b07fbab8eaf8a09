package io.lifeguard.examples.stories;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A service on the loopback interface that stands in for a remote one. A request is an {@code int}: the time in
 * microseconds after which to answer. The answer is the same number. Each connection has its own thread. Thread-safe.
 */
public final class RemoteService implements AutoCloseable {

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int BACKLOG = 1_024;

    private final ServerSocket listening;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger threads = new AtomicInteger();

    private RemoteService(ServerSocket listening) {
        this.listening = listening;
    }

    /** Starts a service on a free port. */
    public static RemoteService start() throws IOException {
        RemoteService service = new RemoteService(new ServerSocket(0, BACKLOG, InetAddress.getByAddress(LOOPBACK)));
        service.startThread(service::accept);
        return service;
    }

    /** Returns a client that keeps its connections open. */
    public RemoteClient client() {
        return new RemoteClient(listening.getInetAddress(), listening.getLocalPort());
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = listening.accept();
                connections.add(connection);
                startThread(() -> answer(connection));
            }
        } catch (IOException ignored) {
            connections.forEach(RemoteService::closeQuietly);
        }
    }

    private void answer(Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(connection.getInputStream());
            DataOutputStream out = new DataOutputStream(connection.getOutputStream());
            while (true) {
                int micros = in.readInt();
                waitFor(TimeUnit.MICROSECONDS.toNanos(micros));
                out.writeInt(micros);
            }
        } catch (IOException ignored) {
            connections.remove(connection);
        }
    }

    private static void waitFor(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void startThread(Runnable body) {
        Thread thread = new Thread(null, body, "remote-service-" + threads.incrementAndGet(), 128 * 1_024);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connections.forEach(RemoteService::closeQuietly);
    }

    static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException ignored) {
            // a socket that cannot be closed is closed already
        }
    }
}
