package io.lifeguard.pool.report.drawing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stacks of a pool's workers told, window by window. Not thread-safe.
 *
 * <p>The monitor lets the stacks of a group hold for five seconds, and so does this class. A group that is new, as all
 * are in the first window, has none yet. Its workers did what workers in the same state are seen to do in the next five
 * seconds, in turn.
 */
final class ToldLater {

    private static final long HOLDS_NANOS = 5_000_000_000L;

    private final List<Window> windows = new ArrayList<>();
    private boolean isSorted = true;

    /**
     * What was told in one window.
     *
     * @param runnable what runnable workers did, as often as looks saw it
     * @param waiting the same of workers that waited
     */
    record Window(long start, List<Told> runnable, List<Told> waiting) {}

    /** What one worker did, by a stack. */
    record Told(int state, int detail) {}

    void add(Window window) {
        if (!window.runnable().isEmpty() || !window.waiting().isEmpty()) {
            windows.add(window);
            isSorted = false;
        }
    }

    /**
     * {@return what a worker did at a moment; null when no stack tells}
     *
     * @param turn a number of the worker, so that not all do the same
     */
    @Nullable
    Told at(long moment, boolean isRunnable, int turn) {
        if (!isSorted) {
            windows.sort(Comparator.comparingLong(Window::start));
            isSorted = true;
        }
        for (int i = first(moment); i < windows.size() && windows.get(i).start() <= moment + HOLDS_NANOS; i++) {
            Window window = windows.get(i);
            List<Told> told = isRunnable ? window.runnable() : window.waiting();
            if (!told.isEmpty() && window.start() >= moment - HOLDS_NANOS) {
                return told.get(Math.floorMod(turn, told.size()));
            }
        }
        return null;
    }

    /** {@return the last window that began until a moment, or else the first one} */
    private int first(long moment) {
        int low = 0;
        int high = windows.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (windows.get(middle).start() <= moment) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return Math.max(0, low - 1);
    }
}
