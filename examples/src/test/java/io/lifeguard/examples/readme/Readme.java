package io.lifeguard.examples.readme;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the README of the project, and the program behind it. Stateless. */
final class Readme {

    static final Path PROJECT = projectDirectory();

    private static final Path PROGRAM = Path.of("src/main/java/io/lifeguard/examples/readme/Orders.java");

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

    /** Returns the program, as somebody pastes it into a file of no package. */
    static String program() throws IOException {
        String text = Files.readString(PROJECT.resolve("examples").resolve(PROGRAM));
        return text.substring(text.indexOf("import "));
    }

    private static Path projectDirectory() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("README.md")) || !Files.exists(directory.resolve("examples"))) {
            directory = directory.getParent();
        }
        return directory;
    }
}
