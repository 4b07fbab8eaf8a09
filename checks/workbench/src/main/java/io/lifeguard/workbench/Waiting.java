package io.lifeguard.workbench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Waits without using the CPU. Stateless. */
public final class Waiting {

    /** A connection of each thread to a peer that never sends anything. */
    private static final ThreadLocal<Socket> SILENT = ThreadLocal.withInitial(Waiting::connectToSilence);

    /** The other ends, which stay open as long as the process. */
    private static final Queue<Socket> SILENT_ENDS = new ConcurrentLinkedQueue<>();

    private Waiting() {}

    /**
     * Reads from a connection until this time is over, as a call to a distant service does that takes so long. Neither
     * this thread nor another one uses the CPU meanwhile.
     *
     * @param millis at least 1
     */
    public static void call(int millis) {
        Socket socket = SILENT.get();
        try {
            socket.setSoTimeout(millis);
            int read = socket.getInputStream().read();
            throw new IllegalStateException("silence was broken (" + read + ")");
        } catch (SocketTimeoutException expected) {
            // the call is over
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Socket connectToSilence() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
            SILENT_ENDS.add(server.accept());
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns after this time, or when interrupted. */
    public static void nanos(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !Thread.currentThread().isInterrupted(); left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Returns after this time, or when interrupted. */
    public static void millis(double millis) {
        nanos((long) (millis * 1e6));
    }
}
