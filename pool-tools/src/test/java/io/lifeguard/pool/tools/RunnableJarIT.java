package io.lifeguard.pool.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.tools.watch.Child;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code java -jar lifeguard.jar} works alone, in a directory without any other jar. */
class RunnableJarIT {

    private static final Path BUILT = Path.of("target", "lifeguard.jar");

    @TempDir
    Path directory;

    @Test
    void version_ofTheJar_hasItsCommit() throws Exception {
        assertThat(run("--version")).matches("lifeguard \\d+\\.\\d+\\.\\d+\\S*, commit ([0-9a-f]{12}|unknown)\\R");
    }

    @Test
    void completion_ofTheShell_knowsCommandsAndOptions() throws Exception {
        assertThat(run("completion")).startsWith("#!/usr/bin/env bash").contains("watch", "analyze", "--json");
    }

    /** JSON needs Jackson, and the command line needs picocli. */
    @Test
    void dumps_ofItsOwnSample_printsJson() throws Exception {
        Path dump = Path.of("src", "test", "resources", "dumps", "jdk21.json").toAbsolutePath();

        assertThat(run("dumps", "--json", dump.toString())).contains("\"doing\" : \"sleeping\"");
    }

    /** A logger that finds no library to write to would complain on standard error. */
    @Test
    void dumps_ofText_printsNothingElse() throws Exception {
        Path dump = Path.of("src", "test", "resources", "dumps", "jdk8.txt").toAbsolutePath();

        assertThat(run("dumps", dump.toString())).startsWith("1 dump, 2.0 threads in each\n");
    }

    /** The rules are found by a list of services, which the jar has to keep. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void watch_ofAnotherJvm_asksTheRules() throws Exception {
        try (Child child = Child.tell("idle")) {
            assertThat(run("watch", "--seconds", "12", "--json", Long.toString(child.pid())))
                    .contains("\"name\":\"idle\"", "how many tasks are queued");
        }
    }

    @Test
    void jar_ofSeveralLibraries_hasALicenceAndNoModuleDescriptor() throws IOException {
        try (JarFile jar = new JarFile(BUILT.toFile())) {
            assertThat(jar.getEntry("META-INF/LICENSE")).isNotNull();
            assertThat(jar.getEntry("META-INF/NOTICE")).isNotNull();
            assertThat(jar.stream().filter(entry -> entry.getName().endsWith("module-info.class")))
                    .isEmpty();
        }
    }

    private String run(String... arguments) throws Exception {
        Path jar = Files.copy(BUILT, directory.resolve("lifeguard.jar"));
        Path output = directory.resolve("output");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", jar.toString()));
        command.addAll(List.of(arguments));
        int exitCode = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(exitCode).as(text).isEqualTo(ExitCode.HEALTHY);
        return text;
    }
}
