package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Names the places at which workers wait. Stateless. */
final class Places {

    /** A sentence with more places is not read. */
    private static final int MOST = 3;

    /** A place with fewer than a twentieth of the workers is not named. */
    private static final double SMALLEST = 0.05;

    private Places() {}

    /** A clause such as {@code 8 of 8 workers are in com.example.Call.slow(Call.java:7)}; empty without stacks. */
    static String clause(Stream<Share> shares, double workers) {
        Map<String, Double> byPlace = new LinkedHashMap<>();
        shares.filter(share -> !share.place().isEmpty())
                .forEach(share -> byPlace.merge(share.place(), share.workers().value(), Double::sum));
        List<String> parts = new ArrayList<>();
        byPlace.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .filter(place -> place.getValue() >= SMALLEST * workers)
                .limit(MOST)
                .forEach(place -> parts.add(
                        parts.isEmpty()
                                ? first(place.getValue(), workers, place.getKey())
                                : count(place.getValue()) + " in " + place.getKey()));
        return String.join(", ", parts);
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
