package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.testing.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class FullSentenceTest {

    @TempDir
    Path directory;

    @Test
    void of_workersInDifferentStates_saysWhereTheyAre() {
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean hasEnded = new AtomicBoolean();
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("prices").size(3).build();
        try {
            pool.execute(() -> {
                while (!hasEnded.get()) {
                    Thread.onSpinWait();
                }
            });
            pool.execute(() -> awaitOf(end));
            pool.execute(() -> awaitOf(end));
            pool.execute(() -> {});

            await().untilAsserted(() -> assertThat(FullSentence.of(pool, 90).text())
                    .matches("pool 'prices': all 3 workers are busy and 90 tasks wait; where they are: 1 computing or"
                            + " outside, 2 waiting\\. .*"));
        } finally {
            hasEnded.set(true);
            end.countDown();
            pool.shutdown();
        }
    }

    /** Submitters may wait for room while a few workers are between two tasks. */
    @Test
    void of_workersThatAreIdle_areNotCounted() {
        CountDownLatch end = new CountDownLatch(1);
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("prices").size(3).build();
        try {
            pool.prestartAllCoreThreads();
            assertThat(FullSentence.of(pool, 0)).isNull();
            pool.execute(() -> awaitOf(end));

            await().untilAsserted(() -> assertThat(FullSentence.of(pool, 0).text())
                    .matches("pool 'prices': 1 of 3 workers is busy and 0 tasks wait; where they are: 1 waiting.*"));
        } finally {
            end.countDown();
            pool.shutdown();
        }
    }

    private static void awaitOf(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As long as the monitor has judged no window, as where it gets no CPU time. */
    @Tag("slow")
    @Test
    void poolThatStaysFull_isSaidWithoutTheMonitor() throws Exception {
        assertThat(full("on", 30))
                .contains("SAID pool 'full': all 2 workers are busy and 3 tasks wait; where they are: 2");
    }

    @Tag("slow")
    @Test
    void poolThatStaysFull_findingIsSwitchedOff_isNotSaid() throws Exception {
        assertThat(full("off", 10)).contains("SAID null");
    }

    private String full(String mode, int seconds) throws Exception {
        return ChildJvm.run(
                directory,
                "-cp",
                FirstPoolTest.classPath(
                        directory, FullSentenceTest.class, Full.class, Class.forName(Full.class.getName() + "$1")),
                Full.class.getName(),
                mode,
                Integer.toString(seconds));
    }

    /** Runs in a JVM of its own. */
    static final class Full {

        private Full() {}

        public static void main(String[] arguments) throws Exception {
            Logger log = (Logger) LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");
            log.setLevel(Level.INFO);
            BlockingQueue<String> lines = new LinkedBlockingQueue<>();
            AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    lines.add(event.getFormattedMessage());
                }
            };
            appender.start();
            log.addAppender(appender);
            CountDownLatch never = new CountDownLatch(1);
            InstrumentedThreadPoolExecutor pool =
                    InstrumentedThreadPoolExecutor.named("full").size(2).build();
            for (int i = 0; i < 5; i++) {
                pool.execute(() -> awaitOf(never));
            }
            while (!isMonitorRunning()) {
                Thread.sleep(20);
            }
            PoolMonitor.global().window(Duration.ofMinutes(10)); // too long to raise anything
            if (arguments[0].equals("off")) {
                PoolMonitor.global().switchOff(FullSentence.ID);
            }
            String line = "";
            while (line != null && !line.contains("where they are")) {
                line = lines.poll(Integer.parseInt(arguments[1]), TimeUnit.SECONDS);
            }
            System.out.println("SAID " + line);
            System.exit(0);
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
}
