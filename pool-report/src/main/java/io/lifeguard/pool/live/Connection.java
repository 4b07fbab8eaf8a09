package io.lifeguard.pool.live;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;

/**
 * A connection of a client: reads a request and writes the answer. Not thread-safe: only the server's thread uses it.
 *
 * <p>It ends after the answer. What the client still sends is read for a moment and dropped, because a connection that
 * is closed with unread bytes takes back what was sent.
 */
final class Connection {

    private static final int FIRST_BYTES = 2048;

    /** Browsers send the cookies of all servers on this machine, which may have several kilobytes. */
    private static final int MOST_BYTES = 32 * 1024;

    private enum Phase {
        REQUEST,
        ANSWER,
        FAREWELL
    }

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Answers answers;
    private final Patience patience;

    private Phase phase = Phase.REQUEST;
    private long phaseBeganNanos;
    private long activeNanos; // when the client last sent or read something

    private byte[] received = new byte[FIRST_BYTES];
    private int length; // how many bytes of them were received
    private ByteBuffer[] answer = {};

    Connection(SocketChannel channel, Selector selector, Answers answers, Patience patience, long nowNanos)
            throws IOException {
        this.channel = channel;
        this.answers = answers;
        this.patience = patience;
        this.phaseBeganNanos = nowNanos;
        this.activeNanos = nowNanos;
        channel.configureBlocking(false);
        this.key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Reads and writes what can be without waiting. Closes the connection when it has ended. */
    void proceed(long nowNanos) throws IOException {
        if (phase != Phase.ANSWER) {
            read(nowNanos);
        }
        if (phase == Phase.ANSWER && wrote(nowNanos)) {
            length = 0;
            channel.shutdownOutput();
            enter(Phase.FAREWELL, nowNanos);
        }
    }

    private void read(long nowNanos) throws IOException {
        int count = channel.read(ByteBuffer.wrap(received, length, received.length - length));
        if (count < 0) {
            close();
        } else if (count > 0 && phase != Phase.FAREWELL) {
            activeNanos = nowNanos;
            length += count;
            examine(nowNanos);
        }
    }

    /** Makes the answer to the request that was received, if it is complete. */
    private void examine(long nowNanos) {
        int head = Request.headLength(received, length);
        if (head > 0) {
            answer = answer(head);
            enter(Phase.ANSWER, nowNanos);
        } else if (length == MOST_BYTES) {
            answer = answers.refusal(431, "A request has at most " + MOST_BYTES + " bytes.");
            enter(Phase.ANSWER, nowNanos);
        } else if (length == received.length) {
            received = Arrays.copyOf(received, Math.min(MOST_BYTES, 2 * length));
        }
    }

    private ByteBuffer[] answer(int head) {
        try {
            return answers.answer(Request.parse(received, head));
        } catch (IllegalArgumentException e) {
            return answers.refusal(400, String.valueOf(e.getMessage()));
        }
    }

    private boolean wrote(long nowNanos) throws IOException {
        if (channel.write(answer) > 0) {
            activeNanos = nowNanos;
        }
        boolean isWhole = Arrays.stream(answer).noneMatch(ByteBuffer::hasRemaining);
        key.interestOps(isWhole ? SelectionKey.OP_READ : SelectionKey.OP_WRITE);
        return isWhole;
    }

    private void enter(Phase next, long nowNanos) {
        phase = next;
        phaseBeganNanos = nowNanos;
    }

    /** {@return when the client will have taken too long} */
    long endNanos() {
        Duration limit = switch (phase) {
            case REQUEST -> patience.request();
            case ANSWER -> patience.answer();
            case FAREWELL -> patience.farewell();
        };
        return phaseBeganNanos + limit.toNanos();
    }

    /** {@return whether this one should rather go than the other one, where there are too many} */
    boolean isLessUsedThan(Connection other) {
        boolean writes = phase == Phase.ANSWER;
        boolean otherWrites = other.phase == Phase.ANSWER;
        return writes == otherWrites ? activeNanos - other.activeNanos < 0 : otherWrites;
    }

    /** {@return from when on another connection may take the place of this one} */
    long yieldsNanos() {
        return activeNanos + patience.turn().toNanos();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Ends the connection, whatever state it is in. */
    void close() {
        key.cancel();
        try {
            channel.close();
        } catch (IOException ignored) {
            // The connection is gone, which was the purpose.
        }
    }
}
