package io.lifeguard.pool.corpus.sizing;

import io.lifeguard.pool.corpus.sizing.SizedPool.Measured;
import io.lifeguard.pool.diagnosis.Sizing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The fork: sweeps one kind of task over sizes, asks for advice at three of them, and measures where the advice leads. Stateless. */
final class SizingMain {

    private static final double ENOUGH = 0.97;
    private static final int REPETITIONS = 2;

    private SizingMain() {}

    /** Arguments: name of the workload, milliseconds per size. */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        int status = 1;
        try {
            sweep(SizingWorkload.named(arguments[0]).orElseThrow(), Duration.ofMillis(Long.parseLong(arguments[1])));
            status = 0;
        } catch (Throwable e) { // an Error too has to be told before the end
            e.printStackTrace(System.out);
        } finally {
            System.out.flush();
            Runtime.getRuntime().halt(status);
        }
    }

    private static void sweep(SizingWorkload workload, Duration length) throws InterruptedException {
        try (SizedPool pool = new SizedPool(workload.opener().get())) {
            pool.measure(workload.swept(8), length); // for the compiler
            Map<Integer, Measured> measured = new TreeMap<>();
            for (int size : workload.sizes()) {
                measured.put(size, pool.measure(size, length));
            }
            measured.forEach((size, each) -> SizingResult.printPoint(size, each.throughput()));
            int right = rightSize(measured);
            Set<Integer> compared = new TreeSet<>(List.of(best(measured).getKey()));
            for (Advice advice : advices(workload, measured, right)) {
                SizingResult.printAdvice(advice);
                compared.add(Math.max(1, advice.recommended()));
            }
            SizingResult.printRight(right);
            for (int i = 0; i < REPETITIONS; i++) {
                for (int size : compared) {
                    SizingResult.printComparison(
                            size, pool.measure(size, length).throughput());
                }
            }
            SizingResult.printDone();
        }
    }

    private static List<Advice> advices(SizingWorkload workload, Map<Integer, Measured> measured, int right) {
        List<Advice> advices = new ArrayList<>();
        for (double factor : new double[] {0.25, 1, 4}) {
            int from = workload.swept(factor * right);
            Measured there = measured.get(from);
            if (there != null) {
                there.window().flatMap(Sizing::of).ifPresent(sizing -> {
                    System.out.println("from " + from + ": " + sizing);
                    advices.add(Advice.of(from, sizing, measured.keySet()));
                });
            }
        }
        return advices;
    }

    private static Map.Entry<Integer, Measured> best(Map<Integer, Measured> measured) {
        return measured.entrySet().stream()
                .max(Map.Entry.comparingByValue(Comparator.comparingDouble(Measured::throughput)))
                .orElseThrow();
    }

    /** The smallest that is nearly as good as the best. */
    private static int rightSize(Map<Integer, Measured> measured) {
        double best = best(measured).getValue().throughput();
        return measured.entrySet().stream()
                .filter(entry -> entry.getValue().throughput() >= ENOUGH * best)
                .findFirst()
                .orElseThrow()
                .getKey();
    }
}
