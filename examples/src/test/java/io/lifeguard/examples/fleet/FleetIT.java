package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lifeguard.examples.fleet.Dashboard.Query;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three sick instances, a real Prometheus, and what is shipped for it: rules, alerts, the dashboard, what autoscalers
 * ask. The times in the rules are shorter (see {@link Hurry}), the instances are four times as hasty as in production;
 * nothing else differs from what users get.
 */
@Tag("slow")
final class FleetIT {

    /** Seconds; the slowest alert needs about 50. */
    private static final long PATIENCE = 150;

    /** A size that is smaller than the pool, said in that time. */
    private static final String SMALLER = "max_over_time(lifeguard_recommended_size_threads{name=\""
            + Sickness.OVERSIZED.pool() + "\"}[%s]) < on (job, instance, name) executor_pool_size_threads";

    private static final String JOB = "fleet";

    @TempDir
    static Path directory;

    private static Tool promtool;
    private static Fleet fleet;

    @BeforeAll
    static void start() throws Exception {
        promtool = Dashboards.tool("promtool");
        fleet = Fleet.start(Dashboards.tool("prometheus"), directory);
        Awaitility.await("all instances are up")
                .atMost(PATIENCE, TimeUnit.SECONDS)
                .until(() ->
                        fleet.prometheus().query("up{job=\"" + JOB + "\"} == 1").size() == 3);
    }

    @AfterAll
    static void stop() throws Exception {
        if (fleet != null) {
            fleet.close();
        }
    }

    @Test
    void metricsPage_asPrometheusText_passesPromtool() throws Exception {
        for (URI page : fleet.pages()) {
            checkMetrics(MetricsText.read(page, "text/plain"));
        }
    }

    /** promtool reads the older format only; that Prometheus itself reads this one, each scrape shows. */
    @Test
    void metricsPage_asOpenMetrics_passesPromtoolAndIsWhatPrometheusReads() throws Exception {
        for (URI page : fleet.pages()) {
            MetricsText text = MetricsText.read(page, "application/openmetrics-text");
            assertThat(text.body()).endsWith("# EOF\n");
            checkMetrics(text.withFamiliesAsInPrometheusText());
        }
        assertThat(fleet.prometheus().query("min(scrape_samples_scraped{job=\"" + JOB + "\"})"))
                .singleElement()
                .satisfies(samples -> assertThat(value(samples)).isGreaterThan(100));
    }

    private static void checkMetrics(MetricsText text) throws Exception {
        assertThat(text.body()).contains("lifeguard_saturation{name=\"web\"");
        promtool.passes(
                List.of("check", "metrics"),
                directory,
                text.withoutPulledHistograms().body());
    }

    /** Which alerts, by "alert pool instance". */
    @Test
    void alerts_fire_whereSomebodyIsSick_andNowhereElse() {
        Set<String> due = new TreeSet<>();
        add(due, Sickness.CALLER_RUNS, "LifeguardDispatcherRunsTasks");
        add(due, Sickness.STUCK, "LifeguardTaskStuck");
        add(due, Sickness.OVERFED, "LifeguardQueueWillFill", "LifeguardPoolSaturated");
        add(due, Sickness.FULL, "LifeguardPoolSaturated");
        Set<String> shrinks = new TreeSet<>();
        add(shrinks, Sickness.OVERSIZED, "LifeguardShrinkAdvised");
        // True as well, but only where other processes leave CPUs: no size is said otherwise.
        Set<String> allowed = new TreeSet<>(due);
        allowed.addAll(shrinks);
        add(allowed, Sickness.OVERFED, "LifeguardGrowAdvised");
        add(allowed, Sickness.FULL, "LifeguardGrowAdvised");

        String firing = "ALERTS{alertstate=\"firing\"}";
        Awaitility.await("alerts " + due)
                .atMost(PATIENCE, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(alerts(firing)).containsAll(due));
        long since = System.nanoTime();
        Awaitility.await("a size is said")
                .atMost(PATIENCE, TimeUnit.SECONDS)
                .until(() -> !fleet.prometheus().query(SMALLER.formatted("1h")).isEmpty() || noSizeCanCome(since));
        Awaitility.await("its alert, unless others take the CPUs before it fires")
                .atMost(PATIENCE, TimeUnit.SECONDS)
                .until(() -> alerts(firing).containsAll(shrinks)
                        || fleet.prometheus().query(SMALLER.formatted("10s")).isEmpty());
        assertThat(alerts("count_over_time(" + firing + "[1h])")).isSubsetOf(allowed);
    }

    /** Whether none came for a minute, and more threads than CPUs want one, so that other processes have them. */
    private static boolean noSizeCanCome(long since) {
        return System.nanoTime() - since > TimeUnit.MINUTES.toNanos(1)
                && ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
                        > Runtime.getRuntime().availableProcessors();
    }

    @Test
    void rules_all_areEvaluatedWithoutError() {
        Awaitility.await()
                .atMost(PATIENCE, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(fleet.prometheus().rules())
                        .isNotEmpty()
                        .allSatisfy(rule -> assertThat(rule.get("health").asText())
                                .as("%s: %s", rule.get("name"), rule.path("lastError"))
                                .isEqualTo("ok")));
    }

    @Test
    void recordedSeries_all_haveData() {
        List<String> recorded = fleet.prometheus().rules().stream()
                .filter(rule -> rule.get("type").asText().equals("recording"))
                .map(rule -> rule.get("name").asText())
                .toList();
        assertThat(recorded).hasSizeGreaterThan(5);
        awaitData(recorded.stream().map(name -> new Query(name, name)).toList());
    }

    @Test
    void dashboard_allPools_everyPanelAndAnnotationHasData() throws Exception {
        Dashboard dashboard = Dashboards.grafana();
        List<JsonNode> panels = new ArrayList<>(dashboard.panels());
        panels.removeAll(dashboard.panelsBelow("Virtual threads")); // the fleet has none
        List<Query> queries = new ArrayList<>(Dashboard.queries(panels));
        queries.addAll(dashboard.annotationQueries());
        assertThat(queries).hasSizeGreaterThan(40);
        awaitData(filled(queries, ".+", ".+"));
    }

    @Test
    void dashboard_onePoolOfOneInstance_everyPanelInDepthHasData() throws Exception {
        Dashboard dashboard = Dashboards.grafana();
        List<Query> queries = new ArrayList<>(Dashboard.queries(dashboard.panelsBelow("One pool in depth: $pool")));
        assertThat(queries).hasSizeGreaterThan(20);
        queries.addAll(Dashboard.queries(dashboard.panelsBelow("Standard meters: any executor that Micrometer knows")));
        queries.addAll(dashboard.annotationQueries());
        awaitData(filled(queries, fleet.instance(Sickness.OVERSIZED), Sickness.OVERSIZED.pool()));
    }

    @Test
    void fleetDashboard_everyPanel_hasData() throws Exception {
        List<Query> queries = new ArrayList<>();
        for (Query query : Dashboard.queries(Dashboards.fleet().panels())) {
            queries.add(query.with(Map.of("__rate_interval", "10s", "__range", "1h", "job", JOB, "cause", ".+")));
        }
        assertThat(queries)
                .hasSizeGreaterThan(10)
                .noneMatch(query -> query.expression().contains("$"));
        awaitData(queries);
        Awaitility.await("each version has a finding; a stuck task has one after a quarter of a minute")
                .atMost(PATIENCE, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(fleet.prometheus().values("version", "lifeguard_findings"))
                        .contains("1.0", "1.1", "1.2"));
    }

    @Test
    void dashboard_variables_offerWhatIsThere() throws Exception {
        Map<String, String> chosen = new LinkedHashMap<>(Map.of("job", ".+", "instance", ".+"));
        for (JsonNode variable : Dashboards.grafana().variables().subList(1, 4)) {
            Query values = new Query(
                            variable.get("name").asText(),
                            variable.at("/query/query").asText())
                    .with(chosen);
            String selector = values.expression().replaceFirst("^label_values\\((.*), (\\w+)\\)$", "$1");
            String label = values.expression().replaceFirst("^label_values\\((.*), (\\w+)\\)$", "$2");
            assertThat(fleet.prometheus().values(label, selector))
                    .as(variable.get("definition").asText())
                    .isNotEmpty();
        }
        assertThat(fleet.prometheus().values("name", "executor_pool_size_threads"))
                .contains(Ward.HEALTHY, Sickness.FULL.pool());
    }

    @Test
    void autoscalers_askAndGetOneNumberBetweenZeroAndOneForEachInstance() throws Exception {
        assertThat(fleet.prometheus().query(KubernetesTest.adapterQuery()))
                .hasSize(3)
                .allSatisfy(sample -> assertThat(value(sample)).isBetween(0.0, 1.0));
        assertThat(fleet.prometheus().query(KubernetesTest.kedaQuery()))
                .singleElement()
                .satisfies(sample -> assertThat(value(sample)).isBetween(0.0, 3.0));
    }

    private static void add(Set<String> alerts, Sickness sickness, String... names) {
        for (String name : names) {
            alerts.add(name + " " + sickness.pool() + " " + fleet.instance(sickness));
        }
    }

    private static Set<String> alerts(String expression) {
        return fleet.prometheus().query(expression).stream()
                .map(sample -> sample.get("metric"))
                .map(labels -> labels.path("alertname").asText() + " "
                        + labels.path("name").asText() + " "
                        + labels.path("instance").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Query> filled(List<Query> queries, String instance, String pool) {
        Map<String, String> variables =
                Map.of("__rate_interval", "10s", "job", JOB, "instance", instance, "pool", pool);
        List<Query> filled =
                queries.stream().map(query -> query.with(variables)).toList();
        assertThat(filled).isNotEmpty().noneMatch(query -> query.expression().contains("$"));
        return filled;
    }

    /** Each at some time: a number, not "not a number". What there is of an alert or a finding comes, and may go. */
    private static void awaitData(List<Query> queries) {
        List<Query> without = new ArrayList<>(queries);
        long since = System.nanoTime();
        Awaitility.await("data").atMost(PATIENCE, TimeUnit.SECONDS).untilAsserted(() -> {
            without.removeIf(query -> fleet.prometheus().query(query.expression()).stream()
                    .anyMatch(sample -> !Double.isNaN(value(sample))));
            without.removeIf(query -> query.expression().contains("recommended_size") && noSizeCanCome(since));
            assertThat(without).isEmpty();
        });
    }

    private static double value(JsonNode sample) {
        return sample.at("/value/1").asDouble();
    }
}
