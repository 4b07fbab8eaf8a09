package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.FirstQuestion;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.FakePool;
import io.lifeguard.pool.diagnosis.testing.SilentQueue;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A user's queue, executor, listener or rule that never returns costs no more than what it is asked for. */
class SilentPoolTest {

    private final MonitorSettings settings = new MonitorSettings();
    private final CountDownLatch silence = new CountDownLatch(1);
    private final AtomicInteger looksAtOther = new AtomicInteger();
    private final Logger logger = TestLoggers.logger("io.lifeguard.pool.diagnosis");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private MonitorRound round;
    private MonitorThread thread;

    @BeforeEach
    void make() {
        lines.list = new CopyOnWriteArrayList<>(); // the log's thread writes while a test reads
        lines.start();
        logger.addAppender(lines);
        settings.window(Duration.ofMillis(50));
        settings.discoversRules(false);
        round = new MonitorRound(
                settings, MonitorClock.SYSTEM, EvidenceSources.ofThisMachine(MonitorClock.SYSTEM), finding -> {});
        thread = new MonitorThread(round, MonitorClock.SYSTEM);
        FakeClock clock = new FakeClock();
        round.pools()
                .add(
                        new FakePool("other", clock) {
                            @Override
                            public PoolSnapshot snapshot() {
                                looksAtOther.incrementAndGet();
                                clock.pass(Duration.ofMillis(50));
                                return super.snapshot();
                            }
                        },
                        "other");
    }

    @AfterEach
    void end() {
        silence.countDown();
        thread.close();
        await().until(() -> !thread.isRunning());
        logger.detachAppender(lines);
    }

    private List<String> warnings() {
        return lines.list.stream()
                .filter(line -> line.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line ->
                        line.contains("'mine'") || line.startsWith("The listener") || line.startsWith("The rule"))
                .toList();
    }

    private void checkThatTheOtherIsWatchedOn(String who) {
        await().atMost(Duration.ofSeconds(30)).until(() -> !warnings().isEmpty());
        int before = looksAtOther.get();
        await().atMost(Duration.ofSeconds(30)).until(() -> looksAtOther.get() > before + 10);
        assertThat(warnings()).singleElement().asString().contains("has not answered for 3 s", who);
    }

    private void checkThatBothAreWatchedAgain() {
        silence.countDown();
        await().atMost(Duration.ofSeconds(30)).until(() -> warnings().size() > 1);
        PoolWatch mine = round.pools().all().stream()
                .filter(watch -> watch.name().equals("mine"))
                .findFirst()
                .orElseThrow();
        int before = mine.windows().size();
        await().atMost(Duration.ofSeconds(30)).until(() -> mine.windows().size() > before + 1);
        assertThat(warnings()).hasSize(2).last().asString().contains("answers again");
    }

    @Test
    void round_queueThatNeverSaysItsSize_leavesThatPoolAloneUntilItDoes() {
        InstrumentedThreadPoolExecutor pool =
                new InstrumentedThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new SilentQueue(silence));
        CountDownLatch task = new CountDownLatch(1);
        try {
            pool.execute(() -> SilentQueue.await(task)); // a pool without tasks is asleep, and has no windows
            round.pools().add(PoolSource.of(pool), "mine");
            thread.ensureRunning();

            checkThatTheOtherIsWatchedOn(SilentQueue.class.getName());
            checkThatBothAreWatchedAgain();
        } finally {
            silence.countDown();
            task.countDown();
            pool.shutdownNow();
        }
    }

    @Test
    void round_executorThatNeverSaysItsSize_leavesThatPoolAloneUntilItDoes() {
        FakeClock clock = new FakeClock();
        FakePool pool = new FakePool("mine", clock) {
            @Override
            public PoolSnapshot snapshot() {
                SilentQueue.await(silence);
                clock.pass(Duration.ofMillis(50));
                return super.snapshot();
            }
        };
        Executor executor = Runnable::run;
        pool.executor = executor;
        round.pools().add(pool, "mine");
        thread.ensureRunning();

        checkThatTheOtherIsWatchedOn(executor.getClass().getName());
        checkThatBothAreWatchedAgain();
    }

    /** A question is what needs a further thread. */
    @Test
    void round_queueOfTheJdk_isAskedWithoutAFurtherThread() {
        InstrumentedThreadPoolExecutor pool =
                new InstrumentedThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        InstrumentedThreadPoolExecutor withUsersQueue =
                new InstrumentedThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new SilentQueue(silence));
        try {
            assertThat(FirstQuestion.of(PoolSource.of(pool), true)).isNull();
            assertThat(FirstQuestion.of(PoolSource.of(withUsersQueue), true)).isNotNull();
        } finally {
            silence.countDown();
            pool.shutdownNow();
            withUsersQueue.shutdownNow();
        }
    }

    @Test
    void listenerThatDoesNotReturn_isToldOfAllOnceItDoes() {
        List<String> told = new CopyOnWriteArrayList<>();
        List<String> toldOther = new CopyOnWriteArrayList<>();
        settings.rules().add(new OnAndOff());
        settings.listeners().add(new Scribe(told, silence));
        settings.listeners().add(new Scribe(toldOther, new CountDownLatch(0)));
        thread.ensureRunning();

        checkThatTheOtherIsWatchedOn(Scribe.class.getName());
        await().atMost(Duration.ofSeconds(30)).until(() -> toldOther.size() > 2);
        assertThat(told).isEmpty();
        silence.countDown();
        await().atMost(Duration.ofSeconds(30)).until(() -> warnings().size() > 1);
        assertThat(warnings()).hasSize(2).last().asString().contains("answers again");
        assertThat(told).startsWith(toldOther.subList(0, 2).toArray(String[]::new));
    }

    @Test
    void ruleThatDoesNotReturn_isUnknownUntilItDoes() {
        settings.rules().add(new OnAndOff() {
            @Override
            public Verdict examine(PoolWindow window) {
                SilentQueue.await(silence);
                return Verdict.clear();
            }
        });
        thread.ensureRunning();

        checkThatTheOtherIsWatchedOn(getClass().getName());
        silence.countDown();
        await().atMost(Duration.ofSeconds(30)).until(() -> warnings().size() > 1);
        assertThat(warnings()).hasSize(2).last().asString().contains("answers again");
    }

    /** Finds something in three windows of a pool, and nothing in its next three. */
    private static class OnAndOff implements Rule {
        private final Map<String, Integer> windows = new ConcurrentHashMap<>();

        @Override
        public Set<String> ids() {
            return Set.of("on-and-off");
        }

        @Override
        public Verdict examine(PoolWindow window) {
            return windows.merge(window.pool(), 1, Integer::sum) % 6 < 3
                    ? Verdict.found(Finding.of("on-and-off", window)
                            .severity(Severity.INFO)
                            .summary("on")
                            .advice("off")
                            .build())
                    : Verdict.clear();
        }
    }

    private record Scribe(List<String> told, CountDownLatch silence) implements FindingListener {
        @Override
        public void raised(Finding finding) {
            SilentQueue.await(silence);
            told.add("raised");
        }

        @Override
        public void resolved(Finding finding) {
            SilentQueue.await(silence);
            told.add("resolved");
        }
    }
}
