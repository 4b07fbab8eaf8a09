package io.lifeguard.pool.spring.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** In JVMs of their own, which are told to end. */
class HeldShutdownTest {

    @TempDir
    Path directory;

    @Test
    void close_springWaitsForATaskOfAnOpenPool_itIsSaid() throws Exception {
        assertThat(end("held"))
                .containsPattern(
                        "the JVM shuts down and waits for pool 'reports': 1 task still runs, for at least \\S+ s, in 'reports-1', now"
                                + " at \\S+HeldShutdownTest\\$Ending\\.report\\(HeldShutdownTest\\.java:\\d+\\); 2 tasks more in"
                                + " the queue, lost if killed");
    }

    @Test
    void close_oneOfThreeWorkersWaitsInATask_itIsFound() throws Exception {
        assertThat(end("wide"))
                .containsPattern(
                        "pool 'reports': 1 task still runs, for at least \\S+ s, in 'reports-\\d', now at \\S+Ending\\.report\\(");
    }

    @Test
    void close_springWaitsForAnotherBean_aPoolThatEndsItsTasksIsNotSaid() throws Exception {
        assertThat(end("quick")).contains("ENDED").doesNotContain("the JVM shuts down");
    }

    private String end(String kind) throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Ending.class.getName(),
                        kind)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }

    /** Runs in a JVM of its own. */
    static final class Ending {

        private Ending() {}

        public static void main(String[] arguments) throws Exception {
            GenericApplicationContext context = new GenericApplicationContext();
            context.registerBean("reports", ThreadPoolTaskExecutor.class, Ending::executor);
            context.registerBean("other", ThreadPoolTaskExecutor.class, Ending::executor);
            context.refresh();
            context.registerShutdownHook();
            ThreadPoolTaskExecutor reports = context.getBean("reports", ThreadPoolTaskExecutor.class);
            PoolMonitor.global().watch(reports.getThreadPoolExecutor(), "reports", "reports-");
            ThreadPoolTaskExecutor other = context.getBean("other", ThreadPoolTaskExecutor.class); // not watched
            if (arguments[0].equals("wide")) {
                reports.setCorePoolSize(3);
                for (int i = 0; i < 3; i++) {
                    reports.execute(() -> {});
                }
                reports.execute(() -> report(20_000));
            } else if (arguments[0].equals("held")) {
                for (int i = 0; i < 3; i++) {
                    reports.execute(() -> report(20_000));
                }
            } else {
                other.execute(() -> report(8_000));
                for (int i = 0; i < 100; i++) {
                    reports.execute(() -> report(50));
                }
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("ENDED")));
            System.exit(0);
        }

        private static ThreadPoolTaskExecutor executor() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setCorePoolSize(1);
            return executor;
        }

        private static void report(long millis) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
