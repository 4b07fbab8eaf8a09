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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each finding has a page; all pages have the same parts, and name each threshold of their rules with its default. */
class FindingPagesTest {

    private static final Path PAGES = Path.of("..", "docs", "findings");

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

    @ParameterizedTest
    @MethodSource("rules")
    void page_everyThreshold_isNamedWithItsDefault(Rule rule) {
        for (Threshold threshold : rule.thresholds()) {
            String id = threshold.key().substring(0, threshold.key().indexOf('.'));
            String number = String.format(Locale.ROOT, "%,f", BigDecimal.valueOf(threshold.value()))
                    .replaceAll("\\.?0+$", "");
            assertThat(page(id)).containsPattern(Pattern.quote("`" + threshold.key() + "` (" + number) + "[,)]");
        }
    }

    @Test
    void list_ofAllPages_namesEachFindingOnce() throws IOException {
        String list = Files.readString(PAGES.resolve("README.md"));
        List<String> ids = PoolMonitor.standardRules().stream()
                .flatMap(rule -> rule.ids().stream())
                .distinct()
                .toList();
        assertThat(ids).hasSize(24);
        for (String id : ids) {
            assertThat(list.split(Pattern.quote("| [" + id + "](" + id + ".md) |"), -1))
                    .hasSize(2);
        }
    }
}
