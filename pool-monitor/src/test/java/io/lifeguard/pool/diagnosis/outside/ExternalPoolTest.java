package io.lifeguard.pool.diagnosis.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.RejectionReason;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.external.PoolGauges;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.os.NamedThreads;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pools that are not ours: what is seen of them from outside, and for how long. */
class ExternalPoolTest {

    private static final AtomicInteger NAMES = new AtomicInteger();

    /** As many threads as no pool that other tests left behind. */
    private static final int SIZE = 13;

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Threads of a name of their own, since that is what they are found by. */
    private ThreadPoolExecutor pool(int size) {
        String prefix = "foreign" + "x".repeat(NAMES.incrementAndGet()) + "-";
        AtomicInteger number = new AtomicInteger();
        return fixture.closing(new ThreadPoolExecutor(
                size,
                size,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(10),
                body -> new Thread(body, prefix + number.incrementAndGet())));
    }

    private InstrumentedThreadPoolExecutor ours() {
        return fixture.closing(
                InstrumentedThreadPoolExecutor.named("ours").size(1).build());
    }

    private static PoolMonitor.Builder monitor() {
        return PoolMonitor.builder()
                .window(Duration.ofMillis(20))
                .grace(Duration.ZERO)
                .onlyRules(List.of());
    }

    @Test
    void snapshot_threadPool_saysWhatItsGettersSayAndNoTimes() {
        ThreadPoolExecutor pool = pool(2);
        ExternalThreadPool foreign = new ExternalThreadPool(pool, "theirs", "");
        pool.execute(() -> {});
        await().until(() -> pool.getCompletedTaskCount() == 1);
        fixture.occupy(pool);
        fixture.occupy(pool);
        pool.execute(() -> {});

        PoolSnapshot snapshot = foreign.snapshot();

        assertThat(snapshot.name()).isEqualTo("theirs");
        assertThat(snapshot.size()).isEqualTo(2);
        assertThat(snapshot.active()).isEqualTo(2);
        assertThat(snapshot.queued()).isEqualTo(1);
        assertThat(snapshot.completed()).isEqualTo(1);
        assertThat(snapshot.submitted()).isEqualTo(4);
        assertThat(snapshot.limits()).isEqualTo(new PoolSnapshot.Limits(2, 2, 9));
        assertThat(snapshot.serviceTime().isKnown()).isFalse();
        assertThatThrownBy(() -> snapshot.queueWait().mean()).hasMessageContaining("from outside");
        PoolWindow window = PoolWindow.between(snapshot, foreign.snapshot()).build();
        assertThat(window.busyWorkers()).isEqualTo(2);
        assertThat(window.isSaturated()).isTrue();
    }

    /** With windows so long that the monitor does not come round within the test. */
    @Test
    void pools_oneThatHasTerminated_isListedNoMoreAndItsNameIsFree() throws InterruptedException {
        ThreadPoolExecutor old = pool(1);
        ThreadPoolExecutor next = pool(1);
        try (PoolMonitor monitor = PoolMonitor.builder()
                .window(Duration.ofMinutes(10))
                .onlyRules(List.of())
                .build()) {
            monitor.watch(old, "replaced");
            assertThat(monitor.pools()).extracting(InstrumentedPool::name).contains("replaced");
            old.shutdown();
            assertThat(old.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            assertThat(monitor.pools()).extracting(InstrumentedPool::name).doesNotContain("replaced");

            monitor.watch(next, "replaced");

            assertThat(monitor.pools())
                    .extracting(InstrumentedPool::name)
                    .filteredOn(name -> name.startsWith("replaced"))
                    .containsExactly("replaced");
        }
    }

    /** As Jetty's, which may also start again. */
    @Test
    void pools_executorThatIsNoExecutorService_isListedUntilItsReaderSaysThatItHasEnded() {
        AtomicBoolean ended = new AtomicBoolean();
        Executor theirs = Runnable::run;
        PoolReader<Executor> reader = new PoolReader<>() {
            @Override
            public PoolGauges read(Executor executor) {
                return new PoolGauges(1, 0, 0, 0, 1, 1, 1);
            }

            @Override
            public boolean isTerminated(Executor executor) {
                return ended.get();
            }
        };
        try (PoolMonitor monitor = monitor().build()) {
            monitor.watch(theirs, "ends", reader);
            assertThat(monitor.pools()).extracting(InstrumentedPool::name).contains("ends");
            ended.set(true);
            assertThat(monitor.pools()).extracting(InstrumentedPool::name).doesNotContain("ends");
            await().until(() -> {
                ended.set(false); // it is listed if the monitor has not forgotten it yet
                boolean forgotten =
                        monitor.pools().stream().noneMatch(pool -> pool.name().equals("ends"));
                ended.set(true);
                return forgotten;
            });
            ended.set(false);
            monitor.watch(theirs, "ends", reader);
            assertThat(monitor.pools()).extracting(InstrumentedPool::name).contains("ends");
        }
    }

    /** As of a server that names its threads unlike its pool. */
    @Test
    void blindness_readerDoubtsItsThreads_isThatOfThePool() {
        NamedThreads none = new NamedThreads("no-thread-has-such-a-name-");
        Executor theirs = Runnable::run;
        ExternalExecutor<Executor> watched = new ExternalExecutor<>(theirs, "requests", new PoolReader<>() {
            @Override
            public PoolGauges read(Executor executor) {
                return new PoolGauges(2, 1, 0, 0, 2, 2, 1);
            }

            @Override
            public List<Thread> workers(Executor executor) {
                return none.find(2);
            }

            @Override
            public Optional<String> blindness() {
                return none.doubt();
            }
        });
        for (int look = 0; look < 20; look++) {
            assertThat(watched.workers()).isEmpty();
        }
        assertThat(watched.blindness())
                .hasValue("the pool has 2 threads, and the names of 0 begin with 'no-thread-has-such-a-name-'");
    }

    @Test
    void workers_threadsAlikeInName_areFoundWithWhatTheyDo() {
        ThreadPoolExecutor pool = pool(SIZE);
        pool.prestartAllCoreThreads();
        ExternalThreadPool foreign = new ExternalThreadPool(pool, "theirs", "");
        fixture.eventually(
                "all idle",
                () -> foreign.workers().size() == SIZE
                        && foreign.workers().stream().allMatch(WorkerState::idle));

        for (int i = 0; i < SIZE; i++) {
            fixture.occupy(pool);
        }

        assertThat(foreign.workers()).hasSize(SIZE).allMatch(WorkerState::busy).noneMatch(WorkerState::idle);
        assertThat(foreign.workers())
                .extracting(worker -> worker.thread().getName())
                .allMatch(name -> name.startsWith("foreign"));
    }

    @Test
    void workers_twoPoolsOfOneNameAndSize_areNotGuessed() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor one = pool(SIZE);
        ThreadPoolExecutor other = fixture.closing(new ThreadPoolExecutor(
                SIZE,
                SIZE,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                body -> new Thread(body, "alike-" + number.incrementAndGet())));
        one.setThreadFactory(other.getThreadFactory());
        one.prestartAllCoreThreads();
        other.prestartAllCoreThreads();

        for (int i = 0; i < 20; i++) {
            assertThat(new ExternalThreadPool(one, "one", "").workers()).isEmpty();
        }
    }

    /** Every pool of the JDK's default factory has another name, and many have as many threads. */
    @Test
    void workers_severalPoolsOfOneSize_areThoseWhoseNamesBeginWithThePools() {
        ThreadPoolExecutor one = pool(2);
        ThreadPoolExecutor other = pool(2);
        one.prestartAllCoreThreads();
        other.prestartAllCoreThreads();
        String name = "foreign" + "x".repeat(NAMES.get()) + "-";

        ExternalThreadPool foreign = new ExternalThreadPool(other, name, "");
        fixture.eventually("both workers", () -> foreign.workers().size() == 2);

        assertThat(foreign.workers())
                .extracting(worker -> worker.thread().getName())
                .allMatch(thread -> thread.startsWith(name));
        for (int i = 0; i < 20; i++) {
            assertThat(new ExternalThreadPool(one, "theirs", "").workers()).isEmpty();
        }
    }

    /** A pool's only worker has not reached its pool's code yet, and another pool has one, too. */
    @Test
    void workers_threadThatIsStarting_delaysTheGuess() {
        ThreadPoolExecutor other = pool(1);
        other.prestartAllCoreThreads();
        AtomicBoolean begun = new AtomicBoolean();
        ThreadPoolExecutor pool = fixture.closing(new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), body -> new Thread(body, "starting-1") {
                    @Override
                    public StackTraceElement[] getStackTrace() {
                        return begun.get() ? super.getStackTrace() : new StackTraceElement[0];
                    }
                }));
        pool.prestartAllCoreThreads();

        ExternalThreadPool foreign = new ExternalThreadPool(pool, "starting", "");
        for (int i = 0; i < 10; i++) {
            assertThat(foreign.workers()).isEmpty();
        }

        begun.set(true);
        fixture.eventually(
                "its worker",
                () -> foreign.workers().stream()
                        .anyMatch(worker -> worker.thread().getName().equals("starting-1")));
    }

    @Test
    void watch_wrongArguments_areNamed() {
        ThreadPoolExecutor pool = pool(1);
        try (PoolMonitor monitor = monitor().build()) {
            assertThatThrownBy(() -> monitor.watch((ThreadPoolExecutor) null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("pool must not be null");
            assertThatThrownBy(() -> monitor.watch(pool, (String) null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("name must not be null");
            for (ThreadPoolExecutor each : List.of(pool, ours())) {
                assertThatThrownBy(() -> monitor.watch(each, " "))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("name must not be blank (was \" \")");
            }
        }
    }

    /** Its steals are not the tasks that it completed. */
    @Test
    void snapshot_forkJoinPool_doesNotCountTasksAndKnowsItsThreads() {
        ForkJoinPool pool = fixture.closing(new ForkJoinPool(2));
        ExternalForkJoinPool foreign = new ExternalForkJoinPool(pool, "fork-join");
        PoolSnapshot before = foreign.snapshot();
        for (int i = 0; i < 10; i++) {
            pool.submit(() -> {}).join();
        }
        fixture.eventually("the steals are counted", () -> pool.getStealCount() == 10);
        fixture.occupy(pool);

        PoolSnapshot after = foreign.snapshot();
        assertThat(after.active()).isPositive();
        assertThat(after.countsTasks()).isFalse();
        assertThat(after.toString()).contains("submitted unknown, completed unknown");
        PoolWindow window = PoolWindow.between(before, after).build();
        assertThat(window.countsTasks()).isFalse();
        assertThat(window.completed()).isZero();
        assertThat(foreign.workers())
                .isNotEmpty()
                .allMatch(worker -> worker.thread().getName().contains("ForkJoinPool"));
    }

    @Test
    void discards_policiesOfTheJdk_areKnown() {
        assertThat(discards(new ThreadPoolExecutor.DiscardPolicy())).isEqualTo(RejectionReason.DISCARDED);
        assertThat(discards(new ThreadPoolExecutor.DiscardOldestPolicy())).isEqualTo(RejectionReason.DISCARDED_OLDEST);
        assertThat(discards(new ThreadPoolExecutor.AbortPolicy())).isNull();
        assertThat(discards((task, executor) -> {})).isNull();
        assertThat(discards(new ThreadPoolExecutor.DiscardPolicy() {}))
                .as("a user's")
                .isNull();
    }

    private RejectionReason discards(RejectedExecutionHandler policy) {
        ThreadPoolExecutor pool = pool(1);
        pool.setRejectedExecutionHandler(policy);
        return new ExternalThreadPool(pool, "full", "").discards();
    }

    /** The dispatcher runs a task while one of two workers idles, and is looked at after each second. */
    @Test
    void snapshot_dispatcherRunsATask_isSeen() {
        AtomicLong clock = new AtomicLong();
        ThreadPoolExecutor pool = pool(2);
        pool.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
        ExternalThreadPool foreign =
                new ExternalThreadPool(pool, "foreign" + "x".repeat(NAMES.get()) + "-", "", clock::get);
        Gate tasks = fixture.gate();
        Gate own = fixture.gate();
        for (int i = 0; i < 12; i++) {
            pool.execute(passing(tasks));
        }
        Thread dispatcher = fixture.thread("the-dispatcher", () -> pool.execute(passing(own)));
        fixture.await("the dispatcher's task", own.arrived());

        fixture.eventually("the dispatcher is found", () -> {
            clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
            foreign.workers();
            return !foreign.snapshot().saturation().callers().isEmpty();
        });
        for (int i = 0; i < 4; i++) {
            clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(500));
            foreign.workers();
        }

        PoolSnapshot.Caller caller = foreign.snapshot().saturation().callers().get(0);
        assertThat(caller.thread()).isEqualTo(dispatcher.getName());
        assertThat(caller.runs()).isEqualTo(5);
        assertThat(caller.time()).hasSeconds(2);
        assertThat(caller.idleWorkers()).as("both workers run a task").isZero();

        own.open();
        fixture.eventually("the end of the dispatcher's task", () -> !dispatcher.isAlive());
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        foreign.workers();
        assertThat(foreign.snapshot().saturation().callers().get(0).time())
                .as("it runs none now")
                .hasSeconds(2);
        tasks.open();
    }

    /** Each is the same code. */
    private static Runnable passing(Gate gate) {
        return () -> gate.passUninterruptibly();
    }

    /** Another pool's dispatcher runs another task. */
    @Test
    void snapshot_dispatcherOfAnotherPool_isNotTakenForIts() {
        AtomicLong clock = new AtomicLong();
        ThreadPoolExecutor pool = pool(1);
        pool.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
        ThreadPoolExecutor other = fixture.closing(new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>(), new ThreadPoolExecutor.CallerRunsPolicy()));
        ExternalThreadPool foreign =
                new ExternalThreadPool(pool, "foreign" + "x".repeat(NAMES.get()) + "-", "", clock::get);
        Gate own = fixture.gate();
        fixture.occupy(pool);
        fixture.occupy(other);
        fixture.thread("other-dispatcher", () -> other.execute(passing(own)));
        fixture.await("the dispatcher's task", own.arrived());

        for (int i = 0; i < 50; i++) {
            clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
            foreign.workers();
            assertThat(foreign.snapshot().saturation().callers()).isEmpty();
        }
        assertThat(foreign.workers()).hasSize(1);
    }

    @Test
    void watch_threadPool_findingsAreThoseOfItsExecutor() {
        ThreadPoolExecutor pool = pool(1);
        Rule found = window -> Verdict.found(
                Finding.of("seen", window).summary("%s", window.pool()).build());
        try (PoolMonitor monitor = monitor().rule(found).build()) {
            monitor.watch(pool, "theirs");
            monitor.watch(pool, "again");
            fixture.eventually("finding", () -> !monitor.findings(pool).isEmpty());

            assertThat(monitor.findings(pool)).extracting(Finding::summary).containsExactly("theirs");
            assertThat(monitor.windows("again")).isEmpty();

            pool.shutdown();
            fixture.eventually("end", () -> monitor.findings(pool).isEmpty());
        }
    }

    @Test
    void watch_poolOfOurs_isWatchedUnderItsOwnName() {
        InstrumentedThreadPoolExecutor pool = fixture.closing(
                InstrumentedThreadPoolExecutor.named("ours-watched").build());
        try (PoolMonitor monitor = monitor().build()) {
            monitor.watch(pool, "other");
            fixture.eventually("window", () -> !monitor.windows("ours-watched").isEmpty());

            assertThat(monitor.windows("other")).isEmpty();
        }
    }

    /** It would never be taken off the list again. */
    @Test
    void watch_afterTheEnd_watchesNothing() {
        ThreadPoolExecutor pool = pool(1);
        PoolMonitor monitor = monitor().build();
        monitor.close();

        monitor.watch(pool, "too-late");

        assertThat(monitor.pools()).isEmpty();
    }

    @Test
    void watch_poolThatNobodyKeeps_isCollected() {
        try (PoolMonitor monitor = monitor().build()) {
            WeakReference<ThreadPoolExecutor> reference = watched(monitor);

            fixture.collected("watched pool", reference);
        }
    }

    private static WeakReference<ThreadPoolExecutor> watched(PoolMonitor monitor) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        monitor.watch(pool, "nobody's");
        return new WeakReference<>(pool);
    }

    /** An executor of another library: no {@code ThreadPoolExecutor}, no {@code ExecutorService}. */
    private record Odd(int busy) implements Executor {
        @Override
        public void execute(Runnable command) {}
    }

    @Test
    void watch_executorOfNoKnownKind_isReadByItsReader() {
        Odd odd = new Odd(3);
        try (PoolMonitor monitor = monitor().build()) {
            monitor.watch(odd, "odd", executor -> new PoolGauges(4, executor.busy(), 5, 6, 4, 8, 11));

            assertThat(monitor.pools())
                    .filteredOn(pool -> pool.name().equals("odd"))
                    .singleElement()
                    .satisfies(pool -> {
                        PoolSnapshot snapshot = pool.snapshot();
                        assertThat(snapshot.active()).isEqualTo(3);
                        assertThat(snapshot.queued()).isEqualTo(5);
                        assertThat(snapshot.submitted()).isEqualTo(3 + 5 + 6);
                        assertThat(snapshot.limits().maximumSize()).isEqualTo(8);
                        assertThat(snapshot.serviceTime().isKnown()).isFalse();
                        assertThat(pool.workers()).isEmpty();
                    });
            await().until(() -> !monitor.windows("odd").isEmpty());
            assertThat(monitor.findings("odd")).isEmpty();
        }
    }

    @Test
    void pools_oursAndForeign_areBothThere() {
        InstrumentedThreadPoolExecutor ours = fixture.closing(
                InstrumentedThreadPoolExecutor.named("pools-ours").build());
        ThreadPoolExecutor theirs = pool(1);
        try (PoolMonitor monitor = monitor().build()) {
            monitor.watch(theirs, "pools-theirs");

            assertThat(monitor.pools()).extracting(pool -> pool.name()).contains(ours.name(), "pools-theirs");
        }
    }

    /** A user's pool whose every getter throws, {@code isTerminated} among them: no other pool is affected. */
    @Test
    void pools_oneWhoseGettersThrow_hidesNoOther() {
        ThreadPoolExecutor theirs = pool(1);
        ThreadPoolExecutor hostile = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
            @Override
            public boolean isTerminated() {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public boolean isShutdown() {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public int getPoolSize() {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public long getCompletedTaskCount() {
                throw new StackOverflowError("on purpose");
            }
        };
        try (PoolMonitor monitor = monitor().build()) {
            monitor.watch(hostile, "pools-hostile");
            monitor.watch(theirs, "pools-theirs");

            assertThat(monitor.pools()).extracting(pool -> pool.name()).contains("pools-hostile", "pools-theirs");
            assertThat(monitor.findings()).isEmpty();
            assertThat(monitor.windows("pools-hostile")).isEmpty();
            await().until(() -> !monitor.windows("pools-theirs").isEmpty());

            InstrumentedPool seen = monitor.pools().stream()
                    .filter(pool -> pool.name().equals("pools-hostile"))
                    .findFirst()
                    .orElseThrow();
            assertThatThrownBy(seen::snapshot)
                    .as("who asks for the very pool is told what it says")
                    .isInstanceOf(StackOverflowError.class);
        } finally {
            hostile.shutdownNow();
        }
    }
}
