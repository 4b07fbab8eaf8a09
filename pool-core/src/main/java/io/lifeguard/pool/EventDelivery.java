package io.lifeguard.pool;

import java.util.List;
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

    private final InstrumentedPool pool;
    private final List<PoolListener> listeners;
    private final boolean tasksWanted;
    private final LongAdder dropped = new LongAdder();

    EventDelivery(InstrumentedPool pool, List<PoolListener> listeners) {
        this.pool = pool;
        this.listeners = List.copyOf(listeners);
        this.tasksWanted = listeners.stream().anyMatch(PoolListener::wantsTasks);
    }

    boolean hasListeners() {
        return !listeners.isEmpty();
    }

    boolean wantsTasks() {
        return tasksWanted;
    }

    long dropped() {
        return dropped.sum();
    }

    void send(Consumer<PoolListener> event) {
        if (!listeners.isEmpty()) {
            COURIER.execute(new Delivery(event));
        }
    }

    InstrumentedPool pool() {
        return pool;
    }

    private static ThreadPoolExecutor courier() {
        ThreadPoolExecutor courier = new ThreadPoolExecutor(
                1, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(BACKLOG), EventDelivery::thread, (event, full) -> {
                    if (event instanceof Delivery delivery) {
                        delivery.drop();
                    }
                });
        courier.allowCoreThreadTimeOut(true);
        return courier;
    }

    private static Thread thread(Runnable body) {
        Thread thread = new Thread(null, body, "lifeguard-events", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(EventDelivery.class.getClassLoader());
        return thread;
    }

    private final class Delivery implements Runnable {
        private final Consumer<PoolListener> event;

        Delivery(Consumer<PoolListener> event) {
            this.event = event;
        }

        @Override
        public void run() {
            for (PoolListener listener : listeners) {
                Callbacks.call(listener, () -> event.accept(listener));
            }
        }

        void drop() {
            dropped.increment();
        }
    }
}
