package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.ChildJvm;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Observers that the service loader finds. Runs a JVM of its own, because they are loaded with its first pool. */
class DiscoveredObserversTest {

    @TempDir
    Path directory;

    /**
     * Forced: the observer's constructor, on the thread that loads it, begins before the first pool has ended. Then it
     * needs a class whose static initialiser ends only after that pool.
     */
    @Test
    void poolsThatEndBeforeObserversAreLoaded_areToldInOrderAfterwards() throws Exception {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(PoolObserver.class.getName()), Witness.class.getName() + "\n");
        String text = ChildJvm.run(
                directory,
                "-cp",
                directory + File.pathSeparator + System.getProperty("java.class.path"),
                Program.class.getName());
        assertThat(text.lines())
                .filteredOn(line -> line.startsWith("told: "))
                .containsExactly(
                        "told: created first by lifeguard-start",
                        "told: terminated first by lifeguard-start",
                        "told: created second by main");
    }

    /** Tells the standard output what it is told. */
    public static final class Witness implements PoolObserver {

        static final CountDownLatch CONSTRUCTOR_HAS_BEGUN = new CountDownLatch(1);
        static final CountDownLatch END_WAS_TOLD = new CountDownLatch(1);

        public Witness() {
            CONSTRUCTOR_HAS_BEGUN.countDown();
            assertThat(Needed.FIRST.isTerminated()).isTrue();
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

    /** Makes the first pool, which runs a task and ends, in its static initialiser. */
    static final class Needed {

        static final ExecutorService FIRST = first();

        private Needed() {}

        private static ExecutorService first() {
            ExecutorService first = InstrumentedExecutors.newFixedThreadPool("first", 1);
            try {
                Witness.CONSTRUCTOR_HAS_BEGUN.await();
                first.submit(new Task()).get();
                first.shutdown();
                first.awaitTermination(30, TimeUnit.SECONDS);
                awaitEndOf("first-1"); // the last worker announces the end of its pool
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
            }
            return first;
        }
    }

    /** No lambda of the class above, because its code would wait for the static initialiser. */
    private static final class Task implements Runnable {
        @Override
        public void run() {}
    }

    /** Makes the first pool, and another one when its end was told. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) throws Exception {
            assertThat(Needed.FIRST.isTerminated()).isTrue();
            Witness.END_WAS_TOLD.await();
            awaitEndOf("lifeguard-start");
            InstrumentedExecutors.newFixedThreadPool("second", 1);
            Runtime.getRuntime().halt(0);
        }
    }

    private static void awaitEndOf(String thread) throws InterruptedException {
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().equals(thread)) {
                each.join();
            }
        }
    }
}
