package io.lifeguard.torture;

import io.lifeguard.pool.InstrumentedExecutors;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The program that is tortured: pools of this library and of the JDK, with tasks that park, compute, throw, load
 * classes, queue for locks and make garbage, and threads that live for a moment.
 *
 * <p>It prints a line each second, ends when a line comes on its standard input, and then says how many tasks were
 * lost.
 */
final class Victim {

    private static final int PER_POOL = 50;
    private static final int MOST_ACCEPTED = 20_000; // platform tasks that wait or run
    private static final long SECONDS_WITHOUT_END = 120; // of any task: on full CPUs 100,000 take minutes to end

    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final List<ExecutorService> executors = new ArrayList<>();
    private final List<Thread> standing = new CopyOnWriteArrayList<>(); // in a circle, until the end
    private final List<Thread> feeders = new ArrayList<>();
    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private final Object busy = new Object(); // entered by nearly every task, for an instant
    private long parked; // guarded by busy
    private volatile boolean isOver; // written once, by the main thread

    private Victim() {}

    /**
     * Runs until a line comes.
     *
     * @param arguments how many virtual threads, how many platform threads, and whether it shall dump them itself
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Victim victim = new Victim();
        if (Boolean.parseBoolean(arguments[2])) {
            background("dumper", victim::dump);
        }
        victim.run(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
    }

    /** Takes the JVM's dump of all threads again and again, as this library did before it knew the danger. */
    private void dump() {
        try {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            ObjectName diagnostics = new ObjectName("com.sun.management:type=HotSpotDiagnostic");
            Path directory = Files.createTempDirectory("torture");
            String text = String.class.getName();
            while (!isOver) {
                Path file = directory.resolve("threads.json");
                server.invoke(
                        diagnostics, "dumpThreads", new Object[] {file.toString(), "JSON"}, new String[] {text, text});
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException | JMException e) {
            throw new IllegalStateException(e);
        }
    }

    private void run(int virtual, int platform) throws IOException, InterruptedException {
        background("heartbeat", this::beat); // first: beside thousands of busy threads it starts after minutes
        for (int i = 0; i < platform; i += PER_POOL) {
            int size = Math.min(PER_POOL, platform - i);
            ExecutorService pool = i % (2 * PER_POOL) == 0
                    ? InstrumentedExecutors.newFixedThreadPool("pool" + i, size)
                    : Executors.newFixedThreadPool(size);
            executors.add(pool);
            Semaphore room = new Semaphore(Math.min(MOST_ACCEPTED, 4 * size));
            feeders.add(background("feeder" + i, () -> feed(pool, room, 4L * size)));
        }
        background("starter", this::startAndEnd);
        if (virtual > 0) {
            ExecutorService perTask = InstrumentedExecutors.newVirtualThreadPerTaskExecutor("virtual");
            executors.add(perTask);
            stand(perTask);
            Semaphore alive = new Semaphore(virtual);
            for (int i = 0; i < 2; i++) {
                feeders.add(background("virtual-feeder" + i, () -> feed(perTask, alive, virtual)));
            }
        }
        int ignored = System.in.read();
        isOver = true;
        executors.forEach(ExecutorService::shutdown);
        standing.forEach(Thread::interrupt);
        boolean areAll = true;
        for (ExecutorService executor : executors) {
            areAll &= awaitEnd(executor);
        }
        for (Thread feeder : feeders) { // one may be about to take back a task that was refused
            feeder.join(TimeUnit.SECONDS.toMillis(SECONDS_WITHOUT_END));
        }
        synchronized (busy) {
            System.out.println(parked + " times parked");
        }
        System.out.println("lost " + (accepted.get() - ended.get()) + " of " + accepted.get());
        System.exit(areAll && accepted.get() == ended.get() ? 0 : 3);
    }

    /** {@return whether it has ended} Waits for as long as tasks end. */
    private boolean awaitEnd(ExecutorService executor) throws InterruptedException {
        long before;
        do {
            before = ended.get();
        } while (!executor.awaitTermination(SECONDS_WITHOUT_END, TimeUnit.SECONDS) && ended.get() != before);
        return executor.isTerminated();
    }

    /** Two threads in a circle of a lock and a monitor, so that all that looks for such circles looks. */
    private void stand(ExecutorService executor) throws InterruptedException {
        Object inner = new Object();
        ReentrantLock outer = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        execute(executor, () -> {
            standing.add(Thread.currentThread());
            outer.lock();
            try {
                arrive(both);
                synchronized (inner) {
                    inner.notifyAll();
                }
            } finally {
                outer.unlock();
            }
        });
        execute(executor, () -> {
            standing.add(Thread.currentThread());
            synchronized (inner) {
                arrive(both);
                try {
                    outer.lockInterruptibly();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        both.await();
    }

    private static void arrive(CountDownLatch both) {
        both.countDown();
        try {
            both.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void feed(ExecutorService executor, Semaphore room, long pauseAfter) {
        long count = 0;
        while (!isOver) {
            room.acquireUninterruptibly();
            try {
                execute(executor, () -> {
                    try {
                        task();
                    } finally {
                        room.release();
                    }
                });
            } catch (RejectedExecutionException | OutOfMemoryError e) { // it is over, or too small for one more
                room.release();
            }
            if (++count % Math.max(1, pauseAfter) == 0) {
                pause(1);
            }
        }
    }

    private void execute(ExecutorService executor, Runnable task) {
        accepted.incrementAndGet();
        boolean isAccepted = false;
        try {
            executor.execute(() -> {
                try {
                    task.run();
                } catch (IllegalStateException | OutOfMemoryError e) { // on purpose
                    Thread.onSpinWait();
                } finally {
                    ended.incrementAndGet();
                }
            });
            isAccepted = true;
        } finally {
            if (!isAccepted) {
                accepted.decrementAndGet();
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // yields so that threads take turns; correctness does not depend on it
    private void task() {
        switch (ThreadLocalRandom.current().nextInt(32)) { // most only start, yield and end
            case 0 -> pause(ThreadLocalRandom.current().nextInt(50));
            case 1 -> {
                synchronized (monitor) {
                    Thread.yield();
                }
            }
            case 2 -> {
                lock.lock();
                try {
                    Thread.yield();
                } finally {
                    lock.unlock();
                }
            }
            case 3 -> throw new IllegalStateException("on purpose");
            case 4 -> compute();
            case 5 -> allocate();
            case 6 -> {
                if (ThreadLocalRandom.current().nextInt(50) == 0) {
                    loadClass();
                }
            }
            default -> {
                LockSupport.parkNanos(1_000); // unmounts, and mounts again
                synchronized (busy) {
                    parked++;
                }
                Thread.yield();
            }
        }
    }

    private static void compute() {
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum += Long.rotateLeft(sum ^ i, 7);
        }
        if (sum == 42) {
            throw new IllegalStateException("very improbable");
        }
    }

    private static void allocate() {
        List<byte[]> garbage = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            garbage.add(new byte[1_000 + ThreadLocalRandom.current().nextInt(10_000)]);
        }
        if (garbage.size() == 42) {
            throw new IllegalStateException("impossible");
        }
    }

    /** A class of its own loader each time, which the collector unloads again. */
    private static void loadClass() {
        try (InputStream in = Victim.class.getResourceAsStream("Victim$Loaded.class")) {
            byte[] bytes = in.readAllBytes();
            new ClassLoader(Victim.class.getClassLoader()) {
                Class<?> define() {
                    return defineClass(Loaded.class.getName(), bytes, 0, bytes.length);
                }
            }.define().getDeclaredConstructor().newInstance();
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Is loaded again and again. */
    static final class Loaded {
        Loaded() {}
    }

    /** Platform threads that live for a moment. */
    private void startAndEnd() {
        while (!isOver) {
            try {
                Thread thread = new Thread(Victim::compute, "moment");
                thread.setDaemon(true);
                thread.start();
            } catch (OutOfMemoryError e) {
                pause(10);
            }
            pause(2);
        }
    }

    private void beat() {
        while (!isOver) {
            System.out.println("alive " + ended.get());
            pause(1_000);
        }
    }

    private static Thread background(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
