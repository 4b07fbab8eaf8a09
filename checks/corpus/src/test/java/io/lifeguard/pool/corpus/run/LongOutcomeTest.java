package io.lifeguard.pool.corpus.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.corpus.looks.Course;
import io.lifeguard.pool.corpus.looks.Look;
import io.lifeguard.pool.corpus.looks.Standing;
import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.corpus.workloads.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LongOutcomeTest {

    private static final Workload PERMITS =
            Workloads.named("fifty-workers-on-four-permits").orElseThrow();

    @Test
    void wrong_foundStandingSteadyAndGone_nothing() {
        LongOutcome outcome = outcome(found(4), found(5), found(4), List.of());
        assertThat(outcome.wrong()).isEmpty();
        assertThat(outcome.secondsToEnd()).hasValue(0);
        assertThat(outcome.sizes()).isEqualTo("4–5");
    }

    @Test
    void wrong_eachPromiseBroken_isNamed() {
        assertThat(outcome(List.of(), List.of(), List.of(), List.of()).wrong()).hasValue("not found");
        assertThat(outcome(found(4), List.of(), found(4), List.of()).wrong()).hasValue("not standing");
        assertThat(outcome(found(4), found(4), found(4), found(4)).wrong()).hasValue("outlives the cure");
        assertThat(outcome(found(4), found(6), found(6), List.of()).wrong()).hasValue("unsteady size");
        assertThat(outcome(found(7), found(7), found(7), List.of()).wrong()).hasValue("not 4 to 6 workers");
        assertThat(outcome(found(4), both(), found(4), List.of()).wrong()).hasValue("contradictory");
    }

    @Test
    void wrong_placeThatTheLabelGives_isAskedFor() {
        List<Standing> elsewhere = List.of(standing("downstream-saturated", 4, "at Elsewhere.call"));
        assertThat(outcome(elsewhere, elsewhere, elsewhere, List.of()).wrong()).hasValue("no place");
        assertThat(outcome(elsewhere, found(4), elsewhere, List.of()).wrong()).isEmpty();
    }

    @Test
    void wrong_noRelief_nothingOutlivesIt() {
        LongOutcome ended = outcome(found(4), found(4), found(4), found(4));
        LongOutcome unrelieved = new LongOutcome(PERMITS, ended.course(), 750, false);
        assertThat(unrelieved.wrong()).isEmpty();
        assertThat(unrelieved.secondsToEnd()).isEmpty();
    }

    @Test
    void wrong_healthy_onlyWhatIsFound() {
        Workload healthy = Workloads.named("caller-runs-at-full-cpu").orElseThrow();
        Course quiet = new Course(List.of(new Look(0, List.of())), List.of());
        Course loud = new Course(List.of(new Look(0, found(4))), List.of());
        assertThat(new LongOutcome(healthy, quiet, 750, false).wrong()).isEmpty();
        assertThat(new LongOutcome(healthy, quiet, 750, false).isTimed()).isFalse();
        assertThat(new LongOutcome(healthy, loud, 750, false).wrong()).hasValue("false findings");
    }

    private static List<Standing> found(int size) {
        return List.of(standing("downstream-saturated", size));
    }

    private static List<Standing> both() {
        return List.of(standing("downstream-saturated", 4), standing("blocked-on-io", 400));
    }

    private static Standing standing(String id, int size) {
        return standing(id, size, "at WaitingWorkloads.take");
    }

    private static Standing standing(String id, int size, String text) {
        return new Standing(id, "orders", OptionalInt.of(size), OptionalInt.of(50), text);
    }

    /** Looks at 0, 250 and 500 ms, relief at 750 ms, and a last look at that moment. */
    @SafeVarargs
    private static LongOutcome outcome(List<Standing>... findings) {
        List<Look> looks = new ArrayList<>();
        for (List<Standing> each : findings) {
            looks.add(new Look(250L * looks.size(), each));
        }
        return new LongOutcome(PERMITS, new Course(looks, List.of()), 750, true);
    }
}
