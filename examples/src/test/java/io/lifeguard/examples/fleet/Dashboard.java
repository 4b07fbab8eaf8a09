package io.lifeguard.examples.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** The Grafana dashboard, as it is in the repository. Immutable. */
record Dashboard(JsonNode json) {

    /** Something that asks Prometheus: a panel's target, or an annotation. */
    record Query(String asker, String expression) {

        /** With Grafana's variables replaced, by names without the dollar sign; longer names first. */
        Query with(Map<String, String> variables) {
            String text = expression;
            List<String> names = new ArrayList<>(variables.keySet());
            names.sort((one, other) -> Integer.compare(other.length(), one.length()));
            for (String name : names) {
                text = text.replace("${" + name + "}", variables.get(name)).replace("$" + name, variables.get(name));
            }
            return new Query(asker, text);
        }
    }

    static Dashboard read(Path file) throws IOException {
        return new Dashboard(new ObjectMapper().readTree(file.toFile()));
    }

    /** All panels but rows, also those within collapsed rows. */
    List<JsonNode> panels() {
        List<JsonNode> panels = new ArrayList<>();
        for (JsonNode panel : json.get("panels")) {
            if (!isRow(panel)) {
                panels.add(panel);
            }
            panel.path("panels").forEach(panels::add);
        }
        return panels;
    }

    /** All panels, rows and what they hide. */
    List<JsonNode> panelsAndRows() {
        List<JsonNode> all = new ArrayList<>(panels());
        json.get("panels").forEach(panel -> {
            if (isRow(panel)) {
                all.add(panel);
            }
        });
        return all;
    }

    /** The panels that are shown below the row of that title. */
    List<JsonNode> panelsBelow(String row) {
        List<JsonNode> below = new ArrayList<>();
        boolean isBelow = false;
        for (JsonNode panel : json.get("panels")) {
            if (isRow(panel)) {
                isBelow = panel.get("title").asText().equals(row);
                if (isBelow) {
                    panel.path("panels").forEach(below::add);
                }
            } else if (isBelow) {
                below.add(panel);
            }
        }
        return below;
    }

    List<JsonNode> annotations() {
        return list(json.at("/annotations/list")).stream()
                .filter(annotation -> annotation.path("builtIn").asInt() == 0)
                .toList();
    }

    List<JsonNode> variables() {
        return list(json.at("/templating/list"));
    }

    static List<Query> queries(List<JsonNode> panels) {
        List<Query> queries = new ArrayList<>();
        for (JsonNode panel : panels) {
            for (JsonNode target : panel.path("targets")) {
                queries.add(new Query(
                        panel.get("title").asText() + " " + target.get("refId").asText(),
                        target.get("expr").asText()));
            }
        }
        return queries;
    }

    List<Query> annotationQueries() {
        return annotations().stream()
                .map(each ->
                        new Query(each.get("name").asText(), each.at("/expr").asText()))
                .toList();
    }

    private static boolean isRow(JsonNode panel) {
        return panel.get("type").asText().equals("row");
    }

    static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }
}
