package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.WorkerState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The workers to look at: random ones of each stratum that is not idle. Immutable.
 *
 * <p>The next stack goes to the stratum whose share it makes more certain than any other's: {@code w² / (n (n + 1))} is
 * largest for w workers and n stacks so far (Neyman's allocation). So each stratum gets one stack first.
 */
public record StackChoice(List<WorkerState> chosen, Map<Stratum, Long> workers) {

    public static StackChoice of(List<WorkerState> workers, List<Stratum> strata, List<Seen> soFar, int wanted) {
        Map<Stratum, List<WorkerState>> left = new LinkedHashMap<>();
        for (int i = 0; i < workers.size(); i++) {
            if (!strata.get(i).idle()) {
                Seen.add(left, strata.get(i), workers.get(i));
            }
        }
        Map<Stratum, Long> counts = new LinkedHashMap<>();
        for (Map.Entry<Stratum, List<WorkerState>> group : left.entrySet()) {
            counts.put(group.getKey(), (long) group.getValue().size());
            Collections.shuffle(group.getValue());
        }
        Map<Stratum, Integer> stacks = new HashMap<>();
        for (Seen seen : soFar) {
            stacks.put(seen.stratum(), stacks.getOrDefault(seen.stratum(), 0) + 1);
        }
        List<WorkerState> chosen = new ArrayList<>(wanted);
        while (chosen.size() < wanted && !left.isEmpty()) {
            Stratum next = Stratum.IDLE;
            double most = -1;
            for (Stratum each : left.keySet()) {
                double gain = gain(counts.getOrDefault(each, 0L), stacks.getOrDefault(each, 0));
                next = gain > most ? each : next;
                most = Math.max(most, gain);
            }
            List<WorkerState> rest = Objects.requireNonNull(left.get(next));
            chosen.add(rest.remove(rest.size() - 1));
            stacks.put(next, stacks.getOrDefault(next, 0) + 1);
            if (rest.isEmpty()) {
                left.remove(next);
            }
        }
        return new StackChoice(chosen, counts);
    }

    private static double gain(double workers, double stacks) {
        return stacks == 0 ? 1e9 + workers : workers * workers / (stacks * (stacks + 1));
    }
}
