package io.lifeguard.pool.testing;

import java.util.concurrent.CountDownLatch;

/** Holds threads back until it is opened; the fixture opens every gate when the check ends. Thread-safe. */
public final class Gate {

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    public void open() {
        opened.countDown();
    }

    /** Waits until the gate is opened. */
    public void pass() throws InterruptedException {
        arrived.countDown();
        opened.await();
    }

    /** Waits until the gate is opened, whatever interrupts; an interrupt is kept for the caller to see. */
    public void passUninterruptibly() {
        boolean interrupted = false;
        while (true) {
            try {
                pass();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Counted down by the first thread that comes to the gate. */
    public CountDownLatch arrived() {
        return arrived;
    }
}
