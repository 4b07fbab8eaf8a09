package io.lifeguard.pool.tools.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How busy each pool was in the last windows of a watch. Not thread-safe. */
public final class PoolHistory {

    /** A minute of usual windows. */
    static final int WINDOWS = 60;

    private static final String BARS = " ▁▂▃▄▅▆▇█";

    private final Map<String, Deque<Double>> shares = new TreeMap<>(); // of busy threads, latest last

    /** A window has ended. */
    public void add(List<PoolView> pools) {
        shares.keySet().retainAll(pools.stream().map(PoolView::name).toList());
        for (PoolView pool : pools) {
            Deque<Double> known = shares.computeIfAbsent(pool.name(), name -> new ArrayDeque<>());
            known.add(pool.workers() == 0 ? 0 : Math.max(0, Math.min(1, pool.busy() / pool.workers())));
            if (known.size() > WINDOWS) {
                known.remove();
            }
        }
    }

    /** {@return a row of bars for each pool, by name: as high as the share of its threads that were busy} */
    Map<String, String> bars() {
        Map<String, String> bars = new LinkedHashMap<>();
        shares.forEach((pool, known) -> {
            StringBuilder row = new StringBuilder(" ".repeat(WINDOWS - known.size()));
            known.forEach(share -> row.append(BARS.charAt((int) Math.ceil(share * (BARS.length() - 1)))));
            bars.put(pool, row.toString());
        });
        return bars;
    }
}
