package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scopes of Java 25 that tasks of our executors open. They are a preview there, so a JVM of their own compiles and runs
 * them. Java 26 has another form of them.
 */
@EnabledOnJre(JRE.JAVA_25)
class StructuredConcurrencyTest {

    /**
     * Each executor runs a task that forks two subtasks. The subtasks see the scoped value that the task has bound, are
     * no tasks of the executor, and need no place of its limit of one. A failed subtask ends the other one.
     */
    private static final String PROGRAM = """
            import io.lifeguard.pool.*;
            import java.util.concurrent.*;

            static final ScopedValue<String> USER = ScopedValue.newInstance();

            static String both() throws Exception {
                try (var scope = StructuredTaskScope.open()) {
                    var first = scope.fork(() -> USER.get() + " one");
                    var second = scope.fork(() -> USER.get() + " two");
                    scope.join();
                    return first.get() + ", " + second.get();
                }
            }

            static String failed() throws Exception {
                CountDownLatch never = new CountDownLatch(1);
                try (var scope = StructuredTaskScope.open()) {
                    scope.fork(() -> { never.await(); return null; });
                    scope.fork(() -> { throw new IllegalStateException("no price"); });
                    scope.join();
                    return "no failure";
                } catch (StructuredTaskScope.FailedException e) {
                    return e.getCause().getMessage();
                }
            }

            void main() throws Exception {
                ExecutorService[] executors = {
                    InstrumentedExecutors.newVirtualThreadPerTaskExecutor("unbounded"),
                    InstrumentedVirtualThreadExecutor.named("limited").limit(1).build(),
                    InstrumentedExecutors.newFixedThreadPool("platform", 1)
                };
                for (ExecutorService executor : executors) {
                    Future<String> both = executor.submit(() -> ScopedValue.where(USER, "ann").call(() -> both()));
                    Future<String> failed = executor.submit(() -> failed());
                    IO.println(both.get(20, TimeUnit.SECONDS) + "; " + failed.get(20, TimeUnit.SECONDS));
                    executor.close();
                    IO.println(((InstrumentedPool) executor).snapshot().counts().completed());
                }
            }
            """;

    @TempDir
    Path directory;

    @Test
    void scope_openedInATask_forksSubtasksAndHandsOnWhatIsBound() throws Exception {
        Path program = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        String text = ChildJvm.run(
                directory,
                "--enable-preview",
                "--source",
                "25",
                "-Dlifeguard.monitor=off",
                "-cp",
                System.getProperty("java.class.path"),
                program.toString());
        assertThat(text.lines().filter(line -> line.startsWith("ann")))
                .as(text)
                .containsExactly(
                        "ann one, ann two; no price", "ann one, ann two; no price", "ann one, ann two; no price");
        assertThat(text.lines().filter("2"::equals)).as(text).hasSize(3);
    }
}
