package io.lifeguard.examples.orders.sickness;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import io.lifeguard.pool.Tasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** One of many calls waits without a time-out for a peer that never answers. The cure closes the connection. */
@Component
@Profile("clinic")
final class StuckTask extends Sickness {

    private static final double CALL_MILLIS = 5;

    private final ExecutorService pool;
    private final Warehouse warehouse;
    private volatile @Nullable Socket deaf; // written by start and cure, which exclude each other

    StuckTask(@Qualifier("calls") ExecutorService pool, Warehouse warehouse) {
        super("stuck-task", "calls", "one of many calls waits for a peer that never answers");
        this.pool = pool;
        this.warehouse = warehouse;
    }

    @Override
    void outbreak(Traffic traffic) {
        traffic.arrivals(200, pool, Tasks.named("call", () -> warehouse.call(CALL_MILLIS)));
        try (ServerSocket peer = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), peer.getLocalPort());
            Socket answering = peer.accept(); // accepts the connection and never answers
            deaf = socket;
            pool.execute(Tasks.named("call", () -> read(socket, answering)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on loopback", e);
        }
    }

    private static void read(Socket socket, Socket peer) {
        try (socket;
                peer) {
            int answer = socket.getInputStream().read();
            throw new IllegalStateException("nobody answers, but got " + answer);
        } catch (SocketException ignored) {
            return; // cured
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void cure() {
        Socket socket = deaf;
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot hang up", e);
            }
        }
    }
}
