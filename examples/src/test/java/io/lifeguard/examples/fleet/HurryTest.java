package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HurryTest {

    @Test
    void rules_times_areDividedButNotBelowWhatIsNeeded() {
        assertThat(Hurry.rules("expr: rate(x[1h]) > 5 and y[2d:5m] < 1800\n  for: 1h\n  for: 1m\n"))
                .isEqualTo("expr: rate(x[30000ms]) > 5 and y[1440000ms:5m] < 1800\n  for: 30000ms\n  for: 20000ms\n");
    }

    @Test
    void rules_shipped_differInTimesOnly() throws IOException {
        for (String name : Dashboards.RULES) {
            List<String> shipped = Files.readAllLines(Dashboards.DIRECTORY.resolve(name));
            List<String> hurried =
                    Hurry.rules(String.join("\n", shipped)).lines().toList();
            assertThat(hurried).hasSameSizeAs(shipped).isNotEqualTo(shipped);
            assertThat(hurried.stream().map(HurryTest::withoutTimes).toList())
                    .isEqualTo(shipped.stream().map(HurryTest::withoutTimes).toList());
        }
    }

    @Test
    void config_intervals_areShort() {
        assertThat(Hurry.config("global:\n  scrape_interval: 15s\n  evaluation_interval: 15s\n"))
                .isEqualTo("global:\n  scrape_interval: 500ms\n  evaluation_interval: 500ms\n");
    }

    private static String withoutTimes(String line) {
        return line.replaceAll("\\b\\d+(ms|s|m|h|d)\\b", "…");
    }
}
