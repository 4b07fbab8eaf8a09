package io.lifeguard.pool.diagnosis.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** A user's queue that does not say its size until a latch opens. */
public final class SilentQueue extends LinkedBlockingQueue<Runnable> {

    private static final long serialVersionUID = 1;

    private final transient CountDownLatch silence;

    public SilentQueue(CountDownLatch silence) {
        this.silence = silence;
    }

    @Override
    public int size() {
        await(silence);
        return super.size();
    }

    /** Waits, and does not end when the thread is interrupted. */
    public static void await(CountDownLatch latch) {
        boolean isOpen = false;
        while (!isOpen) {
            try {
                latch.await();
                isOpen = true;
            } catch (InterruptedException ignored) {
                continue;
            }
        }
    }
}
