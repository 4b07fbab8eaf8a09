package io.lifeguard.pool;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Delivers one pool's events to its listeners, in order, on a daemon thread that all pools share and that ends when there was
 * nothing to deliver for five seconds. A full backlog drops events and counts them. Thread-safe.
 */
final class EventDelivery {

    /** Events that may wait, over all pools. */
    private static final int BACKLOG = 8_192;

    private static final ThreadPoolExecutor COURIER = courier();

    /** Ends of pools that found the backlog full: there is one for each pool at most, and none may be lost. */
    private static final Queue<Delivery> LATE = new ConcurrentLinkedQueue<>();

    private final InstrumentedPool pool;
    private final List<PoolListener> listeners;
    private final List<PoolListener> taskListeners;
    private final LongAdder dropped = new LongAdder();

    EventDelivery(InstrumentedPool pool, List<PoolListener> listeners) {
        this.pool = pool;
        this.listeners = List.copyOf(listeners);
        this.taskListeners = this.listeners.stream()
                .filter(listener -> Callbacks.ask(listener, listener::wantsTasks))
                .toList();
    }

    boolean hasListeners() {
        return !listeners.isEmpty();
    }

    boolean wantsTasks() {
        return !taskListeners.isEmpty();
    }

    long dropped() {
        return dropped.sum();
    }

    void send(Consumer<PoolListener> event) {
        deliver(listeners, event);
    }

    /**
     * The last event, which is never dropped. If the backlog is full it goes to the end of the line as soon as there is room: whatever is
     * delivered after it was put aside looks for it, and a full backlog has something to deliver.
     */
    void sendLast(Consumer<PoolListener> event) {
        if (hasListeners()) {
            LATE.add(new Delivery(listeners, event));
            try {
                COURIER.execute(EventDelivery::queueLate);
            } catch (OutOfMemoryError noThread) {
                return; // it stays aside until the next event finds a thread
            }
        }
    }

    private static void queueLate() {
        Delivery late = LATE.poll();
        if (late != null && !COURIER.getQueue().offer(late)) {
            LATE.add(late);
        }
    }

    /** To those only who want to hear of every task. */
    void sendOfTask(Consumer<PoolListener> event) {
        deliver(taskListeners, event);
    }

    private void deliver(List<PoolListener> to, Consumer<PoolListener> event) {
        if (!to.isEmpty()) {
            Delivery delivery = new Delivery(to, event);
            try {
                COURIER.execute(delivery);
            } catch (OutOfMemoryError noThread) {
                delivery.drop(); // the task that this tells of must not suffer
            }
        }
    }

    InstrumentedPool pool() {
        return pool;
    }

    private static ThreadPoolExecutor courier() {
        ThreadPoolExecutor courier = new ThreadPoolExecutor(
                1,
                1,
                5,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(BACKLOG),
                body -> Callbacks.daemon("lifeguard-events", body),
                (event, full) -> {
                    if (event instanceof Delivery delivery) {
                        delivery.drop();
                    }
                });
        courier.allowCoreThreadTimeOut(true);
        return courier;
    }

    private final class Delivery implements Runnable {
        private final List<PoolListener> to;
        private final Consumer<PoolListener> event;

        Delivery(List<PoolListener> to, Consumer<PoolListener> event) {
            this.to = to;
            this.event = event;
        }

        @Override
        public void run() {
            for (PoolListener listener : to) {
                Callbacks.call(listener, () -> event.accept(listener));
            }
            queueLate();
        }

        void drop() {
            dropped.increment();
        }
    }
}
