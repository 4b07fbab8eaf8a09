package io.lifeguard.pool.corpus.sizing;

import io.lifeguard.pool.corpus.sizing.SizedPool.Measured;
import io.lifeguard.pool.diagnosis.sizing.Certainty;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.workbench.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The main class of a fork. It sweeps one kind of task over sizes, asks for advice at three of them, and measures the
 * recommended sizes. Stateless.
 */
final class SizingMain {

    private static final double ENOUGH = 0.97;
    private static final int TURNS = 3;
    private static final int FEWEST_TRIES = 2;

    private SizingMain() {}

    /** Arguments: name of the workload, milliseconds per size, how often the sizes are swept. */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        ChildJvm.workAndHalt(() -> sweep(
                SizingWorkload.named(arguments[0]).orElseThrow(),
                Duration.ofMillis(Long.parseLong(arguments[1])),
                Integer.parseInt(arguments[2])));
    }

    private static void sweep(SizingWorkload workload, Duration length, int passes) throws InterruptedException {
        try (SizedPool pool = new SizedPool(workload.opener().get(), Math.max(FEWEST_TRIES, passes))) {
            pool.measure(workload.swept(8), length); // warms the compiler up
            Map<Integer, List<Measured>> measured = new TreeMap<>();
            for (int pass = 0; pass < passes; pass++) {
                for (int size : inTurn(workload.sizes(), pass)) {
                    Measured here = pool.measure(size, length);
                    measured.computeIfAbsent(size, key -> new ArrayList<>()).add(here);
                    SizingResult.printPoint(size, here.throughput());
                }
            }
            SizingResult.printForeign(SizingResult.median(measured.values().stream()
                    .flatMap(all -> all.stream().map(Measured::foreign))
                    .toList()));
            Map<Integer, Double> throughput = new TreeMap<>();
            measured.forEach((size, all) -> throughput.put(
                    size,
                    SizingResult.median(all.stream().map(Measured::throughput).toList())));
            int right = rightSize(throughput);
            Set<Integer> compared = new TreeSet<>(List.of(best(throughput).getKey(), right));
            for (Advice advice : advices(workload, measured, right)) {
                SizingResult.printAdvice(advice);
                compared.add(Math.max(1, advice.recommended()));
            }
            SizingResult.printRight(right);
            for (int turn = 0; turn < TURNS; turn++) {
                for (int size : inTurn(List.copyOf(compared), turn)) {
                    SizingResult.printComparison(
                            size, pool.measure(size, length).throughput());
                }
            }
            SizingResult.printDone();
        }
    }

    /** Sweeps upwards and downwards in turn, so that a machine that slows down does not favour one end. */
    private static List<Integer> inTurn(List<Integer> sizes, int turn) {
        List<Integer> ordered = new ArrayList<>(sizes);
        if (turn % 2 == 1) {
            Collections.reverse(ordered);
        }
        return ordered;
    }

    /** Prints the advice from the windows of the last pass. */
    private static List<Advice> advices(SizingWorkload workload, Map<Integer, List<Measured>> measured, int right) {
        List<Advice> advices = new ArrayList<>();
        for (double factor : new double[] {0.25, 1, 4}) {
            int from = workload.swept(factor * right);
            List<Measured> there = measured.getOrDefault(from, List.of());
            there.stream()
                    .skip(Math.max(0, there.size() - 1))
                    .findFirst()
                    .flatMap(Measured::window)
                    .flatMap(Sizing::of)
                    .ifPresent(sizing -> {
                        System.out.println("from " + from + ": " + sizing);
                        if (sizing.certainty() == Certainty.POOR) {
                            return; // the rules give no advice then either
                        }
                        advices.add(Advice.of(from, sizing, measured.keySet()));
                    });
        }
        return advices;
    }

    private static Map.Entry<Integer, Double> best(Map<Integer, Double> measured) {
        return measured.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    }

    /** The smallest size that is nearly as good as the best. */
    private static int rightSize(Map<Integer, Double> measured) {
        double best = best(measured).getValue();
        return measured.entrySet().stream()
                .filter(entry -> entry.getValue() >= ENOUGH * best)
                .findFirst()
                .orElseThrow()
                .getKey();
    }
}
