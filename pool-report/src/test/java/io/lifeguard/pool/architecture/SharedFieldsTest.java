package io.lifeguard.pool.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Beside each field that threads share stands who writes it. */
class SharedFieldsTest {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();

    @Test
    void fields_thatThreadsShare_sayWhoWritesThem() throws IOException {
        List<String> unexplained = new ArrayList<>();
        int files = 0;
        for (Path source : sources()) {
            files++;
            for (String field : SharedFields.unexplained(Files.readString(source))) {
                unexplained.add(PROJECT.relativize(source) + ": " + field);
            }
        }

        assertThat(files).isGreaterThan(300);
        assertThat(unexplained).isEmpty();
    }

    @Test
    void fields_withoutAWriter_areFound() throws IOException {
        String source = """
                class Mixed {
                    private static final VarHandle TAIL = lookup.findVarHandle(Mixed.class, "tail", long.class);

                    private volatile int lost; // how many
                    private volatile int kept; // written by the worker

                    // Written by any thread.
                    private final AtomicLong added = new AtomicLong();
                    private final Map<String, String> shown = new HashMap<>();
                    private final ConcurrentMap<String, String> byName = new ConcurrentHashMap<>();

                    private long tail;
                    private long mine;

                    static class Nested {
                        private final LongAdder sum = new LongAdder();
                    }
                }
                """;

        assertThat(SharedFields.unexplained(source)).containsExactly("lost (4)", "tail (12)", "sum (16)");
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> modules = Files.list(PROJECT);
                Stream<Path> all = modules.filter(
                                module -> module.getFileName().toString().startsWith("pool-"))
                        .map(module -> module.resolve("src/main/java"))
                        .filter(Files::isDirectory)
                        .flatMap(SharedFieldsTest::below)) {
            return all.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static Stream<Path> below(Path folder) {
        try {
            return Files.walk(folder);
        } catch (IOException e) {
            throw new AssertionError(folder + " cannot be read", e);
        }
    }
}
