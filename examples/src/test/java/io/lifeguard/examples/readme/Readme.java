package io.lifeguard.examples.readme;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the README of the project, and the six lines of code behind it. Stateless. */
final class Readme {

    static final Path PROJECT = projectDirectory();

    private static final Path SIX_LINES = Path.of("src/main/java/io/lifeguard/examples/readme/SixLines.java");

    private Readme() {}

    static String text() throws IOException {
        return Files.readString(PROJECT.resolve("README.md"));
    }

    /** Returns the first block of code in that language; {@code ""} for a block without a language. */
    static String block(String language) throws IOException {
        Matcher block = Pattern.compile("^```(\\w*)\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(text());
        while (block.find()) {
            if (block.group(1).equals(language)) {
                return block.group(2);
            }
        }
        throw new IllegalStateException("README.md has no block of code in \"" + language + "\"");
    }

    /** Returns the lines of the program between its two markers, without their indentation. */
    static String sixLines() throws IOException {
        List<String> program = Files.readAllLines(PROJECT.resolve("examples").resolve(SIX_LINES));
        int begin = indexOf(program, "// README: begin");
        int end = indexOf(program, "// README: end");
        return String.join("\n", program.subList(begin + 1, end)).stripIndent() + "\n";
    }

    private static int indexOf(List<String> program, String marker) {
        for (int i = 0; i < program.size(); i++) {
            if (program.get(i).strip().equals(marker)) {
                return i;
            }
        }
        throw new IllegalStateException(SIX_LINES + " has no line " + marker);
    }

    private static Path projectDirectory() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("README.md")) || !Files.exists(directory.resolve("examples"))) {
            directory = directory.getParent();
        }
        return directory;
    }
}
