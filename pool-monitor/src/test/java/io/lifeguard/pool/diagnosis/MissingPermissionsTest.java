package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** A monitor that may read little says once what it lacks, and goes on with the rest. */
@EnabledForJreRange(max = JRE.JAVA_23) // later there is no security manager
class MissingPermissionsTest {

    private static final String POLICY = """
            grant {
                permission java.lang.RuntimePermission "getStackWalkerWithClassReference";
                permission java.lang.RuntimePermission "modifyThread";
                permission java.util.PropertyPermission "*", "read";
                permission java.io.FilePermission "<<ALL FILES>>", "read";
            };
            """;

    @TempDir
    Path directory;

    @Test
    void monitor_withoutPermissions_saysSoOnceAndGoesOn() throws Exception {
        List<String> warnings = run(POLICY);

        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("The security manager keeps the monitor from reading all that it needs")
                .contains("ManagementPermission \"monitor\" (stacks and locks)")
                .contains("RuntimePermission \"modifyThreadGroup\"")
                .doesNotContain("/proc");
    }

    /**
     * Runs the program, which must end well. {@return its warnings, but for those of rules that are broken on purpose}
     */
    private List<String> run(String policy) throws Exception {
        Path rights = Files.writeString(directory.resolve("rights.policy"), policy);
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.security.manager",
                        "-Djava.security.policy==" + rights,
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean hasEnded = process.waitFor(60, TimeUnit.SECONDS);
            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(hasEnded).as(text).isTrue();
            assertThat(text).contains("windows: true", "found: true");
            return text.lines()
                    .filter(line -> line.contains(" WARN ") && !line.contains("A provider ("))
                    .toList();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Its tasks come faster than they go, which is found without any permission. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) throws Exception {
            PoolMonitor monitor = PoolMonitor.global();
            monitor.window(Duration.ofMillis(100));
            InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("p")
                    .size(1)
                    .unboundedQueue()
                    .build();
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (monitor.findings().isEmpty() && System.nanoTime() < until) {
                for (int i = 0; i < 20; i++) {
                    pool.execute(() -> pause(5));
                }
                pause(10);
            }
            System.out.println("windows: " + (monitor.windows("p").size() > 3));
            System.out.println("found: " + !monitor.findings().isEmpty());
            pool.shutdownNow();
        }

        private static void pause(long millis) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
