package io.lifeguard.pool.testing;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A task that keeps its worker until it is released or interrupted. Thread-safe. */
public final class HeldTask implements Runnable {

    private final Gate gate;
    public final CountDownLatch started = new CountDownLatch(1);
    public final CountDownLatch interrupted = new CountDownLatch(1);
    public final CountDownLatch ended = new CountDownLatch(1);
    public volatile @Nullable Thread worker;
    private volatile @Nullable RuntimeException failure;

    public HeldTask(Gate gate) {
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
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Releases it, to end with that exception. */
    public void fail(RuntimeException thrown) {
        failure = thrown;
        gate.open();
    }

    public void release() {
        gate.open();
    }

    public boolean wasInterrupted() {
        return interrupted.getCount() == 0;
    }
}
