package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.examples.fleet.Dashboard.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Prometheus' own checker says of rules, their tests, the configuration and the dashboard's queries. Starts no
 * server.
 */
@Tag("slow")
final class RulesIT {

    private static final String PAGES_TEST = """
            evaluation_interval: 1m
            tests:
              - interval: 1m
                input_series:
                  - {series: 'lifeguard_findings{job="shop", instance="a", name="mail", id="oversized"}', values: 1x5}
                  - {series: 'lifeguard_findings{job="shop", instance="b", name="mail", id="oversized"}', values: 1x5}
                  - {series: 'lifeguard_finding_page{job="shop", instance="a", id="oversized", page="old.md"}', values: 1x5}
                  - {series: 'lifeguard_finding_page{job="shop", instance="b", id="oversized", page="new.md"}', values: 1x5}
                promql_expr_test:
                  - expr: '%s'
                    eval_time: 5m
                    exp_samples:
                      - {labels: '{job="shop", instance="a", name="mail", id="oversized", page="old.md"}', value: 1}
                      - {labels: '{job="shop", instance="b", name="mail", id="oversized", page="new.md"}', value: 1}
            """;

    private static final String FLEET_TEST = """
            evaluation_interval: 1m
            tests:
              - interval: 1m
                input_series:
                  - {series: 'lifeguard_saturation{job="shop", instance="a", version="1.4", name="mail"}', values: 0x30}
                  - {series: 'lifeguard_saturation{job="shop", instance="a", version="1.4", name="web"}', values: 0x30}
                  - {series: 'lifeguard_saturation{job="shop", instance="b", version="1.4", name="mail"}', values: 0x30}
                  - {series: 'lifeguard_saturation{job="shop", instance="c", version="1.4", name="mail"}', values: 0x30}
                  - {series: 'lifeguard_saturation{job="shop", instance="d", version="1.4", name="mail"}', values: 0x30}
                  - {series: 'lifeguard_saturation{job="shop", instance="e", version="1.5", name="mail"}', values: 0x30}
                  - {series: 'lifeguard_saturation{job="shop", instance="f", version="1.5", name="mail"}', values: 0x30}
                  - series: 'lifeguard_findings{job="shop", instance="a", version="1.4", name="mail", id="lock-contention", severity="warning"}'
                    values: 0x5 1x24
                  - series: 'lifeguard_findings{job="shop", instance="b", version="1.4", name="mail", id="lock-contention", severity="warning"}'
                    values: 0x5 1x5 0x18
                  - series: 'lifeguard_findings{job="shop", instance="e", version="1.5", name="mail", id="lock-contention", severity="warning"}'
                    values: 0x10 1x19
                  - series: 'lifeguard_findings{job="shop", instance="f", version="1.5", name="mail", id="lock-contention", severity="warning"}'
                    values: 0x10 1x3 0x15
                  - series: 'lifeguard_findings{job="shop", instance="f", version="1.5", name="mail", id="lock-contention", severity="critical"}'
                    values: _x14 1x15
                promql_expr_test:
                  - expr: '%s'
                    eval_time: 20m
                    exp_samples: [{labels: '{job="shop", id="lock-contention", name="mail"}', value: 3}]
                  - expr: '%s'
                    eval_time: 20m
                    exp_samples: [{labels: '{job="shop", id="lock-contention", name="mail"}', value: 0.5}]
                  - expr: '%s'
                    eval_time: 20m
                    exp_samples: [{labels: '{job="shop", id="lock-contention", name="mail"}', value: 360000}]
                  - expr: '%s'
                    eval_time: 20m
                    exp_samples:
                      - {labels: '{id="lock-contention", version="1.4"}', value: 1}
                      - {labels: '{id="lock-contention", version="1.5"}', value: 2}
                  - expr: '%s'
                    eval_time: 20m
                    exp_samples:
                      - {labels: '{id="lock-contention", version="1.4"}', value: 0.25}
                      - {labels: '{id="lock-contention", version="1.5"}', value: 1}
                  - expr: '%s'
                    eval_time: 20m
                    exp_samples: [{labels: '{}', value: 3}]
                  - expr: '%s'
                    eval_time: 20m
                    exp_samples: [{labels: '{}', value: 1}]
            """;

    private final Tool promtool = Dashboards.tool("promtool");

    @TempDir
    Path scratch;

    @Test
    void checkRules_shipped_passes() throws Exception {
        assertThat(promtool.passes(
                        Stream.concat(
                                        Stream.of("check", "rules", "--lint=all", "--lint-fatal"),
                                        Dashboards.RULES.stream().map(this::shipped))
                                .toList(),
                        scratch,
                        ""))
                .contains("SUCCESS")
                .doesNotContain("FAILED");
    }

    @Test
    void checkRules_inAHurry_passesAndKeepsEachRule() throws Exception {
        for (String name : Dashboards.RULES) {
            String rules = Files.readString(Dashboards.DIRECTORY.resolve(name));
            Path hurried = Files.writeString(scratch.resolve(name), Hurry.rules(rules));
            String said = promtool.passes(List.of("check", "rules", hurried.toString()), scratch, "");
            long count = rules.lines()
                    .filter(line -> line.matches(" +- (alert|record): .*"))
                    .count();
            assertThat(said).contains("SUCCESS: " + count + " rules found");
        }
    }

    @Test
    void testRules_shipped_passes() throws Exception {
        List<String> arguments = new ArrayList<>(List.of("test", "rules"));
        Dashboards.below("tests").forEach(test -> arguments.add(test.toString()));
        assertThat(promtool.passes(arguments, scratch, "")).doesNotContain("FAILED");
    }

    @Test
    void checkConfig_shipped_passes() throws Exception {
        assertThat(promtool.passes(List.of("check", "config", shipped("prometheus.yml")), scratch, ""))
                .contains("SUCCESS: 2 rule files found");
    }

    /** A query that Prometheus cannot parse would be an empty panel. */
    @Test
    void checkRules_madeOfTheDashboardsQueries_passes() throws Exception {
        List<Query> queries = new ArrayList<>();
        for (Dashboard dashboard : Dashboards.all()) {
            queries.addAll(Dashboard.queries(dashboard.panels()));
            queries.addAll(dashboard.annotationQueries());
        }
        StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
        for (int i = 0; i < queries.size(); i++) {
            String expression = queries.get(i)
                    .with(Map.of("__rate_interval", "1m", "__range", "1h"))
                    .expression();
            rules.append("      - record: query")
                    .append(i)
                    .append("\n        expr: >-\n          ")
                    .append(expression)
                    .append('\n');
        }
        Path file = Files.writeString(scratch.resolve("dashboard.yml"), rules);
        assertThat(promtool.passes(List.of("check", "rules", file.toString()), scratch, ""))
                .contains("SUCCESS: " + queries.size() + " rules found");
    }

    /**
     * As in a fleet whose instances are configured one after the other: a query that may match only one page for all of
     * them would fail.
     */
    @Test
    void testRules_instancesWithDifferentPages_eachFindingLeadsToItsOwn() throws Exception {
        String panel = Dashboard.queries(Dashboards.grafana().panels()).stream()
                .map(query -> query.with(Map.of("job", ".+", "instance", ".+")).expression())
                .filter(expression -> expression.contains("lifeguard_finding_page"))
                .findFirst()
                .orElseThrow();
        Matcher documented = Pattern.compile("`(lifeguard_findings \\*.+?)`")
                .matcher(Files.readString(Path.of("..", "docs", "meters.md")));
        assertThat(documented.find()).isTrue();
        Path file = scratch.resolve("pages_test.yml");
        for (String expression : List.of(panel, documented.group(1))) {
            Files.writeString(file, PAGES_TEST.formatted(expression));
            assertThat(promtool.passes(List.of("test", "rules", file.toString()), scratch, ""))
                    .doesNotContain("FAILED");
        }
    }

    /** Four instances of an old version, of which one has the lock, and two of a new one, which both have it. */
    @Test
    void testRules_fleetOfTwoVersions_boardCountsCausesByInstanceAndVersion() throws Exception {
        Path file = scratch.resolve("fleet_board_test.yml");
        Files.writeString(
                file,
                FLEET_TEST.formatted(
                        fleetQuery("Causes A"),
                        fleetQuery("Causes B"),
                        fleetQuery("Causes C"),
                        fleetQuery("Causes by version A"),
                        fleetQuery("Causes by version B"),
                        fleetQuery("Instances with a finding A"),
                        fleetQuery("Critical A")));
        assertThat(promtool.passes(List.of("test", "rules", file.toString()), scratch, ""))
                .doesNotContain("FAILED");
    }

    private static String fleetQuery(String asker) throws IOException {
        return Dashboard.queries(Dashboards.fleet().panels()).stream()
                .filter(query -> query.asker().equals(asker))
                .map(query -> query.with(Map.of("job", ".+", "cause", ".+", "__range", "1h"))
                        .expression())
                .findFirst()
                .orElseThrow();
    }

    private String shipped(String name) {
        return Dashboards.DIRECTORY.resolve(name).toString();
    }
}
