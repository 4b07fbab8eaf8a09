package io.lifeguard.pool.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * How large the published code may be. A ceiling is lowered when code is deleted, and raised by a decision only, which
 * {@code docs/decisions/build-and-tests.md} explains.
 */
class CeilingsTest {

    private static final Path ROOT = Path.of("..");

    /** Lines of main code by module, comments included. */
    private static final Map<String, Integer> MOST_LINES = Map.ofEntries(
            Map.entry("pool-agent", 1_620),
            Map.entry("pool-core", 15_550),
            Map.entry("pool-jmc", 440),
            Map.entry("pool-mcp", 950),
            Map.entry("pool-micrometer", 2_640),
            Map.entry("pool-micronaut", 380),
            Map.entry("pool-monitor", 40_060),
            Map.entry("pool-otel", 100),
            Map.entry("pool-quarkus", 300),
            Map.entry("pool-quarkus-deployment", 100),
            Map.entry("pool-report", 3_720),
            Map.entry("pool-rewrite", 1_040),
            Map.entry("pool-spring", 4_900),
            Map.entry("pool-test", 360),
            Map.entry("pool-tools", 14_220));

    /** Of all modules together. */
    private static final int MOST_LINES_IN_ALL = 86_340;

    /** Types of one package: a reader looks through so many names. */
    private static final int MOST_TYPES = 40;

    /** Top-level types that modules export to everybody: a release freezes them. */
    private static final int MOST_EXPORTED = 48;

    private static final Pattern EXPORT = Pattern.compile("(?m)^ *exports ([\\w.]+);");
    private static final Pattern PUBLIC = Pattern.compile("(?m)^public ");

    @Test
    void modules_mainCode_isBelowTheirCeilings() throws IOException {
        Map<String, Integer> lines = new TreeMap<>();
        for (Path module : publishedModules()) {
            lines.put(module.getFileName().toString(), linesOf(module));
        }

        assertThat(lines.keySet()).as("modules that have a ceiling").isEqualTo(new TreeMap<>(MOST_LINES).keySet());
        lines.forEach((module, count) -> check("lines of main code in " + module, count, MOST_LINES.get(module)));
        int all = lines.values().stream().mapToInt(Integer::intValue).sum();
        check("lines of main code in all modules " + lines, all, MOST_LINES_IN_ALL);
    }

    @Test
    void packages_types_areAsManyAsAReaderLooksThrough() throws IOException {
        for (Path module : publishedModules()) {
            for (Map.Entry<String, List<Path>> types : packagesOf(module).entrySet()) {
                check(
                        "types in the package " + types.getKey() + " of " + module.getFileName(),
                        types.getValue().size(),
                        MOST_TYPES);
            }
        }
    }

    @Test
    void modules_exportedTypes_areFew() throws IOException {
        Map<String, Long> exported = new TreeMap<>();
        for (Path module : publishedModules()) {
            Path descriptor = module.resolve("src/main/java/module-info.java");
            if (Files.exists(descriptor)) {
                Map<String, List<Path>> packages = packagesOf(module);
                Matcher export = EXPORT.matcher(Files.readString(descriptor));
                while (export.find()) {
                    exported.put(export.group(1), publicTypes(packages.getOrDefault(export.group(1), List.of())));
                }
            }
        }

        assertThat(exported).containsKeys("io.lifeguard.pool", "io.lifeguard.pool.diagnosis");
        int all = exported.values().stream().mapToInt(Long::intValue).sum();
        check("exported types " + exported, all, MOST_EXPORTED);
    }

    @Test
    void check_moreThanTheCeiling_failsWithTheNameOfTheModule() {
        check("lines of main code in pool-x", 10, 10);
        assertThatThrownBy(() -> check("lines of main code in pool-x", 11, 10))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("lines of main code in pool-x")
                .hasMessageContaining("11");
    }

    private static void check(String what, int count, int ceiling) {
        assertThat(count).as(what).isLessThanOrEqualTo(ceiling);
    }

    private static List<Path> publishedModules() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT)) {
            return folders.filter(folder -> folder.getFileName().toString().startsWith("pool-"))
                    .filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> sourcesOf(Path module) throws IOException {
        try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static int linesOf(Path module) throws IOException {
        int lines = 0;
        for (Path file : sourcesOf(module)) {
            lines += Files.readAllLines(file).size();
        }
        return lines;
    }

    /** The files with a type, by package. */
    private static Map<String, List<Path>> packagesOf(Path module) throws IOException {
        Path sources = module.resolve("src/main/java");
        Map<String, List<Path>> packages = new TreeMap<>();
        for (Path file : sourcesOf(module)) {
            if (!file.getFileName().toString().contains("-info.")) {
                String name = sources.relativize(file)
                        .getParent()
                        .toString()
                        .replace(file.getFileSystem().getSeparator(), ".");
                packages.computeIfAbsent(name, any -> new ArrayList<>()).add(file);
            }
        }
        return packages;
    }

    private static long publicTypes(List<Path> files) throws IOException {
        long count = 0;
        for (Path file : files) {
            count += PUBLIC.matcher(Files.readString(file)).find() ? 1 : 0;
        }
        return count;
    }
}
