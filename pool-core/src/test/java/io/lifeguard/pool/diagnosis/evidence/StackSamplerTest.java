package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.StackSample;
import io.lifeguard.pool.diagnosis.window.StackSample.Group;
import io.lifeguard.pool.diagnosis.window.StackSample.Lock;
import io.lifeguard.pool.diagnosis.window.UserFrames;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real workers, each held in one state by a lock, a gate or a socket. */
class StackSamplerTest {

    private final Fixture fixture = new Fixture();
    private final InstrumentedThreadPoolExecutor pool = fixture.closing(
            InstrumentedThreadPoolExecutor.named("sampled").size(4).build());
    private final StackSampler sampler = new StackSampler(Duration.ofSeconds(1));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void sample_noWorkers_isEmptyRound() {
        StackSample sample = sample();

        assertThat(sample.rounds()).isEqualTo(1);
        assertThat(sample.workersPerRound()).isZero();
        assertThat(sample.groups()).isEmpty();
    }

    @Test
    void sample_idleWorkers_areIdle() {
        pool.prestartAllCoreThreads();

        StackSample sample = awaitWorkers(Doing.IDLE, 4);

        assertThat(sample.groups()).hasSize(1);
        assertThat(sample.workersPerRound()).isEqualTo(4);
    }

    @Test
    void sample_blockedOnMonitor_namesLockHolderAndLine() {
        Object monitor = new Object();
        Gate gate = fixture.gate();
        fixture.thread("keeper", () -> keep(monitor, gate));
        fixture.await("the monitor's holder", gate.arrived());
        for (int i = 0; i < 3; i++) {
            pool.execute(() -> enter(monitor));
        }
        fixture.thread("outsider", () -> enter(monitor));

        Lock lock = awaitLock(3, 1);

        assertThat(lock.monitor()).isTrue();
        assertThat(lock.lock()).isEqualTo("java.lang.Object@" + Integer.toHexString(System.identityHashCode(monitor)));
        assertThat(lock.owner()).contains("keeper");
        assertThat(UserFrames.place(lock.ownerStack())).contains("Gate.pass");
        assertThat(lock.place()).contains("StackSamplerTest.enter(StackSamplerTest.java:");
        Group group = sample().groups().get(0);
        assertThat(group.doing()).isEqualTo(Doing.WAITING_FOR_LOCK);
        assertThat(group.place()).isEqualTo(lock.place());
        assertThat(group.workers()).isEqualTo(3);
    }

    @Test
    void sample_blockedOnStaticSynchronized_namesTheClass() {
        holdTheClass(() -> OnlyOne.enter());

        assertThat(awaitLock(2, 0))
                .returns("class " + OnlyOne.class.getName(), Lock::lock)
                .returns(true, Lock::monitor)
                .satisfies(lock -> assertThat(lock.place()).contains("OnlyOne.enter"))
                .satisfies(lock -> assertThat(lock.owner()).contains("keeper"));
    }

    /** No frame on the waiters' stacks is of that class. */
    @Test
    void sample_blockedOnAnotherClass_isCalledWhatTheJdkCallsIt() {
        holdTheClass(() -> enter(OnlyOne.class));

        assertThat(awaitLock(2, 0).lock())
                .isEqualTo("java.lang.Class@" + Integer.toHexString(System.identityHashCode(OnlyOne.class)));
    }

    private void holdTheClass(Runnable work) {
        Gate gate = fixture.gate();
        fixture.thread("keeper", () -> keep(OnlyOne.class, gate));
        fixture.await("the class's holder", gate.arrived());
        pool.execute(work);
        pool.execute(work);
    }

    private static final class OnlyOne {
        static synchronized void enter() {
            Thread.onSpinWait();
        }
    }

    @Test
    void sample_blockedOnReentrantLock_namesHolder() {
        ReentrantLock lock = new ReentrantLock(true);
        holdWithWorkers(lock, lock);

        Lock seen = awaitLock(2, 0);

        assertThat(seen.monitor()).isFalse();
        assertThat(seen.owner()).contains("keeper");
        assertThat(seen.ownerStack()).isNotEmpty();
        assertThat(sample().workers(Doing.WAITING_FOR_LOCK)).isEqualTo(2);
    }

    @Test
    void sample_blockedOnReadLock_countsWaiters() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        holdWithWorkers(lock.writeLock(), lock.readLock());

        assertThat(awaitLock(2, 0).owner()).contains("keeper");
    }

    @Test
    void sample_blockedOnStampedLock_countsWaitersWithoutHolder() {
        StampedLock lock = new StampedLock();
        holdWithWorkers(lock.asWriteLock(), lock.asReadLock());

        assertThat(awaitLock(2, 0).owner()).isEmpty();
    }

    @Test
    void sample_waitsForSocket_isIo() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            pool.submit(() -> receive(client));

            awaitWorkers(Doing.WAITING_OUTSIDE, 1);

            assertThat(sample().groups().get(0).place()).contains("StackSamplerTest.receive");
            accepted.getOutputStream().write(1);
            awaitWorkers(Doing.IDLE, 1);
        }
    }

    @Test
    void sample_computing_runs() {
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

    @Test
    void sample_sleepingOrParked_isSleepingOrParked() {
        BlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
        pool.submit(() -> queue.take());
        pool.submit(() -> {
            Thread.sleep(Duration.ofHours(1).toMillis()); // interrupted at the end
            return "slept";
        });

        awaitWorkers(Doing.WAITING_IN_LINE, 1);
        awaitWorkers(Doing.SLEEPING, 1);
    }

    @Test
    void sample_longRunners_haveTheirStacks() {
        Gate gate = fixture.gate();
        pool.submit(gate::passUninterruptibly);
        awaitWorkers(Doing.WAITING_FOR_RESULT, 1);

        Thread worker = pool.workers().get(0).thread();

        assertThat(sample().stackOf(worker.getId()))
                .anySatisfy(frame -> assertThat(frame.getMethodName()).isEqualTo("passUninterruptibly"));
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

    private StackSample sample() {
        return sampler.sample(pool.workers(), pool).orElseThrow();
    }

    private StackSample awaitWorkers(Doing doing, int workers) {
        return await().until(this::sample, sample -> sample.workers(doing) == workers);
    }

    /** Waits until all workers have reached the lock, and the holder is parked. */
    private Lock awaitLock(int waiters, int others) {
        return await().until(
                        () -> sample().locks().stream().findFirst(),
                        found -> found.filter(lock -> lock.waiters() == waiters
                                        && lock.otherWaiters() == others
                                        && lock.owner().isPresent()
                                                == !lock.ownerStack().isEmpty())
                                .isPresent())
                .orElseThrow();
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
