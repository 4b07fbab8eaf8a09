package io.lifeguard.pool.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/**
 * An HTTP server that only this machine can reach. It answers {@code GET} and {@code HEAD}. Thread-safe.
 *
 * <p>One daemon thread serves all clients and never waits for one of them. Connections are bounded in number and in
 * time, so clients that send half a request, or nothing, neither block others nor use up the table of open files.
 */
public final class LoopbackServer implements AutoCloseable {

    private final ServerSocketChannel listener;
    private final Clients clients;
    private final InetSocketAddress address;

    private LoopbackServer(ServerSocketChannel listener, Clients clients) {
        this.address = new InetSocketAddress(
                listener.socket().getInetAddress(), listener.socket().getLocalPort());
        this.listener = listener;
        this.clients = clients;
    }

    /**
     * Starts a server.
     *
     * @param site what it answers with
     * @param policy the content security policy of all answers
     * @throws IOException if the port is taken
     */
    public static LoopbackServer start(int port, Site site, String policy) throws IOException {
        return start(port, site, policy, Patience.USUAL);
    }

    static LoopbackServer start(int port, Site site, String policy, Patience patience) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), patience.connections());
            Clients clients = new Clients(listener, new Answers(site, policy), patience);
            Thread thread = new Thread(clients, "lifeguard-page");
            thread.setDaemon(true);
            thread.start();
            return new LoopbackServer(listener, clients);
        } catch (IOException | RuntimeException | Error e) {
            listener.close();
            throw e;
        }
    }

    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        try {
            listener.close();
            clients.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the server cannot be closed", e);
        }
    }
}
