package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.external.PoolGauges;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import io.lifeguard.pool.diagnosis.log.FullSentence;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import io.lifeguard.pool.diagnosis.testing.SilentQueue;
import io.lifeguard.pool.testing.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullSentenceTest {

    private static final Object LOCK = new Object();

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

            await().untilAsserted(() -> assertThat(FullSentence.of(pool, 3, 90).text())
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
            assertThat(FullSentence.of(pool, 1, 0)).isNull();
            pool.execute(() -> awaitOf(end));

            await().untilAsserted(() -> assertThat(FullSentence.of(pool, 1, 0).text())
                    .matches("pool 'prices': 1 of 3 workers is busy and 0 tasks wait; where they are: 1 waiting.*"));
            assertThat(FullSentence.of(pool, 2, 0)).isNull();
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

    /** Where CPUs are full, the monitor's classes take seconds to load. Here its start waits for a lock. */
    @Tag("slow")
    @Test
    void poolThatStaysFull_monitorDoesNotGetStarted_isSaid() throws Exception {
        assertThat(full("starting", 30))
                .contains("SAID pool 'full': all 2 workers are busy and 3 tasks wait; where they are: 2");
    }

    /** Beside a pool whose reader fails, and one whose queue never says its size. */
    @Tag("slow")
    @Test
    void externalPoolThatStaysFull_isSaidWithoutTheMonitor() throws Exception {
        assertThat(full("external", 30))
                .contains("SAID pool 'full': all 2 workers are busy and 3 tasks wait; where they are: 2");
    }

    @Tag("slow")
    @Test
    void poolThatStaysFull_findingIsSwitchedOff_isNotSaid() throws Exception {
        assertThat(full("off", 10)).contains("SAID null");
    }

    /** The reason was said before, and the monitor that would take it over does not get started. */
    @Tag("slow")
    @Test
    void poolThatStaysFull_reasonWasSaid_isNotSaidToHaveNone() throws Exception {
        assertThat(full("said", 10)).contains("[lock-contention]").contains("SAID null");
    }

    private String full(String mode, int seconds) throws Exception {
        return ChildJvm.run(
                directory,
                "-cp",
                FirstPoolTest.classPath(
                        directory,
                        FullSentenceTest.class,
                        Full.class,
                        Broken.class,
                        SilentQueue.class,
                        LoggedLines.class,
                        TriageTest.class),
                Full.class.getName(),
                mode,
                Integer.toString(seconds));
    }

    /** Runs in a JVM of its own. */
    static final class Full {

        private Full() {}

        public static void main(String[] arguments) throws Exception {
            LoggedLines lines = LoggedLines.begin();
            CountDownLatch never = new CountDownLatch(1);
            boolean isExternal = arguments[0].equals("external");
            ThreadPoolExecutor pool = isExternal
                    ? new ThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>())
                    : InstrumentedThreadPoolExecutor.named("full")
                            .size(arguments[0].equals("said") ? 8 : 2)
                            .build();
            AtomicBoolean isStanding = new AtomicBoolean(!arguments[0].equals("said"));
            for (int i = 0; i < (isStanding.get() ? 5 : 900); i++) {
                pool.execute(() -> queueOrStand(isStanding, never));
            }
            if (!isStanding.get()) {
                System.out.println(lines.next("[lock-contention]", 30));
                synchronized (PoolMonitor.class) { // which the start needs
                    isStanding.set(true); // no task ends, which starts the monitor
                    System.out.println("SAID " + lines.next("found no reason", Integer.parseInt(arguments[1])));
                    System.exit(0);
                }
            }
            if (isExternal) {
                PoolMonitor.global().window(Duration.ofMinutes(10));
                PoolMonitor.global().watch(command -> {}, "broken", new Broken());
                PoolMonitor.global()
                        .watch(
                                new ThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, new SilentQueue(never)),
                                "silent",
                                "silent-");
                PoolMonitor.global().watch(pool, "full");
            }
            if (arguments[0].equals("starting")) {
                synchronized (PoolMonitor.class) { // which the start needs
                    System.out.println("SAID " + lines.next("where they are", Integer.parseInt(arguments[1])));
                    System.exit(0);
                }
            }
            while (!TriageTest.isMonitorRunning()) {
                Thread.sleep(20);
            }
            PoolMonitor.global().window(Duration.ofMinutes(10)); // too long to raise anything
            if (arguments[0].equals("off")) {
                PoolMonitor.global().switchOff(SaidFinding.LEAST);
            }
            System.out.println("SAID " + lines.next("where they are", Integer.parseInt(arguments[1])));
            System.exit(0);
        }
    }

    private static void queueOrStand(AtomicBoolean isStanding, CountDownLatch never) {
        if (isStanding.get()) {
            awaitOf(never);
        } else {
            synchronized (LOCK) {
                LockSupport.parkNanos(20_000_000);
            }
        }
    }

    /** Reads a full executor whose workers cannot be found. */
    static final class Broken implements PoolReader<Executor> {
        @Override
        public PoolGauges read(Executor executor) {
            return new PoolGauges(2, 2, 3, PoolGauges.UNKNOWN, 2, 2, Integer.MAX_VALUE);
        }

        @Override
        public List<Thread> workers(Executor executor) {
            throw new IllegalStateException("no workers");
        }
    }
}
