package io.lifeguard.workbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a child prints is known, and nothing of it is left behind, however it or its parent ends. */
class ChildJvmTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static ChildJvm start(Class<?> main, String... arguments) throws IOException {
        return ChildJvm.start(List.of(ChildJvm.java()), List.of("-Xmx64m"), main, List.of(arguments));
    }

    private static Path file(List<String> output) {
        return Path.of(output.get(output.size() - 1));
    }

    @Test
    void await_childEnds_itsOutputAndStatusAreKnown() throws IOException {
        try (ChildJvm child = start(Halts.class, "well")) {
            assertThat(child.await(PATIENCE)).isZero();
            assertThat(child.output()).containsExactly("well");
        }
    }

    @Test
    void await_workThrows_itsStackIsInTheOutput() throws IOException {
        try (ChildJvm child = start(Halts.class)) {
            assertThat(child.await(PATIENCE)).isEqualTo(1);
            assertThat(child.output()).anyMatch(line -> line.startsWith("java.lang.ArrayIndexOutOfBounds"));
        }
    }

    @Test
    void await_childDoesNotEnd_saysHowLongItWaited() throws IOException {
        try (ChildJvm child = start(LeavesAFile.class, "stay")) {
            assertThatThrownBy(() -> child.await(Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("has not ended within 1 s");
        }
    }

    @Test
    void close_childHasLeftATemporaryFile_itIsGone() throws IOException {
        Path file;
        try (ChildJvm child = start(LeavesAFile.class)) {
            child.await(PATIENCE);
            file = file(child.output());
            assertThat(file).exists();
        }
        assertThat(file).doesNotExist();
        assertThat(file.getParent()).doesNotExist();
    }

    @Test
    void start_noSuchProgram_saysSoAndLeavesNoDirectory() throws IOException {
        try (ChildJvm child = start(StartsNothing.class)) {
            child.await(PATIENCE);
            assertThat(child.output().get(0)).contains("no-such-java");
            assertThat(child.output()).as("what is in its own directory").endsWith("[output.log]");
        }
    }

    /** Ctrl-C, and what a CI does that has no time left. */
    @Test
    void parentIsToldToEnd_childLives_bothEndAndNothingIsLeft() throws Exception {
        Path file;
        ProcessHandle grandchild;
        try (ChildJvm parent = start(Parent.class)) {
            while (parent.output().size() < 2) {
                assertThatThrownBy(() -> parent.await(Duration.ofMillis(50))).hasMessageContaining("has not ended");
            }
            List<String> said = parent.output();
            file = file(said);
            grandchild = ProcessHandle.of(Long.parseLong(said.get(0))).orElseThrow();
            assertThat(file).exists();
            ProcessHandle.of(parent.pid()).orElseThrow().destroy();
            parent.await(PATIENCE);
            grandchild.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(file).doesNotExist();
        }
    }

    /** Prints its argument. */
    static final class Halts {
        public static void main(String[] arguments) {
            ChildJvm.workAndHalt(() -> System.out.println(arguments[0]));
        }
    }

    /**
     * Makes a temporary file, prints its name, and ends without a chance to delete it; with an argument it does not
     * end.
     */
    static final class LeavesAFile {
        public static void main(String[] arguments) {
            ChildJvm.workAndHalt(() -> {
                Path file = Files.createTempFile("left", ".dat");
                file.toFile().deleteOnExit();
                System.out.println(file);
                if (arguments.length > 0) {
                    new CountDownLatch(1).await();
                }
            });
        }
    }

    /** Fails to have a child, and prints what it was told and what its temporary files are then. */
    static final class StartsNothing {
        public static void main(String[] arguments) {
            ChildJvm.workAndHalt(() -> {
                assertThatThrownBy(() -> ChildJvm.start(List.of("no-such-java"), List.of(), Halts.class, List.of()))
                        .satisfies(failure -> System.out.println(failure.getMessage()));
                System.out.println(List.of(
                        Path.of(System.getProperty("java.io.tmpdir")).toFile().list()));
            });
        }
    }

    /** Has a child, prints its process's number and its file, and does not end. */
    static final class Parent {
        public static void main(String[] arguments) throws Exception {
            try (ChildJvm child = start(LeavesAFile.class, "stay")) {
                while (child.output().isEmpty()) {
                    Waiting.millis(20);
                }
                System.out.println(child.pid());
                System.out.println(file(child.output()));
                child.await(PATIENCE);
            }
        }
    }
}
