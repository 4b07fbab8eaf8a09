package io.lifeguard.pool.corpus.sizing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a sweep gave. Immutable.
 *
 * @param workload which
 * @param sweep measured throughput by size
 * @param right the smallest size that was nearly as good as the best
 * @param advices what was said from windows at sizes a quarter of that, that, and four times that
 * @param compared throughput of the best and the recommended sizes, measured in turns
 * @param log what the run said beyond, for people
 */
public record SizingResult(
        SizingWorkload workload,
        Map<Integer, Double> sweep,
        int right,
        List<Advice> advices,
        Map<Integer, Double> compared,
        List<String> log) {

    private static final String POINT = "@point";
    private static final String RIGHT = "@right";
    private static final String ADVICE = "@advice";
    private static final String COMPARISON = "@comparison";
    private static final String DONE = "@done";

    static void printPoint(int size, double throughput) {
        print(POINT, size, throughput);
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

    /** Reads what a fork printed. */
    static SizingResult parse(SizingWorkload workload, List<String> lines) {
        Map<Integer, Double> sweep = new TreeMap<>();
        Map<Integer, List<Double>> comparisons = new TreeMap<>();
        List<Advice> advices = new ArrayList<>();
        List<String> log = new ArrayList<>();
        int right = 0;
        for (String line : lines) {
            String[] parts = line.split("\t", -1);
            switch (parts[0]) {
                case POINT -> sweep.put(Integer.valueOf(parts[1]), Double.valueOf(parts[2]));
                case RIGHT -> right = Integer.parseInt(parts[1]);
                case COMPARISON ->
                    comparisons
                            .computeIfAbsent(Integer.valueOf(parts[1]), size -> new ArrayList<>())
                            .add(Double.valueOf(parts[2]));
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
        Map<Integer, Double> compared = new TreeMap<>();
        comparisons.forEach((size, values) -> compared.put(
                size, values.stream().mapToDouble(Double::doubleValue).average().orElse(0)));
        return new SizingResult(workload, sweep, right, advices, compared, log);
    }

    private static Map<Integer, Double> curve(String text) {
        Map<Integer, Double> curve = new TreeMap<>();
        for (String point : text.split(",", -1)) {
            int equals = point.indexOf('=');
            if (equals < 0) {
                continue; // behind the last comma
            }
            curve.put(Integer.valueOf(point.substring(0, equals)), Double.valueOf(point.substring(equals + 1)));
        }
        return curve;
    }

    /** Throughput of the best of the compared sizes. */
    double best() {
        return compared.values().stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    }

    /** Share of the best throughput that is lost at the recommended size; negative never. */
    double lost(Advice advice) {
        return 1 - compared.getOrDefault(advice.recommended(), Double.NaN) / best();
    }

    /** Off by how much the prediction was at each swept size, as shares of what was measured, smallest first. */
    List<Double> errors(Advice advice) {
        return sweep.entrySet().stream()
                .map(point -> Math.abs(advice.curve().getOrDefault(point.getKey(), Double.NaN) / point.getValue() - 1))
                .sorted()
                .toList();
    }
}
