package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import java.time.Instant;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the table of pools uses the width of a terminal. */
class WatchTextTest {

    @ParameterizedTest
    @CsvSource({
        "40, 80, false, false",
        "80, 80, false, false",
        "99, 99, false, false",
        "100, 100, true, false",
        "119, 119, true, false",
        "120, 120, true, true",
        "200, 200, true, true"
    })
    void table_width_linesFitAndColumnsComeWithRoom(int width, int longest, boolean hasLimit, boolean hasPlace) {
        List<String> lines = new WatchText(width).table("process 1: " + "x".repeat(300), List.of(pool("n".repeat(90))));

        assertThat(lines).hasSize(3).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(longest));
        assertThat(lines.get(0)).endsWith("...");
        assertThat(lines.get(1).contains("limit")).isEqualTo(hasLimit);
        assertThat(lines.get(1).contains("most busy threads are at")).isEqualTo(hasPlace);
    }

    @Test
    void table_longName_isCutAndNumbersStayBelowTheirTitles() {
        List<String> lines = new WatchText(80).table("", List.of(pool("n".repeat(90)), pool("orders")));

        assertThat(lines.get(2)).contains("n...");
        for (String row : lines.subList(2, 4)) {
            assertThat(row.indexOf('7')).isEqualTo(lines.get(1).indexOf("thrds") + "thrds".length() - 1);
        }
    }

    @Test
    void time_atAFullMinute_hasSecondsAsAlways() {
        assertThat(WatchText.time(LocalTime.of(9, 50))).isEqualTo("09:50:00");
        assertThat(WatchText.time(LocalTime.of(9, 50, 7, 999_999_999))).isEqualTo("09:50:07");
    }

    @Test
    void table_byName_isInItsOrderAndWithoutEscapes() {
        List<String> lines = new WatchText(80, true, PoolOrder.NAME).table("", List.of(pool("b\u001b[1m"), pool("a")));

        assertThat(lines.get(2)).startsWith("a");
        assertThat(lines.get(3)).startsWith("b").doesNotContain("\u001b");
    }

    @Test
    void table_poolWithAFinding_hasItsColourAndComesFirst() {
        Finding finding = new Finding(
                "lock-contention", Severity.WARNING, "sick", "s", "a", Map.of(), OptionalInt.empty(), Instant.EPOCH);
        PoolView sick = new PoolView("sick", PoolKind.EXECUTOR, 1, 0, Optional.empty(), List.of(finding), Set.of());
        List<String> lines = new WatchText(80, true, PoolOrder.SICK).table("", List.of(pool("healthy"), sick));

        assertThat(lines.get(2)).startsWith("\u001b[33msick").endsWith("\u001b[0m");
        assertThat(lines.get(3)).startsWith("healthy");
        assertThat(new WatchText(80).table("", List.of(sick)).get(2)).doesNotContain("\u001b");
    }

    @Test
    void history_minuteOfWindows_isARowOfBarsWithTheLatestLast() {
        PoolHistory history = new PoolHistory();
        for (int i = 0; i < 70; i++) {
            history.add(List.of(pool("orders"), pool("gone")));
        }
        history.add(List.of(pool("orders")));

        assertThat(new WatchText(120).history(history))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("orders ")
                        .endsWith("█".repeat(60))
                        .hasSizeLessThanOrEqualTo(120));
    }

    @ParameterizedTest
    @CsvSource({"1, 2, (size between 1 and 2)", "1, 1, (size 1)"})
    void measured_sizeWithItsInterval_isSaidBehindTheAdvice(int low, int high, String said) {
        Map<String, Object> interval = Map.of(Finding.SIZE_LOW, low, Finding.SIZE_HIGH, high);
        Finding finding = new Finding(
                "lock-contention", Severity.WARNING, "sick", "s", "Wait.", interval, OptionalInt.of(1), Instant.EPOCH);

        assertThat(new WatchText(80).measured(finding)).last().asString().isEqualTo("  Wait. " + said);
    }

    private static PoolView pool(String name) {
        return new PoolView(name, PoolKind.EXECUTOR, 7, 0, Optional.empty(), List.of(), Set.of());
    }
}
