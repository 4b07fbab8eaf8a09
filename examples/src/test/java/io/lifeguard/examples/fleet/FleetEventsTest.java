package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the logs of 300 instances hold answers how many of them have one cause. */
class FleetEventsTest {

    @TempDir
    Path directory;

    @Test
    void play_logsOfAllInstances_tellWhatStandsWhere() throws IOException {
        FleetEvents.play(directory);

        List<Path> files;
        try (var all = Files.list(directory)) {
            files = all.toList();
        }
        assertThat(files).hasSize(FleetEvents.INSTANCES);
        Map<String, Integer> standing = new TreeMap<>();
        for (Path file : files) {
            Map<String, JsonNode> latest = new TreeMap<>(); // by finding
            long number = 0;
            for (String line : Files.readAllLines(file)) {
                assertThat(line).hasSizeLessThanOrEqualTo(1024 + 512); // the encoder adds its own fields
                JsonNode event = attributes(new ObjectMapper().readTree(line));
                number++;
                assertThat(event.get("lifeguard.event.number").asLong())
                        .as("nothing lost or doubled")
                        .isEqualTo(number);
                latest.put(event.get("lifeguard.finding.id").asText(), event);
            }
            latest.values().stream()
                    .filter(event -> event.get("lifeguard.finding.stands").asBoolean())
                    .forEach(event ->
                            standing.merge(event.get("lifeguard.finding.place").asText(), 1, Integer::sum));
        }
        assertThat(standing)
                .containsExactly(
                        Map.entry("com.example.Orders.load(Orders.java:42)", 30),
                        Map.entry("com.example.Settings.get(Settings.java:12)", 240));
    }

    /** Logback's encoder writes key-values as a list of objects with one name each. */
    private static JsonNode attributes(JsonNode line) {
        var attributes = new ObjectMapper().createObjectNode();
        line.get("kvpList")
                .forEach(pair -> pair.properties().forEach(each -> attributes.set(each.getKey(), each.getValue())));
        return attributes;
    }
}
