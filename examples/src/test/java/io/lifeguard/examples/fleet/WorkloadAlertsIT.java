package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Prometheus' own checker says of the alerts by workload, and of their answers for eight pods of two workloads.
 */
@Tag("slow")
final class WorkloadAlertsIT {

    private static final YAMLMapper YAML = new YAMLMapper();

    private static final String TEST = """
            rule_files: [rules.yml]
            evaluation_interval: 1m
            tests:
              - interval: 1m
                input_series:
            %s
                alert_rule_test:
                  - alertname: LifeguardWorkloadFinding
                    eval_time: 4m
                  - alertname: LifeguardWorkloadFinding
                    eval_time: 20m
                    exp_alerts:
                      - exp_labels: {namespace: shop, workload: shop-api, id: lock-contention, severity: warning}
                        exp_annotations:
                          summary: lock-contention on 75%% of the pods of shop-api
                          advice: Most pods have it, so look at the code, the configuration or a service behind them.
                          runbook_url: docs/findings/lock-contention.md
                  - alertname: LifeguardPodsStandOut
                    eval_time: 20m
                    exp_alerts:
                      - exp_labels: {namespace: shop, workload: mail, id: cpu-throttled, severity: info}
                        exp_annotations:
                          summary: cpu-throttled on only 25%% of the pods of mail
                          advice: Few pods have it, so look at their nodes, their share of the load, and their version.
                          runbook_url: docs/findings/cpu-throttled.md
            """;

    private final Tool promtool = Dashboards.tool("promtool");

    @TempDir
    Path scratch;

    @Test
    void alerts_eightPods_areOfTheWorkloadsThatArePlayed() throws Exception {
        JsonNode resource = YAML.readTree(
                Dashboards.DIRECTORY.resolve("kubernetes/alerts.yaml").toFile());
        Path rules = scratch.resolve("rules.yml");
        YAML.writeValue(rules.toFile(), resource.get("spec"));
        assertThat(promtool.passes(
                        List.of("check", "rules", "--lint=all", "--lint-fatal", rules.toString()), scratch, ""))
                .contains("SUCCESS: 4 rules found");

        StringBuilder series = new StringBuilder();
        for (int pod = 0; pod < 4; pod++) {
            add(series, "lifeguard_saturation", "shop-api-7d4b9c6f5-bcdf" + pod, "", "0x30");
            add(series, "lifeguard_saturation", "mail-5f6c7d8b9-bcdf" + pod, "", "0x30");
            if (pod < 3) {
                add(series, "lifeguard_findings", "shop-api-7d4b9c6f5-bcdf" + pod, "lock-contention", "1x30");
            }
        }
        add(series, "lifeguard_findings", "shop-api-7d4b9c6f5-bcdf3", "lock-contention", "0x30");
        add(series, "lifeguard_findings", "mail-5f6c7d8b9-bcdf0", "cpu-throttled", "1x30");
        for (String other : List.of("db-0", "db-1", "node-agent-x7k2p")) { // of no Deployment
            add(series, "lifeguard_saturation", other, "", "0x30");
            add(series, "lifeguard_findings", other, "lock-contention", "1x30");
        }
        Path test = Files.writeString(scratch.resolve("test.yml"), TEST.formatted(series));

        assertThat(promtool.passes(List.of("test", "rules", test.toString()), scratch, ""))
                .doesNotContain("FAILED");
    }

    private static void add(StringBuilder series, String meter, String pod, String id, String values) {
        series.append("      - {series: '%s{namespace=\"shop\", pod=\"%s\", name=\"web\"%s}', values: %s}%n"
                .formatted(meter, pod, id.isEmpty() ? "" : ", id=\"" + id + "\"", values));
    }
}
