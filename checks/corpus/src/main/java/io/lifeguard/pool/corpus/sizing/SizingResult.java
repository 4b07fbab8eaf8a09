package io.lifeguard.pool.corpus.sizing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of a sweep. Immutable.
 *
 * @param workload the workload
 * @param sweep measured throughput by size, the median of all passes
 * @param noise how much a pass differs from that median, as a share of it and averaged over sizes; NaN after a single
 *     pass
 * @param foreign how many CPUs other processes used meanwhile, in the median
 * @param right the smallest size that was nearly as good as the best
 * @param advices the advice from windows at a quarter of the right size, at the right size, and at four times the right
 *     size
 * @param compared median throughput of the best and of the recommended sizes, measured in turns
 * @param log what else the run printed, for people
 */
public record SizingResult(
        SizingWorkload workload,
        Map<Integer, Double> sweep,
        double noise,
        double foreign,
        int right,
        List<Advice> advices,
        Map<Integer, Double> compared,
        List<String> log) {

    private static final String POINT = "@point";
    private static final String FOREIGN = "@foreign";
    private static final String RIGHT = "@right";
    private static final String ADVICE = "@advice";
    private static final String COMPARISON = "@comparison";
    private static final String DONE = "@done";

    static void printPoint(int size, double throughput) {
        print(POINT, size, throughput);
    }

    static void printForeign(double cpus) {
        print(FOREIGN, cpus);
    }

    static void printRight(int size) {
        print(RIGHT, size);
    }

    static void printComparison(int size, double throughput) {
        print(COMPARISON, size, throughput);
    }

    static void printAdvice(Advice advice) {
        StringBuilder curve = new StringBuilder();
        advice.curve().forEach((size, throughput) -> curve.append(size + "=" + throughput + ","));
        print(ADVICE, advice.from(), advice.recommended(), advice.book(), curve);
    }

    static void printDone() {
        print(DONE);
    }

    private static void print(Object... parts) {
        System.out.println(
                String.join("\t", Arrays.stream(parts).map(String::valueOf).toList()));
    }

    /** Parses what a fork printed. */
    public static SizingResult parse(SizingWorkload workload, List<String> lines) {
        Map<Integer, List<Double>> points = new TreeMap<>();
        Map<Integer, List<Double>> comparisons = new TreeMap<>();
        List<Advice> advices = new ArrayList<>();
        List<String> log = new ArrayList<>();
        double foreign = 0;
        int right = 0;
        for (String line : lines) {
            String[] parts = line.split("\t", -1);
            switch (parts[0]) {
                case POINT -> add(points, parts);
                case FOREIGN -> foreign = Double.parseDouble(parts[1]);
                case RIGHT -> right = Integer.parseInt(parts[1]);
                case COMPARISON -> add(comparisons, parts);
                case ADVICE ->
                    advices.add(new Advice(
                            Integer.parseInt(parts[1]),
                            Integer.parseInt(parts[2]),
                            Double.parseDouble(parts[3]),
                            curve(parts[4])));
                case DONE -> log.add("");
                default -> log.add(line);
            }
        }
        if (!log.remove("")) {
            throw new IllegalStateException(workload.name() + " failed:\n" + String.join("\n", lines));
        }
        return new SizingResult(
                workload, medians(points), noise(points), foreign, right, advices, medians(comparisons), log);
    }

    private static void add(Map<Integer, List<Double>> measured, String[] parts) {
        measured.computeIfAbsent(Integer.valueOf(parts[1]), size -> new ArrayList<>())
                .add(Double.valueOf(parts[2]));
    }

    private static Map<Integer, Double> medians(Map<Integer, List<Double>> measured) {
        Map<Integer, Double> medians = new TreeMap<>();
        measured.forEach((size, values) -> medians.put(size, median(values)));
        return medians;
    }

    /** The mean deviation of single measurements from their medians, as a share; NaN where each is the only one. */
    static double noise(Map<Integer, List<Double>> measured) {
        return measured.values().stream()
                .filter(values -> values.size() > 1)
                .flatMap(values -> values.stream().map(value -> Math.abs(value / median(values) - 1)))
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
    }

    /** The median. */
    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static Map<Integer, Double> curve(String text) {
        Map<Integer, Double> curve = new TreeMap<>();
        for (String point : text.split(",", -1)) {
            int equals = point.indexOf('=');
            if (equals < 0) {
                continue; // after the last comma
            }
            curve.put(Integer.valueOf(point.substring(0, equals)), Double.valueOf(point.substring(equals + 1)));
        }
        return curve;
    }

    /** Throughput of the best of the compared sizes. */
    double best() {
        return compared.values().stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    }

    /** Share of the best throughput that is lost at the recommended size, never negative. */
    double lost(Advice advice) {
        return 1 - compared.getOrDefault(advice.recommended(), Double.NaN) / best();
    }

    /**
     * Share of the best swept throughput that is lost at a size, never negative. Interpolated between the swept sizes.
     */
    double lostAt(double size) {
        double most =
                sweep.values().stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
        double within = Math.max(firstSize(), Math.min(lastSize(), size));
        int low = sweep.keySet().stream()
                .filter(each -> each <= within)
                .reduce((a, b) -> b)
                .orElseThrow();
        int high = sweep.keySet().stream()
                .filter(each -> each >= within)
                .findFirst()
                .orElseThrow();
        double share = low == high ? 0 : (within - low) / (high - low);
        double there = sweep.getOrDefault(low, most) * (1 - share) + sweep.getOrDefault(high, most) * share;
        return 1 - there / most;
    }

    private int firstSize() {
        return sweep.keySet().stream().findFirst().orElseThrow();
    }

    private int lastSize() {
        return sweep.keySet().stream().reduce((a, b) -> b).orElseThrow();
    }

    /** Errors of the prediction at the swept sizes, as shares of the measured throughput, smallest first. */
    List<Double> errors(Advice advice) {
        return sweep.entrySet().stream()
                .map(point -> Math.abs(advice.curve().getOrDefault(point.getKey(), Double.NaN) / point.getValue() - 1))
                .sorted()
                .toList();
    }
}
