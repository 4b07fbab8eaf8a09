package io.lifeguard.pool.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Looks that can crash a JVM, or stop all its threads, are asked for in one place each, which knows the danger. */
class HazardousLooksTest {

    private static final Path ROOT = Path.of("..");

    /** Words of such a look, and the classes that may have them outside of comments. */
    private static final Map<String, Set<String>> LOOKS = Map.of(
            "dumpThreads",
            Set.of("MonitorOwners"),
            "dump_to_file",
            Set.of(
                    "Target",
                    "CarriersStarved",
                    "DumpsCommand",
                    "TextDumpReader"), // but for Target, in texts for people
            "threadDumpToFile",
            Set.of(),
            "takeAnyDump", // although it can crash the JVM: its owner asks for that, and no other program
            Set.of("Target", "WatchCommand"),
            "findDeadlockedThreads",
            Set.of("Deadlocks"),
            "findMonitorDeadlockedThreads",
            Set.of(),
            "dumpAllThreads",
            Set.of());

    /** What the classes that ask for a dump of virtual threads ask before. */
    private static final Map<String, String> QUESTIONS =
            Map.of("MonitorOwners", "JvmHazards.ofVirtualDump()", "Target", "!hazard().isEmpty()");

    @Test
    void looks_thatHarmAJvm_areAskedForInOnePlaceEach() throws IOException {
        for (Map.Entry<String, Set<String>> look : LOOKS.entrySet()) {
            Set<String> found = new TreeSet<>();
            for (Path source : sources()) {
                if (asks(Files.readString(source), look.getKey())) {
                    found.add(nameOf(source));
                }
            }
            assertThat(found).as(look.getKey()).isEqualTo(new TreeSet<>(look.getValue()));
        }
    }

    @Test
    void places_thatDumpVirtualThreads_askWhetherThatIsSafe() throws IOException {
        for (Path source : sources()) {
            String question = QUESTIONS.get(nameOf(source));
            if (question != null) {
                assertThat(Files.readString(source)).contains(question);
            }
        }
    }

    @Test
    void search_codeAndComments_findsCodeOnly() {
        assertThat(asks("/** {@code dumpThreads} */\nint a; // dumpThreads", "dumpThreads"))
                .isFalse();
        assertThat(asks("/* */ bean.invoke(\"dumpThreads\");", "dumpThreads")).isTrue();
    }

    private static boolean asks(String source, String look) {
        return source.replaceAll("(?s)/\\*.*?\\*/|//[^\\n]*", "").contains(look);
    }

    private static String nameOf(Path source) {
        return source.getFileName().toString().replace(".java", "");
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            List<Path> sources = modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(HazardousLooksTest::below)
                    .toList();
            assertThat(sources).hasSizeGreaterThan(500);
            return sources;
        }
    }

    private static Stream<Path> below(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
