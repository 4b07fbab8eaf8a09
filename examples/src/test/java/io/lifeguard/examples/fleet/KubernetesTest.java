package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * What autoscalers and "kubectl debug" read is YAML, and its parts fit together. Whether Kubernetes takes it is not
 * tested: there is none here.
 */
final class KubernetesTest {

    private static final YAMLMapper YAML = new YAMLMapper();

    /** How Kubernetes names the pods of the deployment that is scaled. */
    private static final String PODS = "pod=~\"shop-[^-]+-[^-]+\"";

    @Test
    void files_all_areOneDocumentOfYaml() throws IOException {
        for (Path file : Dashboards.below("kubernetes")) {
            try (MappingIterator<JsonNode> documents =
                    YAML.readerFor(JsonNode.class).readValues(file.toFile())) {
                assertThat(documents.readAll()).as(file.toString()).hasSize(1).allMatch(JsonNode::isObject);
            }
        }
    }

    @Test
    void autoscaler_asksForTheMetricThatTheAdapterMakes() throws IOException {
        JsonNode metric = read("hpa.yaml").at("/spec/metrics/0");
        assertThat(metric.at("/type").asText()).isEqualTo("Pods");
        assertThat(metric.at("/pods/metric/name"))
                .isEqualTo(read("prometheus-adapter.yaml").at("/rules/0/name/as"));
        assertThat(metric.at("/pods/target/type").asText()).isEqualTo("AverageValue");
        assertThat(metric.at("/pods/target/averageValue").asText()).isEqualTo("700m");
    }

    @Test
    void keda_scalesToTheSameTarget() throws IOException {
        JsonNode trigger = read("keda.yaml").at("/spec/triggers/0");
        assertThat(trigger.at("/type").asText()).isEqualTo("prometheus");
        assertThat(trigger.at("/metadata/threshold").asText()).isEqualTo("0.7");
        assertThat(trigger.at("/metadata/query").asText())
                .as("the pods of other applications in the namespace are none of its business")
                .contains(PODS);
        assertThat(trigger.at("/metadata")).as("KEDA takes text only").allMatch(JsonNode::isTextual);
    }

    /** The query, with what KEDA and the adapter know filled in for a machine without Kubernetes. */
    static String kedaQuery() throws IOException {
        return read("keda.yaml")
                .at("/spec/triggers/0/metadata/query")
                .asText()
                .replace("namespace=\"shop\", " + PODS, "job=\"fleet\"")
                .replace("by (namespace, pod)", "by (instance)");
    }

    static String adapterQuery() throws IOException {
        JsonNode rule = read("prometheus-adapter.yaml").at("/rules/0");
        return rule.get("metricsQuery")
                .asText()
                .replace("<<.GroupBy>>", "instance")
                .replace("<<.Series>>", rule.get("seriesQuery").asText().replaceFirst("\\{.*", ""))
                .replace("<<.LabelMatchers>>", "job=\"fleet\"");
    }

    /** A JVM answers nobody but its own user, by a socket in its /tmp. */
    @Test
    void debugContainer_isOfTheServicesUser_andTheServiceCanWriteToTmp() throws IOException {
        JsonNode pod = read("deployment.yaml").at("/spec/template/spec");
        JsonNode service = pod.at("/containers/0");
        JsonNode debug = read("debug-container.yaml").get("securityContext");
        for (String id : new String[] {"runAsUser", "runAsGroup"}) {
            assertThat(debug.get(id).asInt())
                    .isPositive()
                    .isEqualTo(pod.at("/securityContext").get(id).asInt());
        }
        assertThat(service.at("/volumeMounts/0/mountPath").asText()).isEqualTo("/tmp");
        assertThat(pod.at("/volumes/0/emptyDir").isObject()).isTrue();
        assertThat(pod.at("/volumes/0/name")).isEqualTo(service.at("/volumeMounts/0/name"));
        for (JsonNode context : new JsonNode[] {service.get("securityContext"), debug}) {
            assertThat(context.get("readOnlyRootFilesystem").asBoolean()).isTrue();
            assertThat(context.get("allowPrivilegeEscalation").asBoolean(true)).isFalse();
            assertThat(context.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
        }
    }

    private static JsonNode read(String file) throws IOException {
        return YAML.readTree(
                Dashboards.DIRECTORY.resolve("kubernetes").resolve(file).toFile());
    }
}
