package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.testing.SilentQueue;
import io.lifeguard.pool.testing.ChildJvm;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
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

    /** The sentences cost a few classes, and the monitor that is loaded at their end takes them over. */
    @Test
    void fewWorkersThatWaitForOneThing_areSaidOnceWithoutTheMonitor_whichSaysTheEnd() throws Exception {
        String text = ChildJvm.run(
                directory,
                "-cp",
                FirstPoolTest.classPath(directory, TriageTest.class, Few.class, Few.Wait.class, LoggedLines.class),
                Few.class.getName());

        assertThat(text)
                .contains(
                        "of 4 busy workers wait for the monitor of java.lang.Object@",
                        "; it is held by LOCK-",
                        "of 4 workers queue at " + Few.class.getName(),
                        " for java.util.concurrent.Semaphore@",
                        ", which serves about ",
                        " and sleep; ",
                        "Do not sleep in a task")
                .containsPattern("pool 'CALL': .* outside")
                .contains("FIRST SAID, MONITOR RUNS: false");
        for (String wait : List.of("LOCK", "PERMITS", "TIME")) {
            assertThat(Pattern.compile("log] .*pool '" + wait + "': [2-4] of 4 ")
                            .matcher(text)
                            .results())
                    .as(wait)
                    .hasSize(1);
            assertThat(text).contains("pool '" + wait + "': resolved, seen in ");
        }
    }

    /** A few workers in line wake the monitor, and hundreds come while it loads its classes. */
    @Test
    void poolThatGrowsToACrowd_isSaidAfterTheMonitorHasStarted() throws Exception {
        String text = ChildJvm.run(
                directory,
                "-cp",
                FirstPoolTest.classPath(directory, TriageTest.class, Crowd.class),
                Crowd.class.getName(),
                "grows");

        assertThat(text).containsPattern("of [1-5][0-9][0-9] busy workers wait for .* The monitor starts now");
    }

    /** Asked by the triage, the queue would keep its thread, and no pool would ever be watched. */
    @Test
    void queueThatNeverSaysItsSize_keepsNoOtherPoolFromBeingWatched() throws Exception {
        String text = ChildJvm.run(
                directory,
                "-cp",
                FirstPoolTest.classPath(directory, TriageTest.class, Silent.class, SilentQueue.class),
                Silent.class.getName());

        assertThat(text)
                .containsOnlyOnce("a " + SilentQueue.class.getName() + ", has not answered for 3 s")
                .contains("FOUND other");
    }

    /** Runs in a JVM of its own. */
    static final class Silent {

        private Silent() {}

        public static void main(String[] arguments) throws Exception {
            CountDownLatch never = new CountDownLatch(1);
            ThreadPoolExecutor silent =
                    new InstrumentedThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new SilentQueue(never));
            ThreadPoolExecutor other = InstrumentedThreadPoolExecutor.named("other")
                    .size(1)
                    .unboundedQueue()
                    .build();
            for (int i = 0; i < 3; i++) {
                silent.execute(() -> SilentQueue.await(never));
                other.execute(() -> SilentQueue.await(never));
            }
            for (int i = 0; i < 600 && !isMonitorRunning(); i++) {
                Thread.sleep(50);
            }
            boolean isFound = false;
            for (int i = 0; i < 600 && isMonitorRunning() && !isFound; i++) {
                Thread.sleep(50);
                isFound = PoolMonitor.global().findings().stream()
                        .anyMatch(finding -> finding.pool().equals("other"));
            }
            System.out.println(isFound ? "FOUND other" : "FOUND NOTHING");
            Thread.sleep(1_000); // for the log's thread
            System.exit(0);
        }
    }

    /** Runs in a JVM of its own. */
    static final class Few {

        /** What the workers of a pool wait for. */
        enum Wait {
            LOCK,
            PERMITS,
            TIME,
            CALL
        }

        private static final Object MONITOR = new Object();
        private static final Semaphore PERMIT = new Semaphore(1);

        private Few() {}

        public static void main(String[] arguments) throws Exception {
            LoggedLines lines = LoggedLines.begin();
            AtomicBoolean isCured = new AtomicBoolean();
            List<ThreadPoolExecutor> pools = new ArrayList<>();
            for (Wait wait : Wait.values()) {
                pools.add(InstrumentedThreadPoolExecutor.named(wait.name())
                        .size(4)
                        .unboundedQueue()
                        .build());
            }
            Thread submitter = new Thread(() -> {
                while (true) {
                    for (Wait wait : Wait.values()) {
                        ThreadPoolExecutor pool = pools.get(wait.ordinal());
                        if (pool.getQueue().size() < 20) {
                            pool.execute(() -> await(isCured.get() ? null : wait));
                        }
                    }
                    LockSupport.parkNanos(isCured.get() ? 10_000_000 : 1_000_000); // 10 ms, 1 ms
                }
            });
            submitter.setDaemon(true);
            submitter.start();
            lines.next(" 4 ", 60);
            System.out.println("FIRST SAID, MONITOR RUNS: " + isMonitorRunning());
            for (int i = 1; i < pools.size(); i++) {
                lines.next(" 4 ", 60);
            }
            isCured.set(true);
            for (int i = 0; i < pools.size(); i++) {
                System.out.println("END " + lines.next("resolved", 30));
            }
            System.exit(0);
        }

        private static void await(@Nullable Wait wait) {
            if (wait == Wait.LOCK) {
                sleepUnder(MONITOR);
            } else if (wait == Wait.PERMITS) {
                PERMIT.acquireUninterruptibly();
                LockSupport.parkNanos(10_000_000); // 10 ms
                PERMIT.release();
            } else if (wait == Wait.TIME) {
                sleepUnder(new Object());
            } else if (wait == Wait.CALL) {
                try (DatagramSocket nobodySends = new DatagramSocket()) {
                    nobodySends.setSoTimeout(50);
                    nobodySends.receive(new DatagramPacket(new byte[1], 1));
                } catch (IOException ignored) { // it has waited
                    return;
                }
            }
        }
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
            boolean grows = arguments.length > 0;
            // A busy machine starts threads so slowly that a few would be suspected before there is a crowd.
            CountDownLatch started = new CountDownLatch(WORKERS);
            AtomicBoolean areAllStarted = new AtomicBoolean();
            for (int i = 0; i < 8 && grows; i++) { // suspect, and too few to be told before the monitor starts
                pool.execute(() -> {
                    while (!areAllStarted.get()) {
                        sleepUnder(lock);
                    }
                });
            }
            while (grows && !isMonitorRunning()) {
                Thread.sleep(10);
            }
            for (int i = 0; i < WORKERS && !grows; i++) {
                pool.execute(() -> {
                    started.countDown();
                    while (!areAllStarted.get()) {
                        LockSupport.parkNanos(100_000_000); // 100 ms
                    }
                    sleepUnder(lock);
                });
            }
            if (!grows) {
                started.await();
            }
            areAllStarted.set(true);
            for (int i = 0; i < 20 * WORKERS; i++) {
                pool.execute(() -> sleepUnder(lock));
            }
            while (!isMonitorRunning() || PoolMonitor.global().findings().isEmpty()) {
                Thread.sleep(50);
            }
            Thread.sleep(1_000); // for the log's thread
            System.exit(0);
        }
    }

    private static void sleepUnder(Object lock) {
        synchronized (lock) {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
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

    static boolean isMonitorRunning() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("lifeguard-monitor")) {
                return true;
            }
        }
        return false;
    }
}
