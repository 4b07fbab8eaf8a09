package io.lifeguard.pool.soak;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * Makes the threads of one pool, keeps them in sight, and, if it is unreliable, fails with one in four: null, an
 * exception, an out of memory error, or a thread that cannot be started. Thread-safe.
 */
final class SoakThreads implements ThreadFactory {

    private static final int RECENT = 8;

    private final String name;
    private final long seed;
    private final Consumer<String> complaints;
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger faults = new AtomicInteger();
    private final Queue<Thread> made = new ConcurrentLinkedQueue<>();
    private final AtomicReferenceArray<Thread> recent = new AtomicReferenceArray<>(RECENT);
    private volatile boolean reliable;

    SoakThreads(String name, boolean reliable, long seed, Consumer<String> complaints) {
        this.name = name;
        this.reliable = reliable;
        this.seed = seed;
        this.complaints = complaints;
    }

    @Override
    public Thread newThread(Runnable body) {
        int number = asked.getAndIncrement();
        if (!reliable) {
            int dice = Dice.of(seed, number) & 0xF;
            if (dice < 4) {
                faults.incrementAndGet();
            }
            switch (dice) {
                case 0:
                    return null;
                case 1:
                    throw new Pretended.Failure();
                case 2:
                    throw new Pretended.OutOfMemory();
                case 3:
                    return new Pretended.StillbornThread(body, name + "-stillborn");
                default:
            }
        }
        Thread thread = new Thread(null, body, name + "-" + number, 0, false);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(this::uncaught);
        made.add(thread);
        recent.set(number % RECENT, thread);
        return thread;
    }

    private void uncaught(Thread thread, Throwable failure) {
        boolean pretended = failure instanceof Pretended.TaskFailure
                || failure instanceof Pretended.Failure
                || failure instanceof Pretended.OutOfMemory;
        if (!pretended) {
            StackTraceElement[] trace = failure.getStackTrace();
            complaints.accept(thread.getName() + " died of " + failure + (trace.length > 0 ? " at " + trace[0] : ""));
        }
    }

    /** Interrupts one of the threads that were made last. */
    void interruptOne(int dice) {
        Thread thread = recent.get(Math.floorMod(dice, RECENT));
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** From now on nothing fails. */
    void heal() {
        reliable = true;
    }

    /** How often the factory has failed. */
    int faults() {
        return faults.get();
    }

    int made() {
        return made.size();
    }

    /** Waits until all threads that were started are dead; returns one that is not, or null. */
    Thread awaitEnd(long deadlineNanos) throws InterruptedException {
        for (Thread thread : made) {
            while (thread.isAlive()) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    return thread;
                }
                thread.join(100);
            }
        }
        return null;
    }
}
