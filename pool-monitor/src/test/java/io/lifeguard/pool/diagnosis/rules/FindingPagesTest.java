package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.window.Threshold;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each finding has a page; all pages have the same parts, and those thresholds that a release promises. */
class FindingPagesTest {

    private static final Path PAGES = Path.of("..", "docs", "findings");

    private static final Pattern THRESHOLD = Pattern.compile("(?m)^\\| `([a-z-]+\\.[A-Za-z]+)` \\(([0-9.,]+)\\) \\|");

    /** Of all pages together. */
    private static final int MOST_THRESHOLDS = 30;

    static Stream<Rule> rules() {
        return PoolMonitor.standardRules().stream();
    }

    private static String page(String id) {
        try {
            return Files.readString(PAGES.resolve(id + ".md"));
        } catch (IOException e) {
            throw new AssertionError("there is no page of " + id, e);
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void page_everyFinding_hasTheSameParts(Rule rule) {
        for (String id : rule.ids()) {
            String page = page(id);
            assertThat(page).startsWith("# " + id + "\n\n```\n");
            List<String> parts = page.lines()
                    .filter(line -> line.startsWith("## "))
                    .map(line -> line.substring(3))
                    .toList();
            assertThat(parts)
                    .as(id)
                    .containsExactly(
                            "What it means",
                            "The evidence",
                            "What to do",
                            "An example that produces it",
                            "When it is wrong",
                            "Captured");
        }
    }

    /** A release promises what its pages list, so a longer list is a decision. */
    @Test
    void pages_thresholds_existWithTheirDefaultsAndAreFew() throws IOException {
        Map<String, Threshold> known = rules().flatMap(rule -> rule.thresholds().stream())
                .collect(Collectors.toMap(Threshold::key, threshold -> threshold, (one, same) -> one));
        Set<String> listed = new TreeSet<>();
        try (Stream<Path> pages = Files.list(PAGES)) {
            for (Path page : pages.toList()) {
                Matcher row = THRESHOLD.matcher(Files.readString(page));
                while (row.find()) {
                    assertThat(known)
                            .as("thresholds, of which %s lists another one", page)
                            .containsKey(row.group(1));
                    String number = String.format(
                                    Locale.ROOT,
                                    "%,f",
                                    BigDecimal.valueOf(known.get(row.group(1)).value()))
                            .replaceAll("\\.?0+$", "");
                    assertThat(row.group(2)).as(row.group(1)).isEqualTo(number);
                    listed.add(row.group(1));
                }
            }
        }
        assertThat(listed).hasSizeBetween(20, MOST_THRESHOLDS);
    }

    @Test
    void list_ofAllPages_namesEachFindingOnce() throws IOException {
        String list = Files.readString(PAGES.resolve("README.md"));
        List<String> ids = PoolMonitor.standardRules().stream()
                .flatMap(rule -> rule.ids().stream())
                .distinct()
                .toList();
        assertThat(ids).hasSize(27);
        for (String id : ids) {
            assertThat(list.split(Pattern.quote("| [" + id + "](" + id + ".md) |"), -1))
                    .hasSize(2);
        }
    }
}
