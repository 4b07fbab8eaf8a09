package io.lifeguard.pool.compat;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A task that keeps its worker until it is released or interrupted. Thread-safe. */
final class HeldTask implements Runnable {

    private final Gate gate;
    final CountDownLatch started = new CountDownLatch(1);
    final CountDownLatch interrupted = new CountDownLatch(1);
    final CountDownLatch ended = new CountDownLatch(1);
    volatile @Nullable Thread worker;

    HeldTask(Gate gate) {
        this.gate = gate;
    }

    @Override
    public void run() {
        worker = Thread.currentThread();
        started.countDown();
        try {
            gate.pass();
        } catch (InterruptedException e) {
            interrupted.countDown();
        } finally {
            ended.countDown();
        }
    }

    void release() {
        gate.open();
    }

    boolean wasInterrupted() {
        return interrupted.getCount() == 0;
    }
}
