package io.lifeguard.pool.corpus.workloads;

import static io.lifeguard.pool.corpus.workloads.Workload.sick;

import io.lifeguard.workbench.Waiting;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Workloads that stand still in a wait for permits, signals, room, elements or bytes. */
final class SignalStandstills {

    private static final String STANDS_STILL = "stands-still";
    private static final int WORKERS = 6;

    private SignalStandstills() {}

    static List<Workload> all() {
        return List.of(
                standstill("two-permits-for-each-task", "each task holds one permit of six and asks for a second")
                        .quick()
                        .names("SignalStandstills.copy")
                        .plays(scene -> {
                            Semaphore permits = new Semaphore(WORKERS);
                            Onset.arrivals(scene, pool(scene, "copies"), () -> copy(permits));
                        }),
                standstill("two-connections-for-each-task", "each task takes two elements of a queue of six")
                        .names("SignalStandstills.nested")
                        .plays(scene -> {
                            BlockingQueue<String> connections = new ArrayBlockingQueue<>(WORKERS);
                            for (int i = 0; i < WORKERS; i++) {
                                connections.add("connection " + i);
                            }
                            Onset.arrivals(scene, pool(scene, "nested"), () -> nested(connections));
                        }),
                standstill("full-queue-without-consumer", "the thread that empties a queue has failed")
                        .names("SignalStandstills.publish")
                        .plays(scene -> {
                            BlockingQueue<String> events = new ArrayBlockingQueue<>(10);
                            Onset.arrivals(scene, pool(scene, "publishers"), () -> publish(events));
                        }),
                standstill("hand-over-without-taker", "tasks put elements into a SynchronousQueue that nobody takes")
                        .names("SignalStandstills.publish")
                        .plays(scene -> {
                            BlockingQueue<String> events = new SynchronousQueue<>();
                            Onset.arrivals(scene, pool(scene, "publishers"), () -> publish(events));
                        }),
                standstill("own-full-queue", "tasks submit to their own pool, whose submitters wait for room")
                        .quick()
                        .may("queue-growing", "stuck-task", "starved-by-own-tasks")
                        .names("PlainPools.put")
                        .plays(scene -> {
                            ThreadPoolExecutor pool = scene.pool("crawl", WORKERS, 20, PlainPools::put);
                            Onset.arrivals(scene, pool, () -> {
                                for (int i = 0; i < 20; i++) {
                                    pool.execute(() -> Waiting.millis(5));
                                }
                            });
                        }),
                standstill("monitor-that-nobody-notifies", "tasks wait for a flag that nobody sets any more")
                        .names("SignalStandstills.awaitReady")
                        .plays(scene -> {
                            Object ready = new Object();
                            Onset.arrivals(scene, pool(scene, "starters"), () -> awaitReady(ready));
                        }),
                standstill("condition-that-nobody-signals", "tasks wait for a condition that nobody signals any more")
                        .names("SignalStandstills.awaitRoom")
                        .plays(scene -> {
                            Lock lock = new ReentrantLock();
                            Condition room = lock.newCondition();
                            Onset.arrivals(scene, pool(scene, "writers"), () -> awaitRoom(lock, room));
                        }),
                standstill("parked-forever", "tasks park, and the thread that unparked them has ended")
                        .names("SignalStandstills.parkForever")
                        .plays(scene -> Onset.arrivals(scene, pool(scene, "parkers"), SignalStandstills::parkForever)),
                standstill("asleep-forever", "tasks sleep until the end of time")
                        .may("blocked-on-io", "queue-growing", "stuck-task")
                        .names("SignalStandstills.sleepForever")
                        .plays(scene ->
                                Onset.arrivals(scene, pool(scene, "sleepers"), SignalStandstills::sleepForever)),
                standstill("pipe-without-writer", "tasks read a pipe whose writer queues behind them")
                        .names("SignalStandstills.unpack")
                        .plays(scene -> {
                            ThreadPoolExecutor pool = pool(scene, "archives");
                            Onset.arrivals(scene, pool, () -> unpack(pool));
                        }),
                standstill("child-whose-output-nobody-reads", "tasks wait for children that wait for a reader")
                        .may("blocked-on-io", "queue-growing", "stuck-task")
                        .names("SignalStandstills.convert")
                        .plays(scene -> Onset.arrivals(scene, pool(scene, "converters"), SignalStandstills::convert)),
                standstill("server-that-asks-itself", "each request asks the server that serves it for a part")
                        .may("blocked-on-io", "queue-growing", "stuck-task")
                        .names("SignalStandstills.ask")
                        .plays(scene -> {
                            ServerSocket server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
                            ThreadPoolExecutor pool = pool(scene, "web");
                            AtomicInteger requests = new AtomicInteger();
                            scene.thread(
                                    "acceptor",
                                    () -> Onset.run(() -> {
                                        while (!scene.isOver()) {
                                            Socket request = server.accept();
                                            pool.execute(() -> Onset.run(() -> serve(request, server, requests)));
                                        }
                                    }));
                            scene.arrivals(
                                    60,
                                    () -> Onset.run(() -> scene.keep(connect(server))
                                            .getOutputStream()
                                            .write('o')));
                        }),
                standstill("loop-without-end", "each task waits in a loop for a value that another thread never sets")
                        .may("queue-growing", "stuck-task", "cpu-saturated", "high-system-cpu")
                        .names("SignalStandstills.spin")
                        .plays(scene -> Onset.arrivals(scene, scene.unboundedPool("spinners", 2), () -> spin(scene))));
    }

    private static Workload.Builder standstill(String name, String about) {
        return sick(name, STANDS_STILL)
                .incurable()
                .about(about)
                .may("queue-growing", "stuck-task", "downstream-saturated");
    }

    private static ThreadPoolExecutor pool(Scene scene, String name) {
        return scene.unboundedPool(name, WORKERS);
    }

    private static void copy(Semaphore permits) throws InterruptedException {
        permits.acquire();
        Waiting.millis(100);
        permits.acquire();
        permits.release(2);
    }

    private static void nested(BlockingQueue<String> connections) throws InterruptedException {
        String first = connections.take();
        Waiting.millis(100);
        connections.put(connections.take());
        connections.put(first);
    }

    private static void publish(BlockingQueue<String> events) throws InterruptedException {
        events.put("event");
    }

    @SuppressWarnings({"WaitNotInLoop", "WakelessWait"}) // that is the defect
    private static void awaitReady(Object ready) throws InterruptedException {
        synchronized (ready) {
            ready.wait();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // that is the defect
    private static void awaitRoom(Lock lock, Condition room) throws InterruptedException {
        lock.lock();
        try {
            room.await();
        } finally {
            lock.unlock();
        }
    }

    private static void parkForever() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.park();
        }
    }

    private static void sleepForever() throws InterruptedException {
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void unpack(ThreadPoolExecutor pool) throws IOException {
        PipedInputStream in = new PipedInputStream();
        PipedOutputStream out = new PipedOutputStream(in);
        Waiting.millis(200); // until the queue is longer than the pool is large
        pool.execute(() -> Onset.run(out::close));
        Waiting.millis(in.read());
    }

    private static void convert() throws IOException, InterruptedException {
        new ProcessBuilder("head", "-c", "1000000", "/dev/zero").start().waitFor();
    }

    private static Socket connect(ServerSocket server) throws IOException {
        return new Socket(server.getInetAddress(), server.getLocalPort());
    }

    private static void serve(Socket request, ServerSocket server, AtomicInteger requests) throws IOException {
        try (request) {
            Waiting.millis(30);
            if (request.getInputStream().read() == 'o' && requests.incrementAndGet() > 30) {
                ask(server);
            }
            request.getOutputStream().write(1);
        }
    }

    private static void ask(ServerSocket server) throws IOException {
        try (Socket part = connect(server)) {
            part.getOutputStream().write('p');
            Waiting.millis(part.getInputStream().read());
        }
    }

    private static void spin(Scene scene) {
        while (!scene.isOver()) {
            Thread.onSpinWait();
        }
    }
}
