package io.lifeguard.pool.live;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server, and the loop that serves them. One thread runs the loop; any thread may close it.
 *
 * <p>When all places are taken, a new client takes the place of the one that did nothing for longest, as soon as that
 * one has had its turn. Until then new clients wait in the system's queue of connections.
 */
final class Clients implements Runnable {

    /** How long to leave it alone after a failure that may last, such as a full table of open files. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ServerSocketChannel listener;
    private final SelectionKey listening;
    private final Answers answers;
    private final Patience patience;
    private final Selector selector;
    private final List<Connection> open = new ArrayList<>(); // used by the loop's thread only
    private long acceptsFromNanos = System.nanoTime(); // used by the loop's thread only

    Clients(ServerSocketChannel listener, Answers answers, Patience patience) throws IOException {
        this.listener = listener;
        this.answers = answers;
        this.patience = patience;
        this.selector = Selector.open();
        listener.configureBlocking(false);
        this.listening = listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    @Override
    public void run() {
        while (selector.isOpen()) {
            try {
                round();
            } catch (ClosedSelectorException e) {
                break; // closed by another thread
            } catch (IOException | RuntimeException | Error e) {
                // A full heap or table of open files passes, and the page must be there afterwards.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        open.forEach(Connection::close);
    }

    private void round() throws IOException {
        long now = System.nanoTime();
        long acceptsNanos = acceptsNanos();
        boolean accepts = acceptsNanos - now <= 0;
        listening.interestOps(accepts ? SelectionKey.OP_ACCEPT : 0);
        long waitNanos = accepts ? Long.MAX_VALUE : acceptsNanos - now;
        for (Connection connection : open) {
            waitNanos = Math.min(waitNanos, connection.endNanos() - now);
        }
        selector.select(waitNanos == Long.MAX_VALUE ? 0 : Math.max(1, waitNanos / 1_000_000 + 1));
        now = System.nanoTime();
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.attachment() instanceof Connection connection) {
                serve(connection, now);
            } else if (key.isAcceptable()) {
                accept(now);
            }
        }
        selector.selectedKeys().clear();
        for (Connection connection : open) {
            if (connection.endNanos() - now <= 0) {
                connection.close();
            }
        }
        open.removeIf(connection -> !connection.isOpen());
    }

    /** {@return from when on a further client can be served} */
    private long acceptsNanos() {
        Connection least = leastUsed();
        if (least == null || open.size() < patience.connections()) {
            return acceptsFromNanos;
        }
        return least.yieldsNanos() - acceptsFromNanos > 0 ? least.yieldsNanos() : acceptsFromNanos;
    }

    private @Nullable Connection leastUsed() {
        Connection least = null;
        for (Connection connection : open) {
            if (least == null || connection.isLessUsedThan(least)) {
                least = connection;
            }
        }
        return least;
    }

    private void accept(long nowNanos) {
        Connection least = leastUsed();
        if (least != null && open.size() >= patience.connections()) {
            least.close();
            open.remove(least);
        }
        SocketChannel channel = null;
        try {
            channel = listener.accept();
            if (channel != null) {
                Connection connection = new Connection(channel, selector, answers, patience, nowNanos);
                open.add(connection);
                serve(connection, nowNanos);
            }
        } catch (IOException e) {
            acceptsFromNanos = nowNanos + PAUSE_NANOS;
            close(channel);
        } catch (RuntimeException | Error e) {
            close(channel);
            throw e;
        }
    }

    private static void serve(Connection connection, long nowNanos) {
        try {
            if (connection.isOpen()) {
                connection.proceed(nowNanos);
            }
        } catch (IOException | RuntimeException | Error e) {
            connection.close();
        }
    }

    private static void close(@Nullable SocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException ignored) {
            // The connection is gone, which was the purpose.
        }
    }

    /** Ends all connections, and the loop. */
    synchronized void close() throws IOException {
        if (!selector.isOpen()) {
            return;
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
