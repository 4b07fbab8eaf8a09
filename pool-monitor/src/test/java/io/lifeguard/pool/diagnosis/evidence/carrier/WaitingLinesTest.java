package io.lifeguard.pool.diagnosis.evidence.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;

/** Threads that wait in line are counted, and forgotten with their executor. */
@EnabledForJreRange(min = JRE.JAVA_21)
class WaitingLinesTest {

    private final WaitingLines lines = new WaitingLines(System::nanoTime);

    @Test
    void advance_executorHasEndedWithinTheWindow_isCollected() throws InterruptedException {
        WeakReference<InstrumentedPool> pool = lookAndEnd();
        lines.advance(List.of(), 1);
        await().until(() -> {
            System.gc();
            return pool.get() == null;
        });
        assertThat(lines.advance(List.of(), 1)).isEmpty();
    }

    /** Pictures of virtual threads show no platform threads. */
    @Test
    void bands_platformThreadsPerTask_areNone() throws InterruptedException {
        assertThat(bands(InstrumentedExecutors.newThreadPerTaskExecutor("platform", Thread::new)))
                .isEmpty();
        assertThat(bands(InstrumentedExecutors.newVirtualThreadPerTaskExecutor("virtual")))
                .hasSize(1);
    }

    /** One look tells of no queue, so it does not tell that there is none. */
    @Test
    void areStill_windowsWithOneLook_isFalse() {
        try (Waiters waiters = new Waiters(10)) {
            for (int window = 0; window < 3; window++) {
                lines.look(waiters.pools);
                assertThat(lines.advance(waiters.pools, 1)).isEmpty();
                assertThat(lines.areStill()).isFalse();
            }
            lines.look(waiters.pools);
            lines.look(waiters.pools);
            assertThat(lines.advance(waiters.pools, 1)).isNotEmpty();
            assertThat(lines.areStill()).isFalse();
        }
    }

    /** Where asking the JVM who holds a monitor could crash it, the one behind the line of the others is named. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_25) // before, waiting threads keep their carriers
    void advance_threadsAtAMonitor_namesWhoHoldsIt() throws InterruptedException {
        ExecutorService executor = InstrumentedExecutors.newVirtualThreadPerTaskExecutor("monitor");
        List<InstrumentedPool> pools = List.of((InstrumentedPool) executor);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        executor.execute(() -> enter(inside, end));
        inside.await();
        try {
            for (int i = 0; i < 30; i++) {
                executor.execute(() -> enter(inside, end));
            }
            await().until(() -> pools.get(0).threads(31).stream()
                            .filter(thread -> thread.getState() == Thread.State.BLOCKED)
                            .count()
                    == 30);
            lines.look(pools);
            lines.look(pools);

            assertThat(lines.advance(pools, 1)).singleElement().satisfies(line -> {
                assertThat(line.place()).contains("WaitingLinesTest.enter(");
                assertThat(line.holder()).matches("#\\d+ at .*WaitingLinesTest\\.enter\\(.*");
            });
        } finally {
            end.countDown();
            executor.shutdown();
        }
    }

    private void enter(CountDownLatch inside, CountDownLatch end) {
        synchronized (lines) {
            inside.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Threads that wait for different things are no queue. More threads may be one. */
    @Test
    void areStill_moreThreadsComeToWait_isFalseAgain() {
        try (Waiters waiters = new Waiters(0)) {
            for (int i = 0; i < 8; i++) {
                waiters.add(new Semaphore(0), 1);
            }
            for (int window = 0; window < 2; window++) {
                lines.look(waiters.pools);
                lines.look(waiters.pools);
                assertThat(lines.advance(waiters.pools, 1)).isEmpty();
            }
            assertThat(lines.areStill()).isTrue();

            waiters.add(waiters.permits.get(0), 5);
            lines.look(waiters.pools);
            lines.advance(waiters.pools, 1);

            assertThat(lines.areStill()).isFalse();
        }
    }

    /**
     * As connections that are never given back. Consumers of one queue wait like that, but their number no longer
     * grows.
     */
    @Test
    void advance_moreAndMoreWaitForAnElementOfOneQueue_isToldWhileTheyCome() {
        ArrayBlockingQueue<String> free = new ArrayBlockingQueue<>(1);
        try (Waiters waiters = new Waiters(0)) {
            for (int i = 0; i < 20; i++) {
                waiters.executor.execute(() -> take(free));
            }
            assertThat(windowOf(waiters)).as("their begin").isEmpty();
            assertThat(windowOf(waiters)).as("their number no longer grows").isEmpty();

            for (int i = 0; i < 20; i++) {
                waiters.executor.execute(() -> take(free));
            }
            assertThat(windowOf(waiters)).singleElement().satisfies(line -> {
                assertThat(line.object()).isEqualTo("an element of a java.util.concurrent.ArrayBlockingQueue");
                assertThat(line.stopped().orElseThrow().begun()).isEqualTo(20);
            });
            waiters.executor.shutdownNow();
        }
    }

    /** A peer never answers. Threads that serve connections read as well, but this process has made these. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void advance_moreAndMoreWaitForAnAnswer_isToldWhileTheyCome() throws IOException {
        try (ServerSocket peer = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
                Waiters waiters = new Waiters(0)) {
            for (int window = 0; window < 3; window++) {
                for (int i = 0; i < 10; i++) {
                    waiters.executor.execute(() -> read(peer));
                }
                List<WaitingThreads> found = windowOf(waiters);
                if (window > 0) {
                    assertThat(found)
                            .singleElement()
                            .satisfies(line -> assertThat(line.object()).isEqualTo("an answer from outside"));
                }
            }
            assertThat(windowOf(waiters)).as("their number no longer grows").isEmpty();
            waiters.executor.shutdownNow();
        }
    }

    private static void read(ServerSocket peer) {
        try (Socket socket = new Socket(peer.getInetAddress(), peer.getLocalPort())) {
            assertThat(socket.getInputStream().read()).isNegative();
        } catch (IOException ignored) { // interrupted
            return;
        }
    }

    private List<WaitingThreads> windowOf(Waiters waiters) {
        await().until(() -> waiters.pools.get(0).threads(100).stream()
                .allMatch(thread -> thread.getState() == Thread.State.WAITING));
        lines.look(waiters.pools);
        lines.look(waiters.pools);
        return lines.advance(waiters.pools, 1);
    }

    private static void take(ArrayBlockingQueue<String> free) {
        try {
            free.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An executor with tasks that wait for permits. */
    private static final class Waiters implements AutoCloseable {
        private final ExecutorService executor = InstrumentedExecutors.newVirtualThreadPerTaskExecutor("waiters");
        private final List<InstrumentedPool> pools = List.of((InstrumentedPool) executor);
        private final List<Semaphore> permits = new ArrayList<>();

        Waiters(int threads) {
            if (threads > 0) {
                add(new Semaphore(0), threads);
            }
        }

        void add(Semaphore semaphore, int threads) {
            permits.add(semaphore);
            int all = semaphore.getQueueLength() + threads;
            for (int i = 0; i < threads; i++) {
                executor.execute(semaphore::acquireUninterruptibly);
            }
            await().until(semaphore::getQueueLength, length -> length == all);
        }

        @Override
        public void close() {
            permits.forEach(semaphore -> semaphore.release(100));
            executor.shutdown();
        }
    }

    private List<ThreadBands> bands(ExecutorService executor) throws InterruptedException {
        Semaphore permits = new Semaphore(0);
        for (int i = 0; i < 10; i++) {
            executor.execute(permits::acquireUninterruptibly);
        }
        await().until(permits::getQueueLength, length -> length == 10);
        List<InstrumentedPool> pools = List.of((InstrumentedPool) executor);
        lines.look(pools);
        lines.advance(pools, 1);
        permits.release(10);
        executor.shutdown();
        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        return lines.bands();
    }

    private WeakReference<InstrumentedPool> lookAndEnd() throws InterruptedException {
        ExecutorService executor = InstrumentedExecutors.newVirtualThreadPerTaskExecutor("ends");
        Semaphore permits = new Semaphore(0);
        for (int i = 0; i < 10; i++) {
            executor.execute(permits::acquireUninterruptibly);
        }
        await().until(permits::getQueueLength, length -> length == 10);
        lines.look(List.of((InstrumentedPool) executor));
        permits.release(10);
        executor.shutdown();
        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        return new WeakReference<>((InstrumentedPool) executor);
    }
}
