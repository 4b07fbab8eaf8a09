package io.lifeguard.pool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kotlin.Unit;
import kotlinx.coroutines.Dispatchers;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the page docs/kotlin.md compiles and runs. */
class KotlinPageTest {

    @TempDir
    Path directory;

    @Test
    void program_asWritten_runsSixteenSteps() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "kotlin.md"));
        String block = page.substring(page.indexOf("```kotlin\n") + 10);
        Path source = Files.writeString(directory.resolve("Page.kt"), block.substring(0, block.indexOf("\n```")));
        List<String> path = new ArrayList<>();
        for (Class<?> each : List.of(Unit.class, Dispatchers.class, InstrumentedThreadPoolExecutor.class)) {
            path.add(Path.of(each.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();

        ExitCode code = new K2JVMCompiler()
                .exec(
                        new PrintStream(said, true, StandardCharsets.UTF_8),
                        "-no-stdlib",
                        "-no-reflect",
                        "-cp",
                        String.join(File.pathSeparator, path),
                        "-d",
                        directory.toString(),
                        source.toString());

        assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isEqualTo(ExitCode.OK);
        assertThat(output()).contains("pool orders", "completed 16");
    }

    private String output() throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try (URLClassLoader classes = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            classes.loadClass("PageKt").getMethod("main").invoke(null);
        } finally {
            System.setOut(before);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
