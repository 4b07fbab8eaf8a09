package io.lifeguard.pool.corpus.sizing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which sizes the findings said to a saturated pool, and what each size achieves. Immutable.
 *
 * @param name the workload
 * @param said what was said, in order, by the size that the pool had
 * @param compared median throughput by size
 * @param noise how much a single measurement differs from that median on average, as a share
 * @param log what else the run printed, for people
 */
public record AdvisedResult(
        String name, Map<Integer, List<Said>> said, Map<Integer, Double> compared, double noise, List<String> log) {

    private static final String SAID = "@said";
    private static final String COMPARISON = "@comparison";
    private static final String DONE = "@done";
    private static final double ENOUGH = 0.99;

    /**
     * What stood in one look.
     *
     * @param millis since the pool's start
     * @param id of the finding
     * @param size the recommended size, 0 for none
     */
    public record Said(long millis, String id, int size) {}

    static void printSaid(int from, long millis, String id, int size) {
        System.out.println(
                String.join("\t", SAID, Integer.toString(from), Long.toString(millis), id, Integer.toString(size)));
    }

    static void printComparison(int size, double throughput) {
        System.out.println(COMPARISON + "\t" + size + "\t" + throughput);
    }

    static void printDone() {
        System.out.println(DONE);
    }

    /** Parses what a fork printed. */
    public static AdvisedResult parse(String name, List<String> lines) {
        Map<Integer, List<Said>> said = new TreeMap<>();
        Map<Integer, List<Double>> compared = new TreeMap<>();
        List<String> log = new ArrayList<>();
        boolean isDone = false;
        for (String line : lines) {
            String[] parts = line.split("\t", -1);
            switch (parts[0]) {
                case SAID ->
                    said.computeIfAbsent(Integer.valueOf(parts[1]), from -> new ArrayList<>())
                            .add(new Said(Long.parseLong(parts[2]), parts[3], Integer.parseInt(parts[4])));
                case COMPARISON ->
                    compared.computeIfAbsent(Integer.valueOf(parts[1]), size -> new ArrayList<>())
                            .add(Double.valueOf(parts[2]));
                case DONE -> isDone = true;
                default -> log.add(line);
            }
        }
        if (!isDone) {
            throw new IllegalStateException(name + " failed:\n" + String.join("\n", lines));
        }
        Map<Integer, Double> medians = new TreeMap<>();
        compared.forEach((size, values) -> medians.put(size, SizingResult.median(values)));
        return new AdvisedResult(name, said, medians, SizingResult.noise(compared), log);
    }

    /** The size that was said last to a pool of this size; 0 if none was. */
    int advice(int from) {
        return sizes(from).stream().reduce(0, (a, b) -> b);
    }

    /** The size that was said first to a pool of this size; 0 if none was. */
    int firstAdvice(int from) {
        return sizes(from).stream().findFirst().orElse(0);
    }

    /** All sizes that were said to a pool of this size, in order. */
    List<Integer> sizes(int from) {
        return said.getOrDefault(from, List.of()).stream()
                .map(Said::size)
                .filter(size -> size > 0)
                .toList();
    }

    /** The findings that stood with a pool of this size. */
    Set<String> ids(int from) {
        return said.getOrDefault(from, List.of()).stream().map(Said::id).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Throughput of the best size. */
    double best() {
        return compared.values().stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    }

    /** The smallest size that achieves nearly as much as the best. */
    int bestSize() {
        return compared.entrySet().stream()
                .filter(entry -> entry.getValue() >= ENOUGH * best())
                .mapToInt(Map.Entry::getKey)
                .min()
                .orElse(0);
    }

    /** Share of the best throughput that is lost at a size. */
    double lost(int size) {
        return 1 - compared.getOrDefault(size, Double.NaN) / best();
    }

    /** The largest deviation of a said size from the median of all said sizes, as a share. */
    double deviation(int from) {
        List<Integer> sorted = sizes(from).stream().sorted().toList();
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        double middle = sorted.get(sorted.size() / 2);
        return Math.max(sorted.get(sorted.size() - 1) / middle - 1, 1 - sorted.get(0) / middle);
    }
}
