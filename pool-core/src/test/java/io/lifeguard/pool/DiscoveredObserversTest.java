package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Observers that the service loader finds. Runs a JVM of its own, because they are loaded with its first pool. */
class DiscoveredObserversTest {

    @TempDir
    Path directory;

    /** Forced: the observer's constructor, on the thread that loads it, ends only after the first pool has ended. */
    @Test
    void poolsThatEndBeforeObserversAreLoaded_areToldInOrderAfterwards() throws Exception {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(PoolObserver.class.getName()), Witness.class.getName() + "\n");
        File output = directory.resolve("output.txt").toFile();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        directory + File.pathSeparator + System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(Files.readString(output.toPath()).lines())
                    .filteredOn(line -> line.startsWith("told: "))
                    .containsExactly(
                            "told: created first by lifeguard-start",
                            "told: terminated first by lifeguard-start",
                            "told: created second by main");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Tells the standard output what it is told. */
    public static final class Witness implements PoolObserver {

        static final CountDownLatch FIRST_HAS_ENDED = new CountDownLatch(1);
        static final CountDownLatch END_WAS_TOLD = new CountDownLatch(1);

        public Witness() throws InterruptedException {
            FIRST_HAS_ENDED.await();
        }

        @Override
        public void created(InstrumentedPool pool) {
            tell("created", pool);
        }

        @Override
        public void terminated(InstrumentedPool pool) {
            tell("terminated", pool);
            END_WAS_TOLD.countDown();
        }

        private static void tell(String what, InstrumentedPool pool) {
            System.out.println("told: " + what + " " + Pools.nameOf(pool) + " by "
                    + Thread.currentThread().getName());
        }
    }

    /** Makes a pool, which runs a task and ends, and another one when its end was told. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) throws Exception {
            ExecutorService first = InstrumentedExecutors.newFixedThreadPool("first", 1);
            first.submit(() -> {}).get();
            first.shutdown();
            first.awaitTermination(30, TimeUnit.SECONDS);
            awaitEndOf("first-1"); // the last worker announces the end of its pool
            Witness.FIRST_HAS_ENDED.countDown();
            Witness.END_WAS_TOLD.await();
            awaitEndOf("lifeguard-start");
            InstrumentedExecutors.newFixedThreadPool("second", 1);
            Runtime.getRuntime().halt(0);
        }

        private static void awaitEndOf(String thread) throws InterruptedException {
            for (Thread each : Thread.getAllStackTraces().keySet()) {
                if (each.getName().equals(thread)) {
                    each.join();
                }
            }
        }
    }
}
