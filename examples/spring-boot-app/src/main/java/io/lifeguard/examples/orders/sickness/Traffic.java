package io.lifeguard.examples.orders.sickness;

import io.lifeguard.workbench.Waiting;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;

/** Threads that submit tasks to a pool until they are ended. Thread-safe. */
public final class Traffic {

    private final String name;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Runnable> endings = new CopyOnWriteArrayList<>();
    private volatile boolean over; // written once, by end()

    /** Starts nothing yet. */
    public Traffic(String name) {
        this.name = name;
    }

    /** {@return whether it has been ended} */
    public boolean isOver() {
        return over;
    }

    /** Runs something when it is ended. */
    public void whenOver(Runnable ending) {
        endings.add(ending);
    }

    /** Starts one dispatcher, which submits tasks as fast as the pool accepts them. */
    public void feed(Executor pool, Runnable task) {
        thread(() -> {
            while (!over) {
                submit(pool, task);
            }
        });
    }

    /** Starts events that happen independently of each other, at that mean rate. */
    public void arrivals(double perSecond, Runnable arrival) {
        thread(() -> {
            long due = System.nanoTime();
            while (!over) {
                due += (long) (-Math.log(1 - ThreadLocalRandom.current().nextDouble()) * 1e9 / perSecond);
                Waiting.nanos(due - System.nanoTime());
                arrival.run();
            }
        });
    }

    /** Starts tasks that arrive independently of each other, at that mean rate. */
    public void arrivals(double perSecond, Executor pool, Runnable task) {
        arrivals(perSecond, () -> submit(pool, task));
    }

    /**
     * Starts clients, each of which waits for its task before it sends the next one. Their number is read repeatedly.
     */
    public void clients(double everyMillis, IntSupplier howMany, Executor pool, Runnable task) {
        Semaphore allowed = new Semaphore(0);
        thread(() -> {
            while (!over) {
                allowed.acquireUninterruptibly();
                submit(pool, () -> {
                    try {
                        task.run();
                    } finally {
                        allowed.release();
                    }
                });
            }
        });
        thread(() -> {
            for (int now = 0; !over; Waiting.nanos((long) (everyMillis * 1e6))) {
                for (int next = Math.max(now, howMany.getAsInt()); now < next; now++) {
                    allowed.release();
                }
            }
            allowed.release(); // wakes the other thread, which then ends
        });
    }

    /** Starts a thread, which is interrupted at the end. */
    public void thread(Runnable body) {
        Thread thread = new Thread(body, "traffic-" + name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    /** Ends all threads, and waits until they have ended. */
    public void end() {
        over = true;
        endings.forEach(Runnable::run);
        threads.forEach(Thread::interrupt);
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void submit(Executor pool, Runnable task) {
        try {
            pool.execute(task);
        } catch (RejectedExecutionException e) {
            if (!over) {
                Waiting.nanos(1_000_000);
            }
        }
    }
}
