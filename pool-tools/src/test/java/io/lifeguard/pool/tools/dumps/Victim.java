package io.lifeguard.pool.tools.dumps;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A program of which tests take dumps. It has two deadlocks, three threads that wait for one monitor, and an idle pool.
 * It prints "ready" when all threads wait, and ends when its standard input ends.
 */
final class Victim {

    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();

    public static void main(String[] arguments) throws Exception {
        CountDownLatch monitors = new CountDownLatch(2);
        Thread one = start("monitors-1", () -> nest(LEFT, RIGHT, monitors));
        Thread two = start("monitors-2", () -> nest(RIGHT, LEFT, monitors));
        CountDownLatch locks = new CountDownLatch(2);
        Lock first = new ReentrantLock();
        Lock second = new ReentrantLock();
        Thread three = start("locks-1", () -> nest(first, second, locks));
        Thread four = start("locks-2", () -> nest(second, first, locks));
        awaitBlocked(Thread.State.BLOCKED, one, two);
        awaitBlocked(Thread.State.WAITING, three, four);

        Thread[] queue = new Thread[3];
        for (int i = 0; i < queue.length; i++) {
            queue[i] = start("queue-" + (i + 1), () -> enter(LEFT));
        }
        awaitBlocked(Thread.State.BLOCKED, queue);
        ExecutorService idle = Executors.newFixedThreadPool(1, task -> {
            Thread worker = new Thread(task, "idle-1");
            worker.setDaemon(true);
            return worker;
        });
        Thread worker = idle.submit(Thread::currentThread).get();
        awaitBlocked(Thread.State.WAITING, worker);
        System.out.println("ready");
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
    }

    private static Thread start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void nest(Object outer, Object inner, CountDownLatch both) {
        synchronized (outer) {
            meet(both);
            enter(inner);
        }
    }

    private static void nest(Lock outer, Lock inner, CountDownLatch both) {
        outer.lock();
        meet(both);
        inner.lock();
    }

    private static void enter(Object monitor) {
        synchronized (monitor) {
            Thread.onSpinWait();
        }
    }

    private static void meet(CountDownLatch both) {
        both.countDown();
        try {
            both.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitBlocked(Thread.State state, Thread... threads) {
        for (Thread thread : threads) {
            while (thread.getState() != state) {
                Thread.yield();
            }
        }
    }
}
