package io.lifeguard.pool.corpus.work;

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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service on loopback that answers after a requested time and uses a few microseconds of CPU. It can be limited to a
 * few requests at a time, or made slower with each further request. Thread-safe.
 */
public final class Service implements AutoCloseable {

    private final ServerSocket server;
    private final Semaphore places;
    private final double slowdown;
    private final AtomicInteger inside = new AtomicInteger();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ThreadLocal<Connection> connection = ThreadLocal.withInitial(this::connect);

    private Service(ServerSocket server, int places, double slowdown) {
        this.server = server;
        this.places = new Semaphore(places, true);
        this.slowdown = slowdown;
    }

    /** A service that handles all requests at the same time. */
    public static Service unlimited() {
        return start(Integer.MAX_VALUE, 0);
    }

    /** A service that handles so many requests at a time. Other requests wait there. */
    public static Service limitedTo(int requests) {
        return start(requests, 0);
    }

    /** A service in which each further request makes a request longer by the given share of its time. */
    public static Service slowingDown(double share) {
        return start(Integer.MAX_VALUE, share);
    }

    private static Service start(int places, double slowdown) {
        try {
            Service service =
                    new Service(new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress()), places, slowdown);
            daemon("service", service::accept);
            return service;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on loopback", e);
        }
    }

    /** Calls the service over this thread's connection, and waits for the answer. */
    public void call(double millis) {
        try {
            Connection mine = connection.get();
            mine.out.writeLong((long) (millis * 1e6));
            mine.out.flush();
            if (mine.in.readByte() != 1) {
                throw new IOException("not an answer");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the service is gone", e);
        }
    }

    private Connection connect() {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
            socket.setTcpNoDelay(true);
            sockets.add(socket);
            return new Connection(
                    new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot connect to the service", e);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                daemon("service", () -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            while (!server.isClosed()) {
                work(in.readLong());
                out.writeByte(1);
                out.flush();
            }
        } catch (EOFException | SocketException gone) {
            // the client has closed, or this service
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void work(long nanos) {
        places.acquireUninterruptibly();
        try {
            int others = inside.getAndIncrement();
            Waiting.nanos((long) (nanos * (1 + slowdown * others)));
        } finally {
            inside.decrementAndGet();
            places.release();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private static void daemon(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** The connection of one thread. */
    private record Connection(DataInputStream in, DataOutputStream out) {}
}
