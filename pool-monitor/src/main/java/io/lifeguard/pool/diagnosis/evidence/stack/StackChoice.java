package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.WorkerState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The workers to look at: random ones of each stratum that is not idle. Immutable.
 *
 * <p>The next stack goes to the stratum whose share it makes more certain than any other's: {@code w² / (n (n + 1))} is
 * largest for w workers and n stacks so far (Neyman's allocation). So each stratum gets one stack first.
 */
public record StackChoice(List<WorkerState> chosen, Map<Stratum, Long> workers) {

    public static StackChoice of(List<WorkerState> workers, List<Stratum> strata, List<Seen> soFar, int most) {
        Map<Stratum, List<WorkerState>> left = new LinkedHashMap<>();
        for (int i = 0; i < workers.size(); i++) {
            if (!strata.get(i).idle()) {
                left.computeIfAbsent(strata.get(i), key -> new ArrayList<>()).add(workers.get(i));
            }
        }
        Map<Stratum, Long> counts = new LinkedHashMap<>();
        left.forEach((stratum, all) -> {
            counts.put(stratum, (long) all.size());
            Collections.shuffle(all);
        });
        Map<Stratum, Integer> stacks = new HashMap<>();
        soFar.forEach(seen -> stacks.merge(seen.stratum(), 1, Integer::sum));
        List<WorkerState> chosen = new ArrayList<>(most);
        while (chosen.size() < most && !left.isEmpty()) {
            Map.Entry<Stratum, List<WorkerState>> next = Collections.max(
                    left.entrySet(),
                    Comparator.comparingDouble(entry ->
                            gain(counts.getOrDefault(entry.getKey(), 0L), stacks.getOrDefault(entry.getKey(), 0))));
            List<WorkerState> rest = next.getValue();
            chosen.add(rest.remove(rest.size() - 1));
            stacks.merge(next.getKey(), 1, Integer::sum);
            if (rest.isEmpty()) {
                left.remove(next.getKey());
            }
        }
        return new StackChoice(chosen, counts);
    }

    private static double gain(double workers, double stacks) {
        return stacks == 0 ? 1e9 + workers : workers * workers / (stacks * (stacks + 1));
    }
}
