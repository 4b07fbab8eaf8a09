package io.lifeguard.pool.corpus.looks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CourseTest {

    private static final Set<String> RIGHT = Set.of("downstream-saturated");
    private static final Standing RIGHT_ONE = standing("downstream-saturated", 4, 50);
    private static final Standing GROW = standing("blocked-on-io", 400, 50);

    @Test
    void parse_whatWasPrinted_givesTheSameLooks() {
        List<Look> looks = List.of(
                new Look(-250, List.of()),
                new Look(
                        0,
                        List.of(RIGHT_ONE, new Standing("a", "b\tc", OptionalInt.empty(), OptionalInt.empty(), "x"))));
        List<String> lines = new ArrayList<>(List.of("hello"));
        looks.forEach(look -> lines.addAll(look.lines()));

        Course course = Course.parse(lines);
        assertThat(course.log()).containsExactly("hello");
        assertThat(course.looks().get(0)).isEqualTo(looks.get(0));
        assertThat(course.looks().get(1).findings().get(0)).isEqualTo(RIGHT_ONE);
        assertThat(course.looks().get(1).findings().get(1).pool()).isEqualTo("b c");
    }

    @Test
    void standing_vanishesForOneOfFourLooks_isThreeQuartersSinceItWasFirstSeen() {
        Course course = course(List.of(), List.of(RIGHT_ONE), List.of(), List.of(RIGHT_ONE), List.of(RIGHT_ONE));
        assertThat(course.standing(RIGHT)).hasValue(0.75);
        assertThat(course.secondsTo(RIGHT)).hasValue(0.25);
    }

    @Test
    void standing_neverSeen_isUnknown() {
        assertThat(course(List.of(GROW)).standing(RIGHT)).isEmpty();
        assertThat(course(List.of(GROW)).secondsTo(RIGHT)).isEmpty();
    }

    @Test
    void contradictory_oppositeAdviceAtOnceOrInTurns_counts() {
        assertThat(course(List.of(RIGHT_ONE, GROW), List.of(RIGHT_ONE)).contradictory(RIGHT))
                .isEqualTo(1);
        assertThat(course(List.of(RIGHT_ONE), List.of(GROW), List.of(RIGHT_ONE)).contradictory(RIGHT))
                .isEqualTo(1);
    }

    @Test
    void contradictory_anotherPoolOrTheSameDirection_doesNotCount() {
        Standing elsewhere = new Standing("blocked-on-io", "other", OptionalInt.of(9), OptionalInt.of(5), "");
        assertThat(course(List.of(RIGHT_ONE, elsewhere), List.of(standing("oversized", 9, 50)))
                        .contradictory(RIGHT))
                .isZero();
    }

    @Test
    void secondsToEnd_gone_isTheFirstLookWithout() {
        assertThat(course(List.of(RIGHT_ONE), List.of(RIGHT_ONE), List.of()).secondsToEnd(RIGHT, 0))
                .hasValue(0.5);
        assertThat(course(List.of(), List.of(RIGHT_ONE)).secondsToEnd(RIGHT, 0)).isEmpty();
        assertThat(course(List.of(), List.of()).secondsToEnd(RIGHT, 0)).hasValue(0);
    }

    @Test
    void recommendedSizes_repeated_areTakenOnce() {
        assertThat(course(
                                List.of(RIGHT_ONE),
                                List.of(RIGHT_ONE),
                                List.of(standing("downstream-saturated", 6, 50)),
                                List.of(RIGHT_ONE))
                        .recommendedSizes(RIGHT))
                .containsExactly(4, 6, 4);
    }

    @SafeVarargs
    private static Course course(List<Standing>... findings) {
        List<Look> looks = new ArrayList<>();
        for (List<Standing> each : findings) {
            looks.add(new Look(250L * looks.size(), each));
        }
        return new Course(looks, List.of());
    }

    private static Standing standing(String id, int recommended, int size) {
        return new Standing(id, "orders", OptionalInt.of(recommended), OptionalInt.of(size), "said");
    }
}
