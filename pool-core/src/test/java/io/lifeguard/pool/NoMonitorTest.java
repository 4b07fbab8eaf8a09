package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.lifeguard.pool.testing.ChildJvm;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Pools without a monitor on the class path, in a JVM of their own. */
class NoMonitorTest {

    @TempDir
    Path directory;

    @Test
    void firstPools_withoutAMonitor_workAndMeasureAndSaySoOnce() throws Exception {
        String text = ChildJvm.run(directory, "-cp", System.getProperty("java.class.path"), Program.class.getName());
        assertThat(text.lines())
                .filteredOn(line -> line.startsWith("logged: "))
                .singleElement()
                .asString()
                .contains("[DEBUG] no monitor was found");
        assertThat(text).contains("completed: 3").doesNotContain("lifeguard-monitor");
    }

    /** Makes three pools, each of which runs a task. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) throws Exception {
            CountDownLatch logged = new CountDownLatch(1);
            Logger logger = (Logger) LoggerFactory.getLogger("io.lifeguard.pool");
            logger.setLevel(Level.DEBUG);
            AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    System.out.println("logged: " + event);
                    logged.countDown();
                }
            };
            appender.start();
            logger.addAppender(appender);
            logger.setAdditive(false);
            long completed = 0;
            for (int i = 0; i < 3; i++) {
                ExecutorService pool = InstrumentedExecutors.newFixedThreadPool(1);
                pool.submit(() -> {}).get();
                pool.shutdown();
                if (!pool.awaitTermination(20, TimeUnit.SECONDS) || !logged.await(20, TimeUnit.SECONDS)) {
                    System.exit(1);
                }
                completed += ((InstrumentedThreadPoolExecutor) pool).snapshot().completed();
            }
            System.out.println("completed: " + completed);
            Thread.getAllStackTraces().keySet().forEach(thread -> System.out.println("thread: " + thread.getName()));
        }
    }
}
