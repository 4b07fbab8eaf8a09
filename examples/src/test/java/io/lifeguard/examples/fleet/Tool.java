package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program of the machine's, found on the path. Immutable. */
record Tool(Path program) {

    private static final long PATIENCE = 120;

    static Optional<Tool> find(String name) {
        return Arrays.stream(
                        Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Tool::new);
    }

    /** Runs it to its end, and returns all it printed; fails when it was not content. */
    String passes(List<String> arguments, Path in, String stdin) throws IOException, InterruptedException {
        Path input = Files.writeString(Files.createTempFile(in, "stdin", ".txt"), stdin);
        Path output = Files.createTempFile(in, "output", ".txt");
        Process process = new ProcessBuilder(Stream.concat(Stream.of(program.toString()), arguments.stream())
                        .toList())
                .directory(in.toFile())
                .redirectErrorStream(true)
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(PATIENCE, TimeUnit.SECONDS))
                    .as("%s %s ends", program, arguments)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output);
        assertThat(process.exitValue())
                .as("%s %s said:%n%s", program.getFileName(), arguments.stream().collect(Collectors.joining(" ")), said)
                .isZero();
        return said;
    }
}
