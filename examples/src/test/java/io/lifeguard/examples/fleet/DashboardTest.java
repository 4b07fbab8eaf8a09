package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lifeguard.examples.fleet.Dashboard.Query;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be said of dashboard, rules and pages without running them. */
final class DashboardTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern METER = Pattern.compile("\\b(?:lifeguard|executor)_[a-z_]+\\b");
    private static final Pattern PAGE = Pattern.compile("runbook_url: (.+?)(#\\S+)?$", Pattern.MULTILINE);
    private static final int GRID = 24;

    static List<Dashboard> all() throws IOException {
        return Dashboards.all();
    }

    @ParameterizedTest
    @MethodSource("all")
    void dashboard_asAWhole_hasWhatGrafanaNeeds(Dashboard dashboard) {
        JsonNode json = dashboard.json();
        assertThat(json.get("uid").asText()).matches("[a-zA-Z0-9_-]{1,40}");
        assertThat(json.get("title").asText()).isNotBlank();
        assertThat(json.get("schemaVersion").asInt()).isGreaterThanOrEqualTo(39);
        assertThat(json.get("id").isNull()).as("an id is given by Grafana").isTrue();
        assertThat(dashboard.variables().stream().map(each -> each.get("name").asText()))
                .startsWith("datasource", "job");
    }

    @Test
    void dashboards_uidAndTitle_areOfOneEach() throws IOException {
        assertThat(Dashboards.all()).extracting(each -> each.json().get("uid")).doesNotHaveDuplicates();
        assertThat(Dashboards.all())
                .extracting(each -> each.json().get("title"))
                .doesNotHaveDuplicates();
        assertThat(Dashboards.grafana().variables()).hasSize(4);
        assertThat(Dashboards.grafana().annotationQueries()).isNotEmpty();
    }

    /** So that the dashboard can be imported anywhere. */
    @ParameterizedTest
    @MethodSource("all")
    void everything_thatAsks_asksTheChosenDataSource(Dashboard dashboard) {
        List<JsonNode> asking = new ArrayList<>(dashboard.panels());
        dashboard.panels().forEach(panel -> panel.get("targets").forEach(asking::add));
        asking.addAll(dashboard.annotations());
        dashboard.variables().stream().skip(1).forEach(asking::add);
        assertThat(asking).allSatisfy(each -> {
            assertThat(each.at("/datasource/type").asText()).isEqualTo("prometheus");
            assertThat(each.at("/datasource/uid").asText()).isEqualTo("${datasource}");
        });
    }

    @ParameterizedTest
    @MethodSource("all")
    void panels_all_haveIdTitleDescriptionAndPlaceOfTheirOwn(Dashboard dashboard) {
        Set<Integer> ids = new HashSet<>();
        Set<String> cells = new HashSet<>();
        for (JsonNode panel : dashboard.panelsAndRows()) {
            assertThat(ids.add(panel.get("id").asInt()))
                    .as("id of %s is new", panel.get("title"))
                    .isTrue();
            assertThat(panel.get("title").asText()).isNotBlank();
            JsonNode place = panel.get("gridPos");
            int x = place.get("x").asInt();
            assertThat(x + place.get("w").asInt()).isLessThanOrEqualTo(GRID);
            for (int column = x; column < x + place.get("w").asInt(); column++) {
                for (int line = 0; line < place.get("h").asInt(); line++) {
                    assertThat(cells.add(column + "/" + (place.get("y").asInt() + line)))
                            .as("%s lies on another panel", panel.get("title"))
                            .isTrue();
                }
            }
        }
        assertThat(dashboard.panels())
                .allSatisfy(
                        panel -> assertThat(panel.get("description").asText()).isNotBlank());
    }

    @Test
    void standardRow_asksForStandardMetersOnly() throws IOException {
        List<Query> queries = Dashboard.queries(
                Dashboards.grafana().panelsBelow("Standard meters: any executor that Micrometer knows"));
        assertThat(queries).hasSizeGreaterThanOrEqualTo(6);
        assertThat(queries)
                .allSatisfy(query -> assertThat(meters(query.expression()))
                        .isNotEmpty()
                        .allMatch(meter -> meter.startsWith("executor_")));
    }

    @Test
    void meters_inDashboardRulesAndKubernetesFiles_areDocumented() throws IOException {
        Set<String> documented = meters(Files.readString(ROOT.resolve("docs/meters.md")));
        Set<String> used = new TreeSet<>();
        for (Dashboard dashboard : Dashboards.all()) {
            used.addAll(meters(dashboard.json().toString()));
        }
        for (String rules : Dashboards.RULES) {
            used.addAll(meters(Files.readString(Dashboards.DIRECTORY.resolve(rules))));
        }
        for (Path file : Dashboards.below("kubernetes")) {
            used.addAll(meters(Files.readString(file)));
        }
        // What the recording rules make of them is named after a colon.
        Set<String> recorded = meters(recordedNames());
        assertThat(used).allMatch(meter -> documented.contains(meter) || recorded.contains(meter));
    }

    @Test
    void alerts_all_linkToAPageThatExists() throws IOException {
        String alerts = Files.readString(Dashboards.DIRECTORY.resolve("alerts.rules.yml"));
        Matcher page = PAGE.matcher(alerts);
        int count = 0;
        while (page.find()) {
            count++;
            if (page.group(1).contains("{{")) {
                continue; // one page for each finding; that they exist is said of the catalogue
            }
            Path file = ROOT.resolve(page.group(1));
            assertThat(file).exists();
            if (page.group(2) != null) {
                assertThat(Files.readString(file).lines().map(DashboardTest::anchor))
                        .contains(page.group(2));
            }
        }
        assertThat(count).isEqualTo((int)
                alerts.lines().filter(line -> line.contains("- alert: ")).count());
    }

    private static String recordedNames() {
        return Stream.of("recording.rules.yml", "kubernetes/alerts.yaml")
                .map(Dashboards.DIRECTORY::resolve)
                .flatMap(DashboardTest::lines)
                .filter(line -> line.contains("- record: "))
                .map(line -> line.replace(':', ' '))
                .collect(Collectors.joining("\n"));
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> meters(String text) {
        return METER.matcher(text).results().map(found -> found.group()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** What a heading is called in a link. */
    private static String anchor(String line) {
        return line.replaceFirst("^#+ ", "#").toLowerCase(Locale.ROOT).replace(' ', '-');
    }
}
