package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.testing.ChildJvm;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The triage in JVMs of their own, which have no monitor yet. */
class TriageTest {

    @TempDir
    Path directory;

    /** No directory can have this name, so the monitor cannot be made while the property is set. */
    @Test
    void startOfTheMonitor_failsAtFirst_isSaidAndTriedAgain() throws Exception {
        String text = ChildJvm.run(
                directory,
                "-cp",
                FirstPoolTest.classPath(directory, TriageTest.class, Failing.class),
                Failing.class.getName());

        assertThat(text)
                .containsOnlyOnce("Not watched: the monitor could not start")
                .containsOnlyOnce("Pools are watched again")
                .containsSubsequence("Not watched", "watched again", "RUNS");
    }

    /**
     * Beside 500 workers the monitor is one thread of many, and its start loads hundreds of classes. What the states of
     * the threads say must be said before that.
     */
    @Test
    void manyWorkersAtOneLock_areSaidBeforeTheMonitorHasStarted() throws Exception {
        String text = ChildJvm.run(
                directory,
                "-cp",
                FirstPoolTest.classPath(directory, TriageTest.class, Crowd.class),
                Crowd.class.getName());

        assertThat(text).containsPattern("pool 'crowd': [1-5][0-9][0-9] of [1-5][0-9][0-9] busy workers wait for");
        assertThat(text).containsSubsequence("The monitor starts now", "[lock-contention]");
    }

    /** Runs in a JVM of its own. */
    static final class Crowd {

        private static final int WORKERS = 500;

        private Crowd() {}

        public static void main(String[] arguments) throws Exception {
            ThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("crowd")
                    .size(WORKERS)
                    .unboundedQueue()
                    .build();
            Object lock = new Object();
            for (int i = 0; i < 20 * WORKERS; i++) {
                pool.execute(() -> {
                    synchronized (lock) {
                        try {
                            Thread.sleep(10);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                });
            }
            while (!isMonitorRunning() || PoolMonitor.global().findings().isEmpty()) {
                Thread.sleep(50);
            }
            Thread.sleep(1_000); // for the log's thread
            System.exit(0);
        }
    }

    /** Runs in a JVM of its own. */
    static final class Failing {

        private Failing() {}

        public static void main(String[] arguments) throws Exception {
            System.setProperty(PoolMonitor.BLACK_BOX_PROPERTY, "\0");
            ThreadPoolExecutor pool =
                    InstrumentedThreadPoolExecutor.named("failing").size(1).build();
            CountDownLatch end = new CountDownLatch(1);
            for (int i = 0; i < 3; i++) {
                pool.execute(() -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
            Thread.sleep(3_000); // the triage suspects the pool after 300 ms
            System.clearProperty(PoolMonitor.BLACK_BOX_PROPERTY);
            while (!isMonitorRunning()) {
                Thread.sleep(20);
            }
            Thread.sleep(1_000); // for the log's thread
            System.out.println("RUNS");
            System.exit(0);
        }
    }

    private static boolean isMonitorRunning() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("lifeguard-monitor")) {
                return true;
            }
        }
        return false;
    }
}
