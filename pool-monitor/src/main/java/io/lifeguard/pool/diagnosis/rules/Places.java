package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Names the places at which workers wait. Stateless. */
final class Places {

    /** A sentence with more places is not read. */
    private static final int MOST = 3;

    /** A place with fewer than a twentieth of the workers is not named. */
    private static final double SMALLEST = 0.05;

    private Places() {}

    /** A clause such as {@code 8 of 8 workers are in com.example.Call.slow(Call.java:7)}; empty without stacks. */
    static String clause(List<Share> shares, double workers) {
        Map<String, Double> byPlace = new LinkedHashMap<>();
        for (Share share : shares) {
            if (!share.place().isEmpty()) {
                double others = byPlace.getOrDefault(share.place(), 0.0);
                byPlace.put(share.place(), others + share.workers().value());
            }
        }
        StringBuilder clause = new StringBuilder();
        for (int i = 0; i < MOST && !byPlace.isEmpty(); i++) {
            Map.Entry<String, Double> most = byPlace.entrySet().iterator().next();
            for (Map.Entry<String, Double> other : byPlace.entrySet()) {
                most = other.getValue() > most.getValue() ? other : most;
            }
            String place = most.getKey();
            double here = most.getValue();
            byPlace.remove(place);
            if (here >= SMALLEST * workers) {
                clause.append(i == 0 ? first(here, workers, place) : ", " + count(here) + " in " + place);
            }
        }
        return clause.toString();
    }

    /** What some workers did, by place, largest first. */
    static List<Share> of(TimeBreakdown times, Doing doing) {
        List<Share> places = new ArrayList<>();
        for (Share share : times.shares()) {
            if (share.doing() == doing) {
                places.add(share);
            }
        }
        return places;
    }

    private static String first(double here, double workers, String place) {
        return Units.format(
                "%s of %s %s in %s",
                count(here), Counted.of(Math.round(workers), "worker"), Math.round(here) == 1 ? "is" : "are", place);
    }

    /** A mean number of workers, as people say it: whole. */
    static String count(double workers) {
        return Units.rate(workers < 1 ? workers : (double) Math.round(workers));
    }

    static Finding.Builder add(Finding.Builder finding, List<Share> shares) {
        for (Share share : shares) {
            if (!share.place().isEmpty()) {
                finding.place(share.place());
                if (!share.stack().isEmpty()) {
                    finding.stack(StandardRule.lines(share.stack()));
                }
                return finding;
            }
        }
        return finding;
    }
}
