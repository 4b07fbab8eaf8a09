package io.lifeguard.pool.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.benchmarks.harness.Forking.Calibration;
import io.lifeguard.pool.benchmarks.scenarios.Metric;
import io.lifeguard.pool.benchmarks.scenarios.Scenario;
import io.lifeguard.pool.benchmarks.scenarios.Setup;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class TournamentTest {
    private static final Calibration CALIBRATION = new Calibration(321, "17");

    private final Results earlier = new Results();
    private final List<Pairing> plan =
            new ArrayList<>(Options.parse("--scenario", "bounded-1us,burst,memory", "--rival", "naive,micrometer")
                    .plan());

    @Test
    void run_undisturbed_measuresEachPairingOncePerRound() {
        FakeForks forks = new FakeForks(attempt -> 0.01);

        Results results = run(forks, 2, Optional.empty());

        assertThat(results.all())
                .extracting(result -> result.scenario() + " " + result.rival() + " " + result.round())
                .hasSize(2 * plan.size())
                .doesNotHaveDuplicates();
        assertThat(results.discarded()).isZero();
        assertThat(forks.setups)
                .allSatisfy(setup -> assertThat(setup.stepsPerMicro()).isEqualTo(321));
    }

    @Test
    void run_everyRound_keepsTheRivalsOfAScenarioTogether() {
        FakeForks forks = new FakeForks(attempt -> 0);

        run(forks, 1, Optional.empty());

        List<String> changes = new ArrayList<>();
        for (Pairing pairing : forks.pairings) {
            String scenario = pairing.first().name();
            if (changes.isEmpty() || !changes.get(changes.size() - 1).equals(scenario)) {
                changes.add(scenario);
            }
        }
        assertThat(changes).hasSize(3);
    }

    /** A ratio is taken within a round: what was measured in different runs must never share one. */
    @Test
    void run_afterEarlierRuns_addsFurtherRounds() {
        earlier.add(new Result("burst", "tpe-lbq", 7, 0, 0, false, Map.of(Metric.MAKESPAN_P50, 1.0)));

        Results results = run(new FakeForks(attempt -> 0), 2, Optional.empty());

        assertThat(results.all())
                .hasSize(1 + 2 * plan.size())
                .filteredOn(result -> result.scenario().equals("burst"))
                .extracting(Result::round)
                .containsOnly(7, 8, 9);
        assertThat(results.all())
                .filteredOn(result -> result.scenario().equals("bounded-1us"))
                .extracting(Result::round)
                .containsOnly(1, 2);
    }

    @Test
    void run_scenarioOfFewRounds_stopsThere() {
        Results results = run(new FakeForks(attempt -> 0), 5, Optional.empty());

        assertThat(results.summary("memory", "micrometer", Metric.MEMORY_PER_POOL))
                .hasValueSatisfying(summary -> assertThat(summary.count()).isEqualTo(3));
        assertThat(results.summary("burst", "micrometer", Metric.MAKESPAN_P50))
                .hasValueSatisfying(summary -> assertThat(summary.count()).isEqualTo(5));
    }

    @Test
    void run_disturbedTwice_takesTheThirdFork() {
        FakeForks forks = new FakeForks(attempt -> attempt % 3 == 0 ? 0.02 : 0.4);

        Results results = run(forks, 1, Optional.empty());

        assertThat(results.all())
                .allSatisfy(result -> assertThat(result.foreignShare()).isEqualTo(0.02));
        assertThat(results.discarded()).isEqualTo(2 * plan.size());
        assertThat(results.disturbed()).isZero();
    }

    @Test
    void run_alwaysDisturbed_keepsTheLeastAndSaysSo() {
        FakeForks forks = new FakeForks(attempt -> attempt % 3 == 2 ? 0.2 : 0.4);

        Results results = run(forks, 1, Optional.empty());

        assertThat(forks.pairings).hasSize(3 * plan.size());
        assertThat(results.all())
                .allSatisfy(result -> assertThat(result.foreignShare()).isEqualTo(0.2));
        assertThat(results.disturbed()).isEqualTo(plan.size());
    }

    /** Where neighbours belong to the scenario, a busy machine is no disturbance. */
    @Test
    void run_besideOthers_discardsNothing() {
        plan.clear();
        plan.addAll(Options.parse("--scenario", "beside-p4-bounded-1us-*").plan());

        Results results = run(new FakeForks(attempt -> 0.9), 1, Optional.empty());

        assertThat(results.discarded()).isZero();
        assertThat(results.disturbed()).isZero();
        assertThat(results.size())
                .isEqualTo(plan.stream()
                        .mapToInt(pairing -> pairing.scenarios().size())
                        .sum());
    }

    @Test
    void run_noTimeLeft_finishesTheFirstRound() {
        Results results = run(new FakeForks(attempt -> 0), 4, Optional.of(Duration.ZERO));

        assertThat(results.all()).hasSize(plan.size());
    }

    @Test
    void run_forkFails_failsAsAWhole() {
        FakeForks forks = new FakeForks(attempt -> {
            throw new ForkFailedException("broken");
        });

        assertThatThrownBy(() -> run(forks, 1, Optional.empty())).hasMessage("broken");
    }

    private Results run(FakeForks forks, int rounds, Optional<Duration> budget) {
        Effort effort = new Effort(Duration.ZERO, Duration.ZERO, 1, 2, Duration.ZERO, budget);
        PrintStream silent = new PrintStream(OutputStream.nullOutputStream());
        return new Tournament(forks, effort, silent, earlier).run(plan, rounds, CALIBRATION, true, 42);
    }

    /** Answers at once; how disturbed an attempt was depends on its number, from 1. */
    private static final class FakeForks implements Forking {
        private final ToDoubleFunction<Integer> foreign;
        private final List<Pairing> pairings = new ArrayList<>();
        private final List<Setup> setups = new ArrayList<>();

        FakeForks(ToDoubleFunction<Integer> foreign) {
            this.foreign = foreign;
        }

        @Override
        public Calibration calibrate() {
            return CALIBRATION;
        }

        @Override
        public Outcome measure(Pairing pairing, Setup setup) {
            pairings.add(pairing);
            setups.add(setup);
            Map<String, Map<Metric, Double>> values = new HashMap<>();
            for (Scenario scenario : pairing.scenarios()) {
                Map<Metric, Double> each = new EnumMap<>(Metric.class);
                scenario.metrics().forEach(metric -> each.put(metric, 1.0));
                values.put(scenario.name(), each);
            }
            return new Outcome(foreign.applyAsDouble(pairings.size()), values);
        }
    }
}
