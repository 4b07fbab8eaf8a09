package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.FakePool;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The thread itself, in real time, over a pool that a test makes come and go. */
class MonitorThreadTest {

    private final MonitorSettings settings = new MonitorSettings();
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicLong leap = new AtomicLong(); // of the clock, in nanoseconds
    private final AtomicInteger failures = new AtomicInteger(); // of the clock, to come
    private volatile Error failure = new OutOfMemoryError("on purpose");
    private final AtomicReference<Thread> seen = new AtomicReference<>();
    private final AtomicReference<Object> inherited = new AtomicReference<>();
    private final AtomicReference<ClassLoader> loader = new AtomicReference<>();
    private MonitorRound round;
    private MonitorThread thread;

    private static final InheritableThreadLocal<Object> LOCAL = new InheritableThreadLocal<>();

    private final Logger logger = TestLoggers.logger("io.lifeguard.pool.diagnosis");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void make() {
        lines.list = new CopyOnWriteArrayList<>(); // the monitor's thread writes while a test reads
        lines.start();
        logger.addAppender(lines);
        settings.window(Duration.ofMillis(10));
        settings.discoversRules(false);
        round = new MonitorRound(
                settings, MonitorClock.SYSTEM, EvidenceSources.ofThisMachine(MonitorClock.SYSTEM), finding -> {});
        thread = new MonitorThread(round, new MonitorClock() {
            @Override
            public long nanoTime() {
                if (failures.get() > 0 && failures.getAndDecrement() > 0) {
                    throw failure;
                }
                return System.nanoTime() + leap.get();
            }

            @Override
            public Instant now() {
                return Instant.now();
            }
        });
    }

    @AfterEach
    void end() {
        thread.close();
        await().until(() -> !thread.isRunning());
        logger.detachAppender(lines);
    }

    private AtomicBoolean pool(String name) {
        AtomicBoolean collected = new AtomicBoolean();
        FakeClock clock = new FakeClock();
        FakePool pool = new FakePool(name, clock) {
            @Override
            public PoolSnapshot snapshot() {
                rounds.incrementAndGet();
                seen.set(Thread.currentThread());
                inherited.set(LOCAL.get());
                loader.set(Thread.currentThread().getContextClassLoader());
                clock.pass(Duration.ofMillis(10));
                return super.snapshot();
            }
        };
        pool.collected = collected;
        round.pools().add(pool, name);
        thread.ensureRunning();
        return collected;
    }

    /** Without an answer to that, the thread would wait for an hour. */
    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void thread_clockLeapsByAnHour_goesOn(int hours) {
        pool("one");
        await().until(() -> rounds.get() > 3);

        leap.set(Duration.ofHours(hours).toNanos());
        int before = rounds.get();

        await().until(() -> rounds.get() > before + 5);
    }

    @Test
    void thread_noPool_doesNotStart() {
        thread.ensureRunning();

        assertThat(thread.isRunning()).isFalse();
    }

    @Test
    void thread_lastPoolEnds_endsAndStartsAgainWithTheNext() {
        AtomicBoolean first = pool("first");
        await().until(() -> rounds.get() > 3);
        Thread before = seen.get();
        assertThat(before.isDaemon()).isTrue();
        assertThat(before.getName()).isEqualTo("lifeguard-monitor");

        first.set(true);
        await().until(() -> !thread.isRunning() && !before.isAlive());

        int then = rounds.get();
        pool("second");
        await().until(() -> rounds.get() > then + 3);
        assertThat(seen.get()).isNotSameAs(before);
    }

    @Test
    void thread_isInterrupted_goesOn() {
        pool("one");
        await().until(() -> rounds.get() > 1);
        seen.get().interrupt();
        int then = rounds.get();

        await().until(() -> rounds.get() > then + 3);
    }

    /** The thread's own code fails, which no guard protects. */
    @Test
    void thread_ownWorkFails_goesOnAndReportsOnce() {
        goesOnAfter(new OutOfMemoryError("on purpose"));
    }

    /** An error of linkage is no sign of a closed class loader while that loader has the library's files. */
    @Test
    void thread_classOfAUserIsMissing_goesOnAndReportsOnce() {
        goesOnAfter(new NoClassDefFoundError("on purpose"));
    }

    private void goesOnAfter(Error failure) {
        this.failure = failure;
        pool("one");
        await().until(() -> rounds.get() > 1);
        Thread before = seen.get();

        failures.set(3);
        await().until(() -> failures.get() <= 0);

        int then = rounds.get();
        await().until(() -> rounds.get() > then + 3);
        assertThat(seen.get()).isSameAs(before);
        await().untilAsserted(() -> assertThat(List.copyOf(lines.list))
                .filteredOn(line -> line.getLevel() == Level.WARN)
                .extracting(ILoggingEvent::toString)
                .filteredOn(line -> line.contains("MonitorRound")) // other tests' rules are loaded in this JVM, too
                .singleElement()
                .asString()
                .contains(failure.getClass().getName(), "on purpose"));
    }

    @Test
    void thread_windowShortened_doesNotWaitForTheLongOne() {
        settings.window(Duration.ofMinutes(10));
        pool("one");
        assertThat(rounds).as("a starved monitor looks once at once").hasValueLessThanOrEqualTo(1);

        settings.window(Duration.ofMillis(10));
        thread.wake();

        await().until(() -> rounds.get() > 2);
    }

    /** The application that makes the first pool may be unloaded later. */
    @Test
    void thread_startedByAnApplication_keepsNoReferenceToIt() throws Exception {
        try (URLClassLoader applications = new URLClassLoader(new URL[0])) {
            Thread application = new Thread(new ThreadGroup("application"), () -> {
                LOCAL.set("inherited");
                Thread.currentThread().setContextClassLoader(applications);
                pool("one");
            });
            application.start();
            application.join();

            await().until(() -> rounds.get() > 1);
            assertThat(inherited).hasValue(null);
            assertThat(loader.get()).isNotSameAs(applications);
            assertThat(seen.get().getThreadGroup().getParent())
                    .as("the topmost group")
                    .isNull();
        }
    }
}
