package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** What is shipped in {@code examples/dashboards}, and the tools that can check it. Stateless. */
final class Dashboards {

    static final Path DIRECTORY = Path.of("dashboards").toAbsolutePath();
    static final List<String> RULES = List.of("recording.rules.yml", "alerts.rules.yml");

    private Dashboards() {}

    /** All pools, and one in depth. */
    static Dashboard grafana() throws IOException {
        return Dashboard.read(DIRECTORY.resolve("grafana/lifeguard.json"));
    }

    /** Which cause, on how many instances. */
    static Dashboard fleet() throws IOException {
        return Dashboard.read(DIRECTORY.resolve("grafana/fleet.json"));
    }

    static List<Dashboard> all() throws IOException {
        assertThat(below("grafana")).hasSize(2);
        return List.of(grafana(), fleet());
    }

    static List<Path> below(String directory) throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY.resolve(directory))) {
            List<Path> all = files.sorted().toList();
            assertThat(all).isNotEmpty();
            return all;
        }
    }

    /**
     * Finds a program of Debian's package {@code prometheus}. Skips the test if the program is missing, or fails if the
     * environment variable {@code LIFEGUARD_FLEET} is {@code required}.
     */
    static Tool tool(String name) {
        Optional<Tool> tool = Tool.find(name);
        if (!"required".equals(System.getenv("LIFEGUARD_FLEET"))) {
            Assumptions.assumeTrue(
                    tool.isPresent(),
                    name
                            + " is not on the path (Debian: apt-get install prometheus), so rules and dashboard"
                            + " are not tested here");
        }
        return tool.orElseThrow(
                () -> new AssertionError("LIFEGUARD_FLEET=required, and " + name + " is not on the path"));
    }
}
