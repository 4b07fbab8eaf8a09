package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.diagnosis.evidence.stack.StackShares;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSource;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.FakePool;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Awaited.Lock;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.io.IOException;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real workers, each held in one state by a lock, a gate or a socket. */
class PoolEvidenceTest {

    private final Fixture fixture = new Fixture();
    private final InstrumentedThreadPoolExecutor pool = fixture.closing(
            InstrumentedThreadPoolExecutor.named("looked-at").size(4).build());
    private final Looking looking = new Looking(pool);

    @AfterEach
    void close() {
        fixture.close();
    }

    // ---- each activity ----

    @Test
    void close_nobodyLooked_allIsUnknown() {
        pool.prestartAllCoreThreads();

        TimeBreakdown breakdown = looking.close().breakdown();

        assertThat(breakdown.looks()).isZero();
        assertThat(breakdown.unknown()).isEqualTo(4);
    }

    @Test
    void look_idleWorkers_areIdleWithoutStacks() {
        pool.prestartAllCoreThreads();

        TimeBreakdown breakdown = awaitWorkers(Doing.IDLE, 4);

        assertThat(breakdown.shares()).hasSize(1);
        assertThat(breakdown.stacks()).isZero();
        assertThat(breakdown.workers(Doing.IDLE).low()).isEqualTo(4);
    }

    /** Ten looks of a monitor that waits for CPUs take seconds, in which a young pool grows. */
    @Test
    void look_poolHasGrownAndListIsHalfASecondOld_seesTheNewWorkers() {
        pool.prestartCoreThread();
        awaitWorkers(Doing.IDLE, 1);
        assertThat(looking.looks(1).workers()).isEqualTo(1);
        pool.prestartAllCoreThreads();
        await().until(() -> pool.workers().stream().filter(WorkerState::idle).count() == 4);
        looking.looks(1);

        assertThat(looking.looks(1).workers()).isEqualTo(4);
    }

    /** Its workers were listed six times before. */
    @Test
    void look_poolThatIsIdle_isLookedAtInOneOfFiveMomentsThatCountsForAll() {
        Object queue = new Object();
        AtomicBoolean ended = new AtomicBoolean();
        Thread thread = fixture.thread(() -> {
            while (!ended.get()) {
                LockSupport.park(queue);
            }
        });
        await().until(() -> LockSupport.getBlocker(thread) == queue && thread.getState() == Thread.State.WAITING);
        AtomicInteger lists = new AtomicInteger();
        FakeClock clock = new FakeClock();
        FakePool idle = new FakePool("idle", clock) {
            @Override
            public List<WorkerState> workers() {
                lists.incrementAndGet();
                return List.of(new WorkerState(
                        thread, OptionalLong.empty(), false, true, Optional.of("kind"), Duration.ZERO, 1));
            }
        };
        PoolEvidence evidence = new PoolEvidence(
                "idle",
                new StackSampler(
                        StackSource.ofThisJvm(),
                        new EvidenceBudget(() -> 0, clock::nanoTime),
                        new StackShares(),
                        clock::nanoTime),
                resource -> Optional.empty(),
                new BusyThreads(clock::nanoTime, List::of));

        for (int i = 0; i < 59; i++) {
            evidence.look(idle, false, false, new AwaitedTasks(List.of()));
        }
        TimeBreakdown breakdown = evidence.close(
                        PoolWindow.between(idle.snapshot(), idle.snapshot()).build())
                .breakdown();

        assertThat(lists).hasValueLessThanOrEqualTo(2);
        assertThat(evidence.hasWork()).isFalse();
        assertThat(breakdown.looks()).isEqualTo(59);
        assertThat(breakdown.workers(Doing.IDLE)).isEqualTo(Estimate.exactly(1));
        ended.set(true);
        LockSupport.unpark(thread);
    }

    @Test
    void look_blockedOnMonitor_namesLockHolderAndLine() {
        Object monitor = new Object();
        holdMonitor(monitor, fixture.gate());
        for (int i = 0; i < 3; i++) {
            pool.execute(() -> enter(monitor));
        }
        fixture.thread("outsider", () -> enter(monitor));

        Share share = awaitLock(3, 1);

        Lock lock = lock(share);
        assertThat(lock.monitor()).isTrue();
        assertThat(lock.name()).isEqualTo("java.lang.Object@" + Integer.toHexString(System.identityHashCode(monitor)));
        assertThat(lock.owner()).contains("keeper");
        assertThat(UserFrames.place(lock.ownerStack())).contains("Gate.pass");
        assertThat(share.place()).contains("PoolEvidenceTest.enter(PoolEvidenceTest.java:");
    }

    @Test
    void look_blockedOnStaticSynchronized_namesTheClass() {
        holdMonitor(OnlyOne.class, fixture.gate());
        pool.execute(OnlyOne::enter);
        pool.execute(OnlyOne::enter);

        Share share = awaitLock(2, 0);

        assertThat(lock(share).name()).isEqualTo("class " + OnlyOne.class.getName());
        assertThat(share.place()).contains("OnlyOne.enter");
        assertThat(lock(share).owner()).contains("keeper");
    }

    /** No frame on the waiters' stacks is of that class. */
    @Test
    void look_blockedOnAnotherClass_isCalledWhatTheJdkCallsIt() {
        holdMonitor(OnlyOne.class, fixture.gate());
        pool.execute(() -> enter(OnlyOne.class));

        assertThat(lock(awaitLock(1, 0)).name())
                .isEqualTo("java.lang.Class@" + Integer.toHexString(System.identityHashCode(OnlyOne.class)));
    }

    private static final class OnlyOne {
        static synchronized void enter() {
            Thread.onSpinWait();
        }
    }

    @Test
    void look_blockedOnReentrantLock_namesHolder() {
        ReentrantLock lock = new ReentrantLock(true);
        holdWithWorkers(lock, lock);

        Share share = awaitLock(2, 0);

        assertThat(lock(share).monitor()).isFalse();
        assertThat(lock(share).owner()).contains("keeper");
        assertThat(lock(share).ownerStack()).isNotEmpty();
    }

    @Test
    void look_blockedOnReadLock_namesHolder() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        holdWithWorkers(lock.writeLock(), lock.readLock());

        assertThat(lock(awaitLock(2, 0)).owner()).contains("keeper");
    }

    @Test
    void look_blockedOnStampedLock_countsWaitersWithoutHolder() {
        StampedLock lock = new StampedLock();
        holdWithWorkers(lock.asWriteLock(), lock.asReadLock());

        assertThat(lock(awaitLock(2, 0)).owner()).isEmpty();
    }

    @Test
    void look_waitsForSocket_isOutside() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            pool.submit(() -> receive(client));

            TimeBreakdown breakdown = awaitWorkers(Doing.WAITING_OUTSIDE, 1);

            assertThat(breakdown.places(Doing.WAITING_OUTSIDE))
                    .singleElement()
                    .satisfies(share -> assertThat(share.place()).contains("PoolEvidenceTest.receive"));
            accepted.getOutputStream().write(1);
            awaitWorkers(Doing.IDLE, 1);
        }
    }

    @Test
    void look_computing_computes() {
        AtomicBoolean stop = new AtomicBoolean();
        pool.execute(() -> {
            while (!stop.get()) {
                Thread.onSpinWait();
            }
        });
        try {
            awaitWorkers(Doing.COMPUTING, 1);
        } finally {
            stop.set(true);
        }
    }

    /** None of these waits is one for something outside. */
    @Test
    void look_waitsWithoutLock_areToldApart() {
        BlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
        Object notified = new Object();
        pool.submit(queue::take);
        pool.submit(() -> {
            synchronized (notified) {
                notified.wait(); // interrupted at the end
            }
            return "";
        });
        pool.submit(() -> {
            Thread.sleep(Duration.ofHours(1).toMillis()); // interrupted at the end
            return "";
        });
        pool.submit(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1)); // as rate limiters do
            }
        });

        await().until(
                        () -> looking.looks(1),
                        seen -> seen.workers(Doing.WAITING_IN_LINE).value() == 2
                                && seen.workers(Doing.SLEEPING).value() == 2);
        assertThat(looking.looks(1).workers(Doing.WAITING_OUTSIDE).value()).isZero();
        assertThat(looking.looks(1).unknown()).isZero();
        pool.shutdownNow();
    }

    @Test
    void look_longRunners_haveTheirStacks() {
        Gate gate = fixture.gate();
        pool.submit(gate::passUninterruptibly);
        awaitWorkers(Doing.WAITING_FOR_RESULT, 1);

        Thread worker = pool.workers().get(0).thread();

        assertThat(looking.looks(1).stackOf(worker.getId()))
                .anySatisfy(frame -> assertThat(frame.getMethodName()).isEqualTo("passUninterruptibly"));
    }

    // ---- lines ----

    /** Two of four have a permit and are past the line. */
    @Test
    void look_semaphore_isALineWithThoseServed() {
        Semaphore permits = new Semaphore(2);
        Gate served = fixture.gate();
        for (int i = 0; i < 4; i++) {
            pool.submit(() -> {
                permits.acquire();
                served.pass();
                return "";
            });
        }

        Awaited.Line line = (Awaited.Line) await().until(
                        () -> looking.looks(3).places(Doing.WAITING_IN_LINE).findFirst(),
                        share -> share.isPresent()
                                && share.get().workers().value() == 2
                                && ((Awaited.Line) share.get().awaited().orElseThrow())
                                        .served()
                                        .isPresent())
                .orElseThrow()
                .awaited()
                .orElseThrow();

        assertThat(line.name()).matches("java\\.util\\.concurrent\\.Semaphore@[0-9a-f]+");
        assertThat(line.served()).hasValue(2);
        assertThat(line.capacity()).isEmpty();
        assertThat(line.limited()).isTrue();
        permits.release(4);
    }

    /** Two of four have a connection of a pool that is built on a condition, and are past the line. */
    @Test
    void look_poolOnACondition_isALimitedLineWithThoseServed() {
        ConnectionPool connections = new ConnectionPool(2);
        Gate served = fixture.gate();
        for (int i = 0; i < 4; i++) {
            pool.submit(() -> {
                connections.take();
                served.pass();
                return "";
            });
        }

        Share share = await().until(
                        () -> looking.looks(3).places(Doing.WAITING_IN_LINE).findFirst(),
                        found -> found.isPresent()
                                && found.get().workers().value() == 2
                                && ((Awaited.Line) found.get().awaited().orElseThrow())
                                        .served()
                                        .isPresent())
                .orElseThrow();

        Awaited.Line line = (Awaited.Line) share.awaited().orElseThrow();
        assertThat(line.name())
                .matches(Pattern.quote(ConnectionPool.class.getName()) + " \\(ConditionObject@[0-9a-f]+\\)");
        assertThat(line.limited()).isTrue();
        assertThat(line.served()).hasValue(2);
        connections.give();
        connections.give();
    }

    /** Lends a number of connections, as pools do that know no queue of the JDK's. */
    private static final class ConnectionPool {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition given = lock.newCondition();
        private int free;

        ConnectionPool(int size) {
            free = size;
        }

        void take() throws InterruptedException {
            lock.lock();
            try {
                while (free == 0) {
                    given.await();
                }
                free--;
            } finally {
                lock.unlock();
            }
        }

        void give() {
            lock.lock();
            try {
                free++;
                given.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    /** A full queue is a limit, and an empty one is none. */
    @Test
    void look_queue_isLimitedIfItIsFull() {
        BlockingQueue<String> full = new ArrayBlockingQueue<>(1);
        full.add("");
        pool.submit(() -> {
            full.put("");
            return "";
        });
        Awaited.Line room = line();
        assertThat(room.name()).isEqualTo("room in a full java.util.concurrent.ArrayBlockingQueue");
        assertThat(room.limited()).isTrue();
        full.clear();

        BlockingQueue<String> empty = new LinkedBlockingQueue<>();
        pool.submit(empty::take);
        await().until(() -> !line().limited());
        empty.add("");
    }

    private Awaited.Line line() {
        return (Awaited.Line) await().until(
                        () -> looking.looks(3).places(Doing.WAITING_IN_LINE).findFirst(),
                        share -> share.flatMap(Share::awaited).isPresent())
                .flatMap(Share::awaited)
                .orElseThrow();
    }

    // ---- locks that change ----

    /** Each load has a node of its own, for which the others wait. */
    @Test
    void look_waitersOfChangingLocks_areOneLock() {
        pool.prestartAllCoreThreads();
        for (int load = 0; load < 4; load++) {
            Object monitor = new Object();
            Gate gate = fixture.gate();
            Thread keeper = holdMonitor(monitor, gate);
            for (int i = 0; i < 3; i++) {
                pool.execute(() -> enter(monitor));
            }
            fixture.eventually("three waiters", () -> blocked() == 3);
            looking.look();
            gate.open();
            fixture.eventually("the keeper's end", () -> !keeper.isAlive() && pool.getActiveCount() == 0);
        }

        TimeBreakdown breakdown = looking.close().breakdown();

        assertThat(breakdown.places(Doing.WAITING_FOR_LOCK)).singleElement().satisfies(share -> {
            assertThat(share.workers().value()).isCloseTo(3, within(0.01));
            assertThat(lock(share).name()).isEqualTo("java.lang.Object");
        });
    }

    @Test
    void look_waitersOfLocksThatLast_areSeveralLocks() {
        for (int i = 0; i < 3; i++) {
            Object monitor = new Object();
            holdMonitor(monitor, fixture.gate());
            pool.execute(() -> enter(monitor));
        }
        fixture.eventually("three waiters", () -> blocked() == 3);

        TimeBreakdown breakdown = looking.looks(4);

        assertThat(breakdown.places(Doing.WAITING_FOR_LOCK)).hasSize(3);
    }

    /** As for the answers of a server, each of which comes to an object of its own. */
    @Test
    void look_eachWorkerWaitsForAnObjectOfItsOwn_isOneGroup() {
        List<BlockingQueue<String>> answers =
                List.of(new LinkedBlockingQueue<>(), new LinkedBlockingQueue<>(), new LinkedBlockingQueue<>());
        answers.forEach(answer -> pool.submit(() -> take(answer)));

        await().untilAsserted(() -> assertThat(looking.looks(3).places(Doing.WAITING_IN_LINE))
                .singleElement()
                .satisfies(share -> assertThat(share.workers().value()).isCloseTo(3, within(0.01))));

        answers.forEach(answer -> answer.add(""));
    }

    private static String take(BlockingQueue<String> answer) throws InterruptedException {
        return answer.take();
    }

    /** Stacks may be too dear in later windows. The census sees the same workers at the same objects. */
    @Test
    void close_noStacksAfterTheFirst_placesAndLockAreCarriedOver() {
        Object monitor = new Object();
        holdMonitor(monitor, fixture.gate());
        Semaphore permits = new Semaphore(0);
        pool.execute(() -> enter(monitor));
        pool.execute(() -> enter(monitor));
        pool.execute(() -> acquire(permits));
        pool.execute(() -> acquire(permits));
        fixture.eventually("all wait", () -> blocked() == 2 && permits.getQueueLength() == 2);
        AtomicBoolean mayTake = new AtomicBoolean(true);
        Looking looks = new Looking(
                pool,
                (ids, depth) -> depth == 0 || mayTake.get()
                        ? StackSource.ofThisJvm().take(ids, depth)
                        : new ThreadInfo[ids.length],
                resource -> Optional.empty());
        looks.looks(4);
        mayTake.set(false);

        for (int window = 0; window < 5; window++) {
            TimeBreakdown later = looks.looks(4);

            assertThat(later.stacks()).isZero();
            assertThat(later.unknown()).isZero();
            assertThat(later.places(Doing.WAITING_FOR_LOCK)).singleElement().satisfies(share -> {
                assertThat(share.place()).contains("PoolEvidenceTest.enter");
                assertThat(share.workers().value()).isEqualTo(2);
                assertThat(lock(share).owner()).contains("keeper");
            });
            assertThat(later.places(Doing.WAITING_IN_LINE)).singleElement().satisfies(share -> {
                assertThat(share.place()).contains("PoolEvidenceTest");
                assertThat(share.workers().low()).isEqualTo(2);
            });
        }
        permits.release(2);
    }

    /** The census is enough to tell how many wait for which object; the place comes with a stack. */
    @Test
    void close_noStackAtAll_tellsMonitorAndBlocker() {
        Object monitor = new Object();
        holdMonitor(monitor, fixture.gate());
        ReentrantLock lock = new ReentrantLock();
        java.util.concurrent.locks.Condition condition = lock.newCondition();
        for (int i = 0; i < 2; i++) {
            pool.execute(() -> enter(monitor));
            pool.execute(() -> {
                lock.lock();
                try {
                    condition.awaitUninterruptibly();
                } finally {
                    lock.unlock();
                }
            });
        }
        fixture.eventually("all wait", () -> blocked() == 2 && waiting(lock, condition) == 2);
        Looking looks = new Looking(
                pool,
                (ids, depth) -> depth == 0 ? StackSource.ofThisJvm().take(ids, 0) : new ThreadInfo[ids.length],
                resource -> Optional.empty());

        TimeBreakdown seen = looks.looks(4);

        assertThat(seen.places(Doing.WAITING_FOR_LOCK)).singleElement().satisfies(share -> {
            assertThat(share.place()).isEmpty();
            assertThat(share.workers().value()).isEqualTo(2);
            assertThat(lock(share).owner()).contains("keeper");
        });
        assertThat(seen.places(Doing.WAITING_IN_LINE)).singleElement().satisfies(share -> {
            assertThat(share.workers().low()).isEqualTo(2);
            assertThat(share.awaited().toString()).contains("ConditionObject");
        });
        lock.lock();
        condition.signalAll();
        lock.unlock();
    }

    private static void acquire(Semaphore permits) {
        permits.acquireUninterruptibly();
    }

    private static int waiting(ReentrantLock lock, java.util.concurrent.locks.Condition condition) {
        lock.lock();
        try {
            return lock.getWaitQueueLength(condition);
        } finally {
            lock.unlock();
        }
    }

    /** Whatever was spent before: a group of workers that is new gets a stack at the next look. */
    @Test
    void look_budgetIsSpent_newGroupIsNamedAtOnce() {
        Semaphore permits = new Semaphore(0);
        pool.execute(() -> acquire(permits));
        pool.execute(() -> acquire(permits));
        fixture.eventually("two wait", () -> permits.getQueueLength() == 2);
        Looking looks = Looking.withoutBudget(pool);

        TimeBreakdown first = looks.looks(1);
        assertThat(first.stacks()).isEqualTo(2);
        assertThat(first.places(Doing.WAITING_IN_LINE))
                .allSatisfy(share -> assertThat(share.place()).contains("PoolEvidenceTest"));
        assertThat(looks.looks(4).stacks()).as("it has a name already").isZero();

        Object monitor = new Object();
        holdMonitor(monitor, fixture.gate());
        pool.execute(() -> enter(monitor));
        fixture.eventually("one is blocked", () -> blocked() == 1);
        assertThat(looks.looks(11).places(Doing.WAITING_FOR_LOCK)) // a new worker is listed after ten looks
                .singleElement()
                .satisfies(share -> assertThat(share.place()).contains("PoolEvidenceTest.enter"));
        permits.release(2);
    }

    @Test
    void look_waitersForAMapsValue_nameTheMapsMethod() {
        java.util.concurrent.ConcurrentHashMap<String, String> map = new java.util.concurrent.ConcurrentHashMap<>();
        Gate gate = fixture.gate();
        fixture.thread(
                "loader",
                () -> map.computeIfAbsent("key", key -> {
                    gate.passUninterruptibly();
                    return "value";
                }));
        fixture.await("the load", gate.arrived());
        for (int i = 0; i < 3; i++) {
            pool.execute(() -> map.computeIfAbsent("key", key -> "mine"));
        }
        fixture.eventually("three waiters", () -> blocked() == 3);

        Share share = awaitLock(3, 0);

        assertThat(lock(share).name()).isEqualTo("a bin of a ConcurrentHashMap (computeIfAbsent)");
        assertThat(lock(share).owner()).contains("loader");
        assertThat(share.place()).contains("PoolEvidenceTest.");
    }

    // ---- class initialisation ----

    /** Where the system does not tell that a thread sleeps, these look like threads that compute. */
    @Test
    @org.junit.jupiter.api.condition.EnabledOnOs(org.junit.jupiter.api.condition.OS.LINUX)
    void look_waitersForAClass_nameTheThreadThatInitialisesIt() {
        Slow.gate = fixture.gate();
        pool.execute(Slow::touch);
        fixture.await("the initialisation", Slow.gate.arrived());
        for (int i = 0; i < 3; i++) {
            pool.execute(PoolEvidenceTest::touchSlow);
        }

        Share share = awaitLock(3, 0);

        assertThat(lock(share).name()).isEqualTo("the initialisation of class " + Slow.Late.class.getName());
        assertThat(lock(share).owner()).isPresent();
        assertThat(share.place()).contains("touchSlow");
    }

    private static void touchSlow() {
        Slow.Late.use();
    }

    private static final class Slow {
        static Gate gate = new Gate();

        static void touch() {
            Late.use();
        }

        private static final class Late {
            static {
                gate.passUninterruptibly();
            }

            static void use() {
                Thread.onSpinWait();
            }
        }
    }

    // ---- numbers ----

    @Test
    void looks_more_addUpAndAreMoreCertain() {
        Object monitor = new Object();
        holdMonitor(monitor, fixture.gate());
        pool.execute(() -> enter(monitor));
        pool.execute(() -> enter(monitor));
        pool.submit(fixture.gate()::passUninterruptibly);
        awaitLock(2, 0);
        awaitWorkers(Doing.WAITING_FOR_RESULT, 1);

        TimeBreakdown few = looking.looks(1);
        TimeBreakdown many = looking.looks(20);

        assertThat(sum(few)).isCloseTo(few.workers(), within(1e-9));
        assertThat(sum(many)).isCloseTo(3, within(1e-9));
        assertThat(many.looks()).isEqualTo(20);
        assertThat(many.stacks()).isEqualTo(60);
        assertThat(many.workers(Doing.WAITING_FOR_LOCK).error())
                .isLessThan(few.workers(Doing.WAITING_FOR_LOCK).error() / 4);
    }

    /** A thread that has ended leaves what its state tells. */
    @Test
    void look_stacksAreNotToBeHad_knowsWhatTheBlockerTells() {
        ReentrantLock lock = new ReentrantLock();
        holdWithWorkers(lock, lock);
        awaitLock(2, 0);
        Looking blind = new Looking(pool, StackSource.NONE, resource -> java.util.Optional.empty());

        TimeBreakdown breakdown = blind.looks(2);

        assertThat(breakdown.stacks()).isZero();
        assertThat(breakdown.workers(Doing.WAITING_FOR_LOCK).value()).isEqualTo(2);
        assertThat(breakdown.places(Doing.WAITING_FOR_LOCK))
                .allSatisfy(share -> assertThat(lock(share).name())
                        .startsWith("java.util.concurrent.locks.ReentrantLock$NonfairSync@"));
    }

    private void holdWithWorkers(java.util.concurrent.locks.Lock held, java.util.concurrent.locks.Lock wanted) {
        Gate gate = fixture.gate();
        fixture.thread("keeper", () -> {
            held.lock();
            try {
                gate.pass();
            } finally {
                held.unlock();
            }
        });
        fixture.await("the lock's holder", gate.arrived());
        for (int i = 0; i < 2; i++) {
            pool.execute(() -> {
                wanted.lock();
                wanted.unlock();
            });
        }
    }

    private Thread holdMonitor(Object monitor, Gate gate) {
        CountDownLatch held = gate.arrived();
        Thread keeper = fixture.thread("keeper", () -> keep(monitor, gate));
        fixture.await("the monitor's holder", held);
        return keeper;
    }

    private long blocked() {
        return pool.workers().stream()
                .filter(worker -> worker.thread().getState() == Thread.State.BLOCKED)
                .count();
    }

    private TimeBreakdown awaitWorkers(Doing doing, int workers) {
        return await().until(() -> looking.looks(1), seen -> seen.workers(doing).value() == workers);
    }

    /** Waits until all workers have reached the lock, and the holder is parked. */
    private Share awaitLock(int waiters, int others) {
        return await().until(
                        () -> looking.looks(1)
                                .places(Doing.WAITING_FOR_LOCK)
                                .filter(share -> share.awaited().isPresent())
                                .findFirst(),
                        found -> found.filter(share -> share.workers().value() == waiters
                                        && lock(share).otherWaiters() == others
                                        && lock(share).owner().isPresent()
                                                == !lock(share).ownerStack().isEmpty())
                                .isPresent())
                .orElseThrow();
    }

    private static Lock lock(Share share) {
        return (Lock) share.awaited().orElseThrow();
    }

    private static double sum(TimeBreakdown breakdown) {
        return breakdown.shares().stream()
                .mapToDouble(share -> share.workers().value())
                .sum();
    }

    private static void keep(Object monitor, Gate gate) throws InterruptedException {
        synchronized (monitor) {
            gate.pass();
        }
    }

    private static void enter(Object monitor) {
        synchronized (monitor) {
            Thread.onSpinWait();
        }
    }

    private static int receive(Socket socket) throws IOException {
        return socket.getInputStream().read();
    }
}
