package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.harness.Forking.Calibration;
import io.lifeguard.pool.benchmarks.harness.Forking.Outcome;
import io.lifeguard.pool.benchmarks.scenarios.Metric;
import io.lifeguard.pool.benchmarks.scenarios.Neighbours;
import io.lifeguard.pool.benchmarks.scenarios.Scenario;
import io.lifeguard.pool.benchmarks.scenarios.Setup;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures every pairing once per round. One thread only. Within a round the scenarios come in random order. Within a
 * scenario the rivals come in random order, one right after the other, so that compared values are measured at nearly
 * the same time.
 */
public final class Tournament {
    /** A fork is discarded and repeated if other processes used more of the machine than this. */
    static final double FOREIGN_LIMIT = 0.10;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Forking forking;
    private final Effort effort;
    private final PrintStream progress;
    private final Results results;
    private final Map<String, Integer> earlierRounds = new HashMap<>();
    private final long start = System.nanoTime();
    private int done;

    /**
     * Creates a tournament that has not begun.
     *
     * @param results earlier results, to which this tournament adds further rounds
     */
    public Tournament(Forking forking, Effort effort, PrintStream progress, Results results) {
        this.forking = forking;
        this.effort = effort;
        this.progress = progress;
        this.results = results;
        results.all().forEach(result -> earlierRounds.merge(result.scenario(), result.round(), Math::max));
    }

    /** Runs all rounds, or as many as the time budget allows, but at least one. */
    public Results run(List<Pairing> plan, int rounds, Calibration calibration, boolean freshTasks, long seed) {
        Random random = new Random(seed);
        int forks = 0;
        for (int round = 1; round <= rounds; round++) {
            for (Pairing pairing : plan) {
                forks += round <= pairing.first().mostRounds() ? 1 : 0;
            }
        }
        for (int round = 1; round <= rounds; round++) {
            for (Pairing pairing : shuffled(plan, random)) {
                if (round > pairing.first().mostRounds()) {
                    continue;
                }
                if (round > 1 && isSpent(1)) {
                    progress.printf("time is up: stopping in round %d of %d%n", round, rounds);
                    return results;
                }
                Setup setup = new Setup(
                        effort.warmUp(),
                        effort.measured(),
                        calibration.stepsPerMicro(),
                        freshTasks,
                        effort.memoryTasks(),
                        random.nextLong());
                List<Result> measured = measure(pairing, round, setup);
                measured.forEach(results::add);
                report(measured, pairing, forks);
            }
        }
        return results;
    }

    private static List<Pairing> shuffled(List<Pairing> plan, Random random) {
        Map<String, List<Pairing>> byFork = new LinkedHashMap<>();
        plan.forEach(pairing -> byFork.computeIfAbsent(pairing.first().fork(), fork -> new ArrayList<>())
                .add(pairing));
        List<List<Pairing>> groups = new ArrayList<>(byFork.values());
        Collections.shuffle(groups, random);
        groups.forEach(group -> Collections.shuffle(group, random));
        return groups.stream().flatMap(List::stream).toList();
    }

    /** Measures until a fork is undisturbed. If none is, keeps the least disturbed fork and marks it. */
    private List<Result> measure(Pairing pairing, int round, Setup setup) {
        // where neighbours belong to the scenario, the machine is always busy
        double limit = pairing.first().neighbours() == Neighbours.NONE ? FOREIGN_LIMIT : 1;
        Outcome best = forking.measure(pairing, setup);
        int discarded = 0;
        for (int repeat = 1; mayRepeat(repeat) && best.foreignShare() > limit; repeat++) {
            discarded++;
            LockSupport.parkNanos(effort.pause().toNanos());
            Outcome next = forking.measure(pairing, setup);
            best = next.foreignShare() < best.foreignShare() ? next : best;
        }
        List<Result> measured = new ArrayList<>();
        for (Scenario scenario : pairing.scenarios()) {
            measured.add(new Result(
                    scenario.name(),
                    pairing.rival().name(),
                    earlierRounds.getOrDefault(scenario.name(), 0) + round,
                    discarded,
                    best.foreignShare(),
                    best.foreignShare() > limit,
                    best.values().getOrDefault(scenario.name(), Map.of())));
        }
        return measured;
    }

    private boolean mayRepeat(int repeat) {
        return repeat <= effort.repeats() && !isSpent(0.5);
    }

    private boolean isSpent(double shareOfBudget) {
        return effort.budget()
                .map(budget -> System.nanoTime() - start > shareOfBudget * budget.toNanos())
                .orElse(false);
    }

    /** Prints the first value of the first scenario, and how many more there are. */
    private void report(List<Result> measured, Pairing pairing, int forks) {
        done++;
        Result result = measured.get(0);
        Metric headline = pairing.first().metrics().get(0);
        double secondsEach = (System.nanoTime() - start) / NANOS_PER_SECOND / done;
        Duration left = Duration.ofSeconds((long) (secondsEach * (forks - done)));
        progress.printf(
                "[%d/%d] round %d  %-16s %-10s %12s %s%s   others %.0f %%%s   %d:%02d min left%n",
                done,
                forks,
                result.round(),
                result.scenario(),
                result.rival(),
                Figures.plain(result.values().getOrDefault(headline, Double.NaN)),
                headline.unit(),
                measured.size() > 1 ? " and %d more".formatted(measured.size() - 1) : "",
                100 * result.foreignShare(),
                result.disturbed() ? " (disturbed)" : "",
                left.toMinutes(),
                left.toSecondsPart());
    }
}
