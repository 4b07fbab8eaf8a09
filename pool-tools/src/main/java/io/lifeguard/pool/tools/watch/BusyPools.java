package io.lifeguard.pool.tools.watch;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The pools of which no dump of a window has shown an idle worker. Who waits for results may wait for one of them.
 * Immutable.
 *
 * @param sizes how many workers each has, by its name
 */
record BusyPools(Map<String, Integer> sizes) {

    /** A longer list is no answer. */
    private static final int MOST = 3;

    /** Copies the map. */
    BusyPools {
        sizes = Map.copyOf(sizes);
    }

    static BusyPools of(Collection<WatchedPool> pools) {
        return new BusyPools(pools.stream()
                .filter(WatchedPool::isBusyAllTheTime)
                .collect(Collectors.toMap(WatchedPool::name, WatchedPool::size)));
    }

    /** The busy pools other than this one; none where they are too many. */
    Map<String, Integer> besides(String pool) {
        Map<String, Integer> others = new HashMap<>(sizes);
        others.remove(pool);
        return others.size() > MOST ? Map.of() : others;
    }
}
