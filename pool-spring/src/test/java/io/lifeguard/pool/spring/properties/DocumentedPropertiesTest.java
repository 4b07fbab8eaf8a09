package io.lifeguard.pool.spring.properties;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.window.Threshold;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The documentation, the metadata and the rules agree. */
class DocumentedPropertiesTest {

    private static final Path PAGE = find("docs/spring.md");
    private static final Pattern GENERATED =
            Pattern.compile("\\{\\s*\"name\": \"([^\"]+)\",\\s*\"type\": \"[^\"]+\",\\s*\"description\": \"([^\"]+)\","
                    + "\\s*\"sourceType\": \"[^\"]+\"(?:,\\s*\"defaultValue\": \"?([^\",\\n\\[\\]]+)\"?)?");

    /** Searches upwards, because another module also runs this test. */
    private static Path find(String file) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve(file))) {
                return folder.resolve(file);
            }
        }
        throw new IllegalStateException("no " + file);
    }

    /** Lifeguard's file among all files of that name on the class path. */
    private static String metadata(String file) throws Exception {
        var files = DocumentedPropertiesTest.class.getClassLoader().getResources("META-INF/" + file);
        while (files.hasMoreElements()) {
            try (var in = files.nextElement().openStream()) {
                String text = new String(in.readAllBytes());
                if (text.contains("\"lifeguard.")) {
                    return text;
                }
            }
        }
        throw new IllegalStateException("no " + file);
    }

    private static String generated() throws Exception {
        return metadata("spring-configuration-metadata.json");
    }

    @Test
    void table_hasEveryPropertyWithItsDefaultAndDescription() throws Exception {
        String page = Files.readString(PAGE);
        Matcher property = GENERATED.matcher(generated());
        int seen = 0;
        while (property.find()) {
            String name = property.group(1);
            if (name.startsWith("lifeguard.") && !name.equals("lifeguard.pools")) {
                String value = property.group(3);
                String row = value == null ? "| `" + name : "| `" + name + "` | `" + value.replace("\\/", "/") + "` | ";
                assertThat(page).contains(row).contains("| " + property.group(2) + " |");
                seen++;
            }
        }
        assertThat(seen).isGreaterThan(20);
    }

    @Test
    void table_hasNoPropertyThatDoesNotExist() throws Exception {
        String page = Files.readString(PAGE);
        String generated = generated();
        Matcher row = Pattern.compile("(?m)^\\| `((?:lifeguard|management)\\.[a-z.-]+?)(?:\\.<.*)?` \\|")
                .matcher(page);
        List<String> unknown = new ArrayList<>();
        while (row.find()) {
            if (!generated.contains("\"name\": \"" + row.group(1) + "\"")) {
                unknown.add(row.group(1));
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void table_hasEveryPropertyOfAPoolWithItsDefault() throws Exception {
        String page = Files.readString(PAGE);
        for (RecordComponent component : PoolProperties.class.getRecordComponents()) {
            DefaultValue value = Stream.of(PoolProperties.class.getDeclaredConstructors()[0].getParameters())
                    .filter(parameter -> parameter.getName().equals(component.getName()))
                    .findFirst()
                    .orElseThrow()
                    .getAnnotation(DefaultValue.class);
            String written = value == null ? "" : "`" + value.value()[0] + "`";
            assertThat(page)
                    .contains("| `lifeguard.pools.<name>." + kebab(component.getName()) + "` | " + written + " |");
        }
    }

    @Test
    void hintsAndPage_haveEveryFindingAndTheThresholdsOfItsPage() throws Exception {
        String hints = metadata("additional-spring-configuration-metadata.json");
        String page = Files.readString(PAGE);
        Set<String> ids = PoolMonitor.standardRules().stream()
                .flatMap(rule -> rule.ids().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(ids).isNotEmpty().allSatisfy(id -> assertThat(hints).contains("{\"value\": \"" + id + "\"}"));
        StringBuilder pages = new StringBuilder();
        try (Stream<Path> files = Files.list(find("docs/findings"))) {
            for (Path file : files.toList()) {
                pages.append(Files.readString(file));
            }
        }
        int seen = 0;
        for (Rule rule : PoolMonitor.standardRules()) {
            for (Threshold threshold : rule.thresholds()) {
                boolean isListed = pages.indexOf("| `" + threshold.key() + "` (") >= 0;
                String hint = "\"value\": \"" + kebab(threshold.key()) + "\"";
                String row = "| `" + kebab(threshold.key()) + "` | " + threshold.value() + " | " + threshold.meaning();
                assertThat(hints.contains(hint)).as(hint).isEqualTo(isListed);
                assertThat(page.contains(row)).as(row).isEqualTo(isListed);
                seen += isListed ? 1 : 0;
            }
        }
        assertThat(seen).isGreaterThan(20);
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase();
    }
}
