package io.lifeguard.pool.report.drawing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SegmentsTest {

    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    /** Reads what {@link Vlq} writes, written independently of the page's reader. */
    static List<Long> numbers(String text) {
        List<Long> found = new ArrayList<>();
        long number = 0;
        int shift = 0;
        for (char letter : text.toCharArray()) {
            long digit = DIGITS.indexOf(letter);
            number |= (digit & 31) << shift;
            shift += 5;
            if (digit < 32) {
                found.add(number);
                number = 0;
                shift = 0;
            }
        }
        return found;
    }

    /** {@return the state at each of so many ticks} */
    static int[] states(Segments segments, int ticks) {
        List<Long> numbers = numbers(segments.packed());
        int[] states = new int[ticks];
        java.util.Arrays.fill(states, Segments.NOTHING);
        long start = 0;
        for (int i = 0; i < numbers.size(); i += 3) {
            start += numbers.get(i);
            for (int tick = (int) start; tick < ticks; tick++) {
                states[tick] = (int) (long) numbers.get(i + 1);
            }
        }
        return states;
    }

    @Test
    void add_sameStateAgain_continuesIt() {
        Segments segments = new Segments();
        segments.add(0, 1, 7);
        segments.add(5, 1, 7);
        segments.add(9, 2, 7);

        assertThat(numbers(segments.packed())).containsExactly(0L, 1L, 7L, 9L, 2L, 7L);
        assertThat(segments.present()).isEqualTo(0b110);
    }

    @Test
    void vlq_anyNumber_comesBack() {
        Vlq text = new Vlq();
        List<Long> numbers = List.of(0L, 1L, 31L, 32L, 1023L, 1024L, 3_600_000L, Long.MAX_VALUE);
        numbers.forEach(text::add);

        assertThat(numbers(text.toString())).isEqualTo(numbers);
        assertThatThrownBy(() -> text.add(-5)).hasMessage("number must be >= 0 (was -5)");
    }

    /** Property: in each coarse moment stands the worst of what stood there, for random lanes. */
    @Test
    void coarser_anyLane_showsTheWorstOfEachMoment() {
        int[] ranks = {3, 8, 9, 7, 6, 5, 4, 1, 2, 11, 10, 0};
        Random random = new Random(14);
        for (int round = 0; round < 500; round++) {
            Segments fine = new Segments();
            int at = random.nextInt(20);
            while (at < 180) {
                fine.add(at, random.nextInt(ranks.length), 0);
                at += 1 + random.nextInt(random.nextBoolean() ? 3 : 40);
            }
            fine.add(190, Segments.NOTHING, 0);
            int width = 2 + random.nextInt(12);
            int[] before = states(fine, 240);
            int[] after = states(fine.coarser(width), 240);
            for (int begin = 0; begin + width <= 240; begin += width) {
                int worst = Segments.NOTHING;
                for (int i = begin; i < begin + width; i++) {
                    worst = ranks[before[i]] > ranks[worst] ? before[i] : worst;
                }
                for (int i = begin; i < begin + width; i++) {
                    assertThat(after[i])
                            .as("round %d, tick %d of width %d", round, i, width)
                            .isEqualTo(worst);
                }
            }
        }
    }

    @Test
    void causes_ofThePage_haveTheNamesAndRanksOfJava() {
        Matcher matcher =
                Pattern.compile("\\{ id: '([A-Z_]+)'.* rank: (\\d+) }").matcher(Page.resource("causes.js"));
        List<String> names = new ArrayList<>();
        while (matcher.find()) {
            int place = names.size();
            names.add(matcher.group(1));
            int rank = Integer.parseInt(matcher.group(2));
            // The rank is that which Java uses: the worse of two states is what a coarse moment shows.
            for (int other = 0; other < place; other++) {
                Segments both = new Segments();
                both.add(0, other, 0);
                both.add(1, place, 0);
                int worse = states(both.coarser(2), 1)[0];
                assertThat(worse == place).as("%d against %d", place, other).isEqualTo(rank > rankOf(other));
            }
        }
        assertThat(names)
                .containsExactlyElementsOf(Stream.concat(
                                Stream.of(Doing.values()).map(Enum::name), Stream.of("CALLER_RUNS", "SUBMIT_WAIT"))
                        .toList());
    }

    private static int rankOf(int cause) {
        return Pattern.compile("rank: (\\d+)")
                .matcher(Page.resource("causes.js"))
                .results()
                .skip(cause)
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .findFirst()
                .orElseThrow();
    }
}
