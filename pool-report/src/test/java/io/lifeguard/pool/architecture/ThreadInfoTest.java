package io.lifeguard.pool.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Nobody asks the JVM for threads without their frames: it reads a carrier that mounts or unmounts meanwhile, and can
 * crash (JDK-8392031). With frames it stops the threads before it reads.
 */
class ThreadInfoTest {

    /** Up to the end of the statement, or of the other thing in which the call is. */
    private static final Pattern CALL = Pattern.compile("[.:]getThreadInfo\\b[^;]*;");

    /** One argument, which is no call and has no depth, or a depth of 0. Two flags come without frames never. */
    private static final Pattern WITHOUT_FRAMES =
            Pattern.compile("\\.getThreadInfo\\(\\s*(?:[^,();]|\\([^();]*\\))*(?:,\\s*0\\s*)?\\)[^;]*;");

    private static List<String> callsWithoutFrames(String source) {
        List<String> offences = new ArrayList<>();
        Matcher call = CALL.matcher(source);
        while (call.find()) {
            if (WITHOUT_FRAMES.matcher(call.group()).matches()) {
                offences.add(call.group());
            }
        }
        return offences;
    }

    @Test
    void sources_everyCall_asksForFrames() throws IOException {
        List<String> offences = new ArrayList<>();
        int files = 0;
        try (Stream<Path> folders = Files.list(Path.of(".."))) {
            for (Path folder : folders.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> sources = Files.walk(folder)) {
                    for (Path file : sources.filter(path -> path.toString().endsWith(".java"))
                            .toList()) {
                        String text = Files.readString(file);
                        files += text.contains("getThreadInfo(") ? 1 : 0;
                        callsWithoutFrames(text).forEach(call -> offences.add(file + ": " + call));
                    }
                }
            }
        }

        assertThat(files).as("files with a call").isGreaterThan(4);
        assertThat(offences).isEmpty();
    }

    @Test
    void callsWithoutFrames_eachForm_isFound() {
        assertThat(callsWithoutFrames("x = threads.getThreadInfo(id);")).hasSize(1);
        assertThat(callsWithoutFrames("x = threads.getThreadInfo(thread.getId());"))
                .hasSize(1);
        assertThat(callsWithoutFrames("x = threads.getThreadInfo(ids, 0);")).hasSize(1);
        assertThat(callsWithoutFrames("x = bean().getThreadInfo(\n    all(ids), 0 );"))
                .hasSize(1);
        assertThat(callsWithoutFrames("x = threads.getThreadInfo(ids, depth); y(0);"))
                .isEmpty();
        assertThat(callsWithoutFrames("x = threads.getThreadInfo(thread.getId(), 1);"))
                .isEmpty();
        assertThat(callsWithoutFrames("x = threads.getThreadInfo(ids, false, false);"))
                .isEmpty();
    }
}
