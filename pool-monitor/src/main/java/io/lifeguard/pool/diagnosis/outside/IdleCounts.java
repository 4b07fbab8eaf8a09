package io.lifeguard.pool.diagnosis.outside;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells by counting which of several groups of threads are the workers of a pool. Guarded by the pool it belongs to.
 *
 * <p>A pool says how many of its workers run a task. The workers of that pool are the group of which as many wait for a
 * task as the pool has idle workers. One look proves nothing, because a worker may take a task meanwhile. So a group is
 * the one only if it fits in three of four looks, and every other group does not fit in half of them.
 */
final class IdleCounts {

    private static final int FEWEST_LOOKS = 4;
    private static final int MOST_LOOKS = 40;

    private final Map<Long, Integer> misses = new HashMap<>(); // by the first thread's id
    private int looks;

    /**
     * Counts the idle workers of each group once.
     *
     * @param idle the idle workers of the pool
     * @param groups groups that fit in all other respects
     * @return the group of the pool; empty while that is not certain
     */
    Optional<List<SeenWorker>> look(int idle, List<List<SeenWorker>> groups) {
        if (looks == MOST_LOOKS) { // old looks must not outvote new ones
            looks = 0;
            misses.clear();
        }
        looks++;
        for (List<SeenWorker> group : groups) {
            long parked =
                    group.stream().filter(worker -> worker.parkedOn() != null).count();
            misses.merge(key(group), parked == idle ? 0 : 1, Integer::sum);
        }
        List<List<SeenWorker>> fitting =
                groups.stream().filter(group -> 4 * missesOf(group) <= looks).toList();
        boolean othersDoNot =
                groups.stream().filter(group -> 2 * missesOf(group) < looks).count() == 1;
        return looks >= FEWEST_LOOKS && fitting.size() == 1 && othersDoNot
                ? Optional.of(fitting.get(0))
                : Optional.empty();
    }

    private int missesOf(List<SeenWorker> group) {
        return misses.getOrDefault(key(group), 0);
    }

    @SuppressWarnings("deprecation") // threadId() came with Java 19
    private static long key(List<SeenWorker> group) {
        return group.stream().mapToLong(worker -> worker.thread().getId()).min().orElse(0);
    }
}
