package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.testing.ChildJvm;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In JVMs of their own, which are told to end. */
class ShutdownTest {

    private static final String HELD = "waits for pool '%s': \\S+ s after the pool was shut down, 2 tasks still run%s"
            + " in '%s\\S+'%s, now at \\S+ShutdownTest\\$Ending\\.export\\(ShutdownTest\\.java:\\d+\\);"
            + " 4 tasks more in the queue, lost if killed";

    @TempDir
    Path directory;

    @Test
    void triage_poolHoldsUpTheEnd_isSaidOnceWithItsTaskAndQueue() throws Exception {
        assertThat(end("triage"))
                .containsOnlyOnce("the JVM shuts down")
                .containsPattern(HELD.formatted("exports", ", the longest", "exports-", " for \\S+ s"))
                .contains("ENDED");
    }

    @Test
    void monitor_threePoolsHoldUpTheEnd_aPlainOneAndAWaitingTimerAreSaidToo() throws Exception {
        String text = end("monitor");

        assertThat(Pattern.compile("the JVM shuts down").matcher(text).results().count())
                .isEqualTo(3);
        assertThat(text)
                .containsPattern(HELD.formatted("exports", ", the longest", "exports-", " for \\S+ s"))
                .containsPattern(HELD.formatted("plain", ", the longest for at least \\S+ s, one", "pool-", ""))
                .containsPattern("waits for pool 'timers': \\S+ s after the pool was shut down, no task runs;"
                        + " 1 task in the queue, lost if killed");
    }

    private String end(String watcher) throws Exception {
        return ChildJvm.run(
                directory,
                "-cp",
                FirstPoolTest.classPath(directory, ShutdownTest.class, Ending.class),
                Ending.class.getName(),
                watcher);
    }

    /** Runs in a JVM of its own. */
    static final class Ending {

        private Ending() {}

        public static void main(String[] arguments) throws Exception {
            ExecutorService exports = pool("exports");
            ExecutorService quick = pool("quick"); // ends in time
            ExecutorService open = pool("open"); // nobody shuts it down, and nobody waits for it
            ThreadPoolExecutor plain = (ThreadPoolExecutor) Executors.newFixedThreadPool(2);
            ScheduledExecutorService timers = InstrumentedExecutors.newScheduledThreadPool("timers", 1);
            if (arguments[0].equals("monitor")) {
                PoolMonitor.global().watch(plain, "plain");
                timers.schedule(() -> {}, 1, TimeUnit.HOURS);
            }
            for (int i = 0; i < 6; i++) {
                exports.execute(() -> export(60_000));
                quick.execute(() -> export(300));
                open.execute(() -> export(60_000));
                plain.execute(() -> export(60_000));
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                exports.shutdown();
                quick.shutdown();
                plain.shutdown();
                timers.shutdown();
                try {
                    for (int i = 0; i < 200 && !isSeen(); i++) { // a busy machine may need seconds for that
                        Thread.sleep(100);
                    }
                    exports.awaitTermination(5, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                System.out.println("ENDED");
            }));
            System.exit(0);
        }

        private static boolean isSeen() {
            return Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(thread -> thread.getName().equals("lifeguard-shutdown"));
        }

        private static ExecutorService pool(String name) {
            return InstrumentedThreadPoolExecutor.named(name)
                    .size(2)
                    .unboundedQueue()
                    .build();
        }

        private static void export(long millis) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
