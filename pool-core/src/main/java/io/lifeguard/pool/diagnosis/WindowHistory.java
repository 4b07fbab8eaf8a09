package io.lifeguard.pool.diagnosis;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last windows of one pool: {@value #FINE} as they were, and before them {@value #COARSE} that each join {@value #FINE}. Confined to the
 * monitor's thread.
 */
final class WindowHistory {

    static final int FINE = 60;
    static final int COARSE = 60;

    private final Deque<PoolWindow> fine = new ArrayDeque<>(FINE); // latest first, none with a history of its own
    private final Deque<PoolWindow> coarse = new ArrayDeque<>(COARSE); // the same
    private int sinceJoined;

    /** Adds a window, which must not have a history of its own. */
    void add(PoolWindow window) {
        if (fine.size() == FINE) {
            fine.removeLast();
        }
        fine.addFirst(window);
        if (++sinceJoined == FINE) {
            sinceJoined = 0;
            if (coarse.size() == COARSE) {
                coarse.removeLast();
            }
            coarse.addFirst(
                    window.withHistory(fine().subList(1, FINE), List.of()).last(FINE));
        }
    }

    /** Latest first. */
    List<PoolWindow> fine() {
        return List.copyOf(fine);
    }

    /** Latest first. */
    List<PoolWindow> coarse() {
        return List.copyOf(coarse);
    }
}
