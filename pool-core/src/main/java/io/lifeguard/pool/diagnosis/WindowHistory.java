package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The latest windows of one pool: {@value #FINE} single ones, and before them {@value #COARSE} that each join
 * {@value #FINE}. Confined to the monitor's thread.
 */
final class WindowHistory {

    private static final int FINE = PoolWindow.HISTORY;
    private static final int COARSE = PoolWindow.HISTORY;

    /** Fewer windows before a disturbance are not worth a coarse one. */
    private static final int WORTH_JOINING = 10;

    private final Deque<PoolWindow> fine = new ArrayDeque<>(FINE); // latest first, none with a history of its own
    private final Deque<PoolWindow> coarse = new ArrayDeque<>(COARSE); // the same
    private int sinceJoined; // windows that no coarse one contains yet
    private int judged; // windows since the last disturbed one

    /** Adds a window, which must not have a history of its own. */
    void add(PoolWindow window) {
        push(window);
        judged = Math.min(FINE, judged + 1);
        if (++sinceJoined == FINE) {
            join();
        }
    }

    /** Adds a window that is not judged, and not joined with those before and after it. */
    void addDisturbed(PoolWindow window) {
        if (sinceJoined >= WORTH_JOINING) {
            join();
        }
        push(window);
        judged = 0;
        sinceJoined = 0;
    }

    private void push(PoolWindow window) {
        if (fine.size() == FINE) {
            fine.removeLast();
        }
        fine.addFirst(window);
    }

    private void join() {
        if (coarse.size() == COARSE) {
            coarse.removeLast();
        }
        List<PoolWindow> parts = fine().subList(0, sinceJoined);
        coarse.addFirst(
                parts.get(0).toBuilder().earlier(parts.subList(1, parts.size())).build().last(parts.size()).toBuilder()
                        .withoutWorkers()
                        .build());
        sinceJoined = 0;
    }

    /** {@return the windows since the last disturbance, latest first} */
    List<PoolWindow> judged() {
        return fine().subList(0, judged);
    }

    /** {@return the single windows, latest first} */
    List<PoolWindow> fine() {
        return List.copyOf(fine);
    }

    /** {@return the joined windows, latest first} */
    List<PoolWindow> coarse() {
        return List.copyOf(coarse);
    }
}
