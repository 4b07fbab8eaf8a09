package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedVirtualThreadExecutor;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSource;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.seen.WaitChain.End;
import io.lifeguard.pool.testing.Fixture;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;

/** Chains of real threads lead to what never comes. */
class WaitChainsTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final List<AwaitedTasks.Candidate> pools = new ArrayList<>();

    private InstrumentedThreadPoolExecutor pool(String name) {
        InstrumentedThreadPoolExecutor pool =
                new InstrumentedThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        fixture.closing(pool);
        pools.add(new AwaitedTasks.Candidate(name, PoolSource.of(pool)));
        return pool;
    }

    private static void uninterrupted(Waiting body) {
        try {
            body.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Waiting {
        void run() throws Exception;
    }

    /** Once all workers of the pool wait. */
    private WaitChain chain(String pool) {
        List<WaitChain> chains = new ArrayList<>();
        fixture.eventually("all workers wait", () -> {
            Optional<WaitChain> chain = LiveScene.chain(pool, StackSource.ofThisJvm(), pools);
            chains.clear();
            chain.filter(known -> known.waiting() == 2 && known.end() != End.MOVING)
                    .ifPresent(chains::add);
            return !chains.isEmpty();
        });
        return chains.get(0);
    }

    /** Once that is the end. Before, a worker that has lost its CPU may hold the lock of a queue. */
    private WaitChain chain(String pool, End end) {
        List<WaitChain> last = new ArrayList<>();
        fixture.eventually("the chain ends with " + end, () -> {
            last.clear();
            last.add(chain(pool));
            return last.get(0).end() == end;
        });
        return last.get(0);
    }

    @Test
    void of_lockWhoseOwnerHasEnded_endsThere() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Thread owner = new Thread(lock::lock, "short-lived");
        owner.start();
        owner.join();
        InstrumentedThreadPoolExecutor pool = pool("orders");
        pool.execute(() -> uninterrupted(lock::lockInterruptibly));
        pool.execute(() -> uninterrupted(lock::lockInterruptibly));

        WaitChain chain = chain("orders", End.ENDED_OWNER);
        assertThat(chain.last()).contains("short-lived").contains("has ended");
        assertThat(chain.first().place()).contains("WaitChainsTest");
        pool.shutdownNow();
    }

    /** The JVM does not tell the holder of a virtual thread's lock by itself. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void of_lockThatAWorkerOfALimitedExecutorHolds_namesItsPlace() {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch never = new CountDownLatch(1);
        ExecutorService limited =
                InstrumentedVirtualThreadExecutor.named("limited").limit(3).build();
        pools.add(new AwaitedTasks.Candidate("limited", PoolSource.of((InstrumentedPool) limited)));
        limited.execute(() -> uninterrupted(() -> {
            lock.lockInterruptibly();
            never.await();
        }));
        fixture.eventually("one has it", lock::isLocked);
        limited.execute(() -> uninterrupted(lock::lockInterruptibly));
        limited.execute(() -> uninterrupted(lock::lockInterruptibly));

        WaitChain chain = chain("limited", End.PARTY);
        assertThat(chain.links().get(1).who()).contains("held by virtual thread");
        assertThat(chain.links().get(1).place()).contains("WaitChainsTest");
        limited.shutdownNow();
    }

    @Test
    void of_monitorWhoseHolderWaitsForTheseTasks_endsWithTheOwnTask() throws Exception {
        Object world = WaitChainsTest.class;
        InstrumentedThreadPoolExecutor pool = pool("chunks");
        CountDownLatch held = new CountDownLatch(1);
        List<Future<?>> futures = new ArrayList<>();
        Thread main = fixture.thread(() -> {
            synchronized (world) {
                for (int i = 0; i < 4; i++) {
                    futures.add(pool.submit(() -> touch(world)));
                }
                held.countDown();
                uninterrupted(() -> futures.get(3).get());
            }
        });
        held.await();

        WaitChain chain = chain("chunks", End.OWN_TASK);
        assertThat(chain.links()).hasSize(2);
        assertThat(chain.first().thing()).isEqualTo("the monitor of class " + WaitChainsTest.class.getName());
        assertThat(chain.links().get(1).who()).contains("held by thread");
        main.interrupt();
    }

    private static void touch(Object world) {
        synchronized (world) {
            assertThat(Thread.holdsLock(world)).isTrue();
        }
    }

    @Test
    void of_readLockBehindAWriterThatWaits_namesTheWriter() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.readLock().lock();
        Thread writer =
                fixture.thread(() -> uninterrupted(() -> lock.writeLock().lockInterruptibly()));
        fixture.eventually("the writer waits", () -> lock.hasQueuedThread(writer));
        InstrumentedThreadPoolExecutor pool = pool("types");
        pool.execute(() -> uninterrupted(() -> lock.readLock().lockInterruptibly()));
        pool.execute(() -> uninterrupted(() -> lock.readLock().lockInterruptibly()));

        WaitChain chain = chain("types", End.UNKNOWN_OWNER);
        assertThat(chain.last()).contains("readers hold it").contains("waits to write at");
        pool.shutdownNow();
        writer.interrupt();
    }

    @Test
    void of_poolsThatWaitForEachOther_areACircle() {
        InstrumentedThreadPoolExecutor one = pool("one");
        InstrumentedThreadPoolExecutor other = pool("other");
        CountDownLatch all = new CountDownLatch(4);
        for (int i = 0; i < 2; i++) {
            one.execute(() -> uninterrupted(() -> {
                all.countDown();
                all.await();
                other.submit(() -> {}).get();
            }));
            other.execute(() -> uninterrupted(() -> {
                all.countDown();
                all.await();
                one.submit(() -> {}).get();
            }));
        }

        // A submitter that has just lost its CPU may hold the lock of a queue.
        fixture.eventually("each waits for the other pool", () -> {
            WaitChain chain = chain("one");
            return (chain.end() == End.CIRCLE || chain.end() == End.OWN_TASK)
                    && chain.links().size() == 2;
        });
        one.shutdownNow();
        other.shutdownNow();
    }

    @Test
    void of_lostPermits_saysThatNoneIsLeft() {
        Semaphore permits = new Semaphore(0);
        InstrumentedThreadPoolExecutor pool = pool("calls");
        pool.execute(() -> uninterrupted(permits::acquire));
        pool.execute(() -> uninterrupted(permits::acquire));

        chain("calls", End.NONE_LEFT);
        pool.shutdownNow();
    }

    @Test
    void of_latchShortOfAParty_saysSo() {
        CountDownLatch latch = new CountDownLatch(3);
        InstrumentedThreadPoolExecutor pool = pool("parts");
        pool.execute(() -> uninterrupted(latch::await));
        pool.execute(() -> uninterrupted(latch::await));

        WaitChain chain = chain("parts", End.PARTY);
        assertThat(chain.first().thing()).contains("CountDownLatch");
        pool.shutdownNow();
    }

    @Test
    void of_threadThatWaitsForThePool_isFollowed() {
        InstrumentedThreadPoolExecutor pool = pool("syncs");
        CountDownLatch bothRun = new CountDownLatch(2);
        Queue<Thread> helpers = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < 2; i++) {
            pool.execute(() -> uninterrupted(() -> {
                bothRun.countDown();
                bothRun.await();
                Thread helper = fixture.thread(
                        () -> uninterrupted(() -> pool.submit(() -> {}).get()));
                helpers.add(helper);
                helper.join();
            }));
        }
        fixture.eventually(
                "both helpers wait",
                () -> helpers.stream()
                                .filter(helper -> helper.getState() == Thread.State.WAITING)
                                .count()
                        == 2);

        WaitChain chain = chain("syncs", End.OWN_TASK);
        assertThat(chain.first().thing()).startsWith("the end of thread ");
        pool.shutdownNow();
        helpers.forEach(Thread::interrupt);
    }

    @Test
    void of_handOverWithoutTaker_endsThere() {
        SynchronousQueue<String> queue = new SynchronousQueue<>();
        InstrumentedThreadPoolExecutor pool = pool("events");
        Runnable task = () -> uninterrupted(() -> queue.put("event"));
        pool.execute(task);
        pool.execute(task);

        WaitChain chain = chain("events", End.ROOM);
        assertThat(chain.first().thing()).isEqualTo("a thread that takes from a SynchronousQueue");
        pool.shutdownNow();
    }

    @Test
    void of_ownQueueWithoutRoom_saysThatItIsFull() {
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("crawl")
                .size(2)
                .queueCapacity(1)
                .whenSaturated(BlockingWaitPolicy.forever())
                .build();
        fixture.closing(pool);
        pools.add(new AwaitedTasks.Candidate("crawl", PoolSource.of(pool)));
        ThreadPoolExecutor full = InstrumentedThreadPoolExecutor.named("full")
                .size(1)
                .queueCapacity(1)
                .whenSaturated(BlockingWaitPolicy.forever())
                .build();
        CountDownLatch end = new CountDownLatch(1);
        full.execute(() -> uninterrupted(end::await));
        full.execute(() -> {});
        Runnable task = () -> full.execute(() -> {});
        pool.execute(task);
        pool.execute(task);

        WaitChain chain = chain("crawl", End.ROOM);
        assertThat(chain.first().thing()).isEqualTo("room in the full queue of a pool");
        end.countDown();
        full.shutdown();
    }

    @Test
    void of_pipeThatNobodyWritesTo_namesThePipe() {
        InstrumentedThreadPoolExecutor pool = pool("archives");
        for (int i = 0; i < 2; i++) {
            pool.execute(() -> uninterrupted(() -> {
                PipedInputStream in = new PipedInputStream();
                new PipedOutputStream().connect(in);
                assertThat(in.read()).isNegative();
            }));
        }

        WaitChain chain = chain("archives", End.RESULT);
        assertThat(chain.first().thing()).contains("pipe");
        pool.shutdownNow();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void of_callsOfTheOwnPort_nameThePort() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            InstrumentedThreadPoolExecutor pool = pool("web");
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                sockets.add(socket);
                socket.getOutputStream().write(1);
                pool.execute(() -> read(socket));
            }

            WaitChain chain = chain("web");
            assertThat(chain.end()).as("the requests stay unread").isEqualTo(End.UNREAD);
            assertThat(chain.first().thing()).contains("port " + server.getLocalPort());
            assertThat(chain.last()).contains("has not read what was sent on 2");

            for (int i = 0; i < 2; i++) {
                Socket accepted = server.accept();
                sockets.add(accepted);
                assertThat(accepted.getInputStream().read()).isEqualTo(1);
            }
            assertThat(chain("web").end())
                    .as("the server may answer later, as a long poll does")
                    .isEqualTo(End.OWN_PORT);
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static void read(Socket socket) {
        try {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (IOException e) { // closed at the end of the test
            assertThat(socket.isClosed()).isTrue();
        }
    }

    /** Workers that wait for a task wait for nothing. */
    @Test
    void of_idlePool_isNone() {
        InstrumentedThreadPoolExecutor pool = pool("idle");
        pool.prestartAllCoreThreads();
        assertThat(LiveScene.chain("idle", StackSource.ofThisJvm(), pools)).isEmpty();
    }
}
