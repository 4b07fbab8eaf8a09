package io.lifeguard.pool.diagnosis.seen;

import java.util.List;

/**
 * What the workers of a pool wait for that completes nothing, from a worker to what never comes. Immutable.
 *
 * @param waiting how many workers wait like the first link
 * @param workers how many workers were looked at
 * @param links who waits for what; each link but the first is about whoever holds or must bring what the one before
 *     waits for; at least one
 * @param end what the last link waits for
 * @param last why that does not come, as the last clause of a sentence; empty where it is unknown
 */
public record WaitChain(int waiting, int workers, List<Link> links, End end, String last) {

    /** What ends a chain. */
    public enum End {
        /** A link that came before. */
        CIRCLE,
        /** A lock whose owner has ended. */
        ENDED_OWNER,
        /** A lock that is held by an unknown thread. */
        UNKNOWN_OWNER,
        /** A thread that waits for none of these: it may go on. */
        MOVING,
        /** A result of the pool itself. */
        OWN_TASK,
        /** A result of the JVM's common pool. */
        COMMON_POOL,
        /** A result of which it is unknown who brings it. */
        RESULT,
        /** Other parties of a latch, a barrier, a phaser or an exchanger. */
        PARTY,
        /** A connection to a port of this very process. */
        OWN_PORT,
        /** A connection to such a port, on which the process has not read the request. */
        UNREAD,
        /** The world outside. */
        OUTSIDE,
        /** The initialisation of a class. */
        INITIALISER,
        /** A permit, a connection or the like, of which none is left. */
        NONE_LEFT,
        /** Room in a full queue. */
        ROOM,
        /** A notification or an element of a queue. */
        SIGNAL
    }

    /**
     * One link.
     *
     * @param who who waits, as {@code thread "main"} or {@code pool parts}
     * @param thing what it waits for
     * @param place where it waits: the first frame that is the user's own
     * @param stack its stack, top first
     */
    public record Link(String who, String thing, String place, List<StackTraceElement> stack) {

        /** Copies the stack. */
        public Link {
            stack = List.copyOf(stack);
        }
    }

    /** Copies the list. */
    public WaitChain {
        links = List.copyOf(links);
    }

    /** {@return the first link, which is about the workers themselves} */
    public Link first() {
        return links.get(0);
    }
}
