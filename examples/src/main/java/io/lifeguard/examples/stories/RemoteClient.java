package io.lifeguard.examples.stories;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;

/** A blocking client of {@link RemoteService}. The calling thread waits, as with most database clients. Thread-safe. */
public final class RemoteClient implements AutoCloseable {

    private final InetAddress host;
    private final int port;
    private final ConcurrentLinkedDeque<Socket> idle = new ConcurrentLinkedDeque<>();

    RemoteClient(InetAddress host, int port) {
        this.host = host;
        this.port = port;
    }

    /** Sends a request and waits for the answer, which takes the given time. */
    public void call(Duration answerTakes) {
        try {
            Socket connection = idle.pollFirst();
            if (connection == null) {
                connection = new Socket(host, port);
                connection.setTcpNoDelay(true);
            }
            new DataOutputStream(connection.getOutputStream())
                    .writeInt((int) TimeUnit.NANOSECONDS.toMicros(answerTakes.toNanos()));
            new DataInputStream(connection.getInputStream()).readInt();
            idle.addFirst(connection);
        } catch (IOException e) {
            throw new UncheckedIOException("the service on loopback did not answer", e);
        }
    }

    @Override
    public void close() {
        idle.forEach(RemoteService::closeQuietly);
    }
}
