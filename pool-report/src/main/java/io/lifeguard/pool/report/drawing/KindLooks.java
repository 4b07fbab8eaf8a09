package io.lifeguard.pool.report.drawing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What looks saw in recorded tasks, by kind of task. Not thread-safe.
 *
 * <p>A recorded task that no look saw did what the looks at its kind saw, in turn: many tasks of a kind together do
 * what they were seen to do. With fewer than {@value #FEWEST} looks at a kind, it is unknown. It may then have
 * computed, unless neither its worker nor a task of the pool was looked at.
 */
final class KindLooks {

    private static final int FEWEST = 3;

    /** More would not make a turn more certain. */
    private static final int MOST = 512;

    private final Map<String, List<int[]>> seen = new HashMap<>();
    private final Map<String, Integer> turns = new HashMap<>();
    private boolean isLearning = true;

    void see(String kind, int state, int detail, int flag) {
        List<int[]> looks = seen.computeIfAbsent(kind, any -> new ArrayList<>());
        if (isLearning && looks.size() < MOST) {
            looks.add(new int[] {state, detail, flag});
        }
    }

    /** All lanes were seen once: each further round over them takes the same turns. */
    void beginRound() {
        isLearning = false;
        turns.clear();
    }

    /**
     * Adds a task that no look saw.
     *
     * @param isWorkerSeen whether there are looks at its worker
     */
    void guess(Bars bars, long from, long to, String kind, boolean isWorkerSeen) {
        List<int[]> looks = seen.getOrDefault(kind, List.of());
        if (isLearning || looks.size() < FEWEST) {
            int flag = seen.isEmpty() && !isWorkerSeen ? 0 : Bars.RUNNABLE; // virtual threads are not looked at singly
            bars.add(from, to, Segments.UNKNOWN, 0, Bars.EXACT | flag);
        } else {
            int[] like = looks.get(turns.merge(kind, 1, Integer::sum) % looks.size());
            bars.add(from, to, like[0], like[1], Bars.EXACT | like[2]);
        }
    }
}
