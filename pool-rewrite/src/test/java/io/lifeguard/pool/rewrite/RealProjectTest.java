package io.lifeguard.pool.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openrewrite.ExecutionContext;
import org.openrewrite.InMemoryExecutionContext;
import org.openrewrite.Parser;
import org.openrewrite.Recipe;
import org.openrewrite.Result;
import org.openrewrite.SourceFile;
import org.openrewrite.config.Environment;
import org.openrewrite.internal.InMemoryLargeSourceSet;
import org.openrewrite.java.JavaParser;

/** The recipes on the sources of projects that others wrote: what they change, and that it compiles afterwards. */
@Tag("slow")
class RealProjectTest {

    // Not in a block comment, whose lines begin with an asterisk.
    private static final String IN_CODE = "(?m)^(?!\\s*\\*).*";
    private static final Pattern RAW =
            Pattern.compile(IN_CODE + "(\\bExecutors\\.new|new (Scheduled)?ThreadPoolExecutor\\()");
    private static final Pattern OURS = Pattern.compile(
            IN_CODE + "(\\bInstrumentedExecutors\\.new|new Instrumented(Scheduled)?ThreadPoolExecutor\\()");

    @TempDir
    private Path classes;

    /** The counts are those of the fixed versions in the profile "slow". */
    @ParameterizedTest
    @CsvSource({"jgroups, 9, 11", "commons-lang3, 2, 2"})
    void project_rewritten_compilesAndCreatesOnlyInstrumentedPools(String project, int filesChanged, int creations)
            throws IOException {
        Map<Path, String> before = sources(project);
        Map<Path, String> changed = new TreeMap<>();
        List<Result> results = run(before);
        results.forEach(result ->
                changed.put(result.getAfter().getSourcePath(), result.getAfter().printAll()));
        Map<Path, String> after = new TreeMap<>(before);
        after.putAll(changed);
        System.out.printf(
                "%s: %d of %d files changed, %d of %d creations replaced%n",
                project, results.size(), before.size(), count(OURS, after), count(RAW, before));

        assertThat(errors(after)).isEmpty();
        assertThat(results).hasSize(filesChanged);
        assertThat(count(RAW, before)).isEqualTo(creations);
        assertThat(count(OURS, after)).isEqualTo(creations);
        assertThat(count(RAW, after)).isZero();
        assertThat(run(changed)).as("changes of a second run").isEmpty();
    }

    private static Map<Path, String> sources(String project) throws IOException {
        String jar = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.matches(".*[/\\\\]" + project + "-[^/\\\\]*-sources\\.jar"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no sources of " + project + ": run with -Pslow"));
        try (JarFile file = new JarFile(jar)) {
            return file.stream()
                    .filter(entry -> entry.getName().endsWith(".java")
                            && !entry.getName().endsWith("module-info.java"))
                    .collect(Collectors.toMap(
                            entry -> Path.of(entry.getName()),
                            entry -> {
                                try {
                                    return new String(
                                            file.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            },
                            (one, other) -> one,
                            TreeMap::new));
        }
    }

    /** Parses these files; the project's own jar on the class path has the types of the others. */
    private static List<Result> run(Map<Path, String> sources) {
        Recipe recipe = Environment.builder()
                .scanRuntimeClasspath("io.lifeguard.pool.rewrite")
                .build()
                .activateRecipes("io.lifeguard.pool.rewrite.InstrumentPools");
        ExecutionContext context = new InMemoryExecutionContext(e -> {
            throw new AssertionError(e);
        });
        List<SourceFile> parsed = JavaParser.fromJavaVersion()
                .classpath(classPath().map(Path::of).toList())
                .build()
                .parseInputs(
                        sources.entrySet().stream()
                                .map(source -> Parser.Input.fromString(source.getKey(), source.getValue()))
                                .toList(),
                        null,
                        context)
                .toList();
        return recipe.run(new InMemoryLargeSourceSet(parsed), context)
                .getChangeset()
                .getAllResults();
    }

    private List<String> errors(Map<Path, String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        compiler.getTask(
                        null,
                        null,
                        diagnostics,
                        List.of(
                                "-proc:none",
                                "-nowarn",
                                "-d",
                                classes.toString(),
                                "-cp",
                                classPath().collect(Collectors.joining(File.pathSeparator))),
                        null,
                        sources.entrySet().stream()
                                .map(source -> new Source(source.getKey(), source.getValue()))
                                .toList())
                .call();
        return diagnostics.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(each ->
                        each.getSource().getName() + ":" + each.getLineNumber() + " " + each.getMessage(Locale.ROOT))
                .toList();
    }

    private static Stream<String> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("-sources.jar"));
    }

    private static long count(Pattern pattern, Map<Path, String> sources) {
        return sources.values().stream()
                .mapToLong(source -> pattern.matcher(source).results().count())
                .sum();
    }

    /** A source file in memory. */
    private static final class Source extends SimpleJavaFileObject {

        private final String content;

        Source(Path path, String content) {
            super(URI.create("string:///" + path), Kind.SOURCE);
            this.content = content;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return content;
        }
    }
}
