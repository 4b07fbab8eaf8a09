package io.lifeguard.pool;

import io.lifeguard.pool.os.LibraryThread;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Delivers one pool's events to its listeners, in order. All pools share one daemon thread, which ends after five
 * seconds without an event. A full backlog drops events and counts them. Thread-safe.
 */
final class EventDelivery {

    /** Events of all pools that may wait. */
    private static final int BACKLOG = 8_192;

    private final List<PoolListener> listeners;
    private final List<PoolListener> taskListeners;
    // written by any thread that sends an event; a stale read misses the latest
    private final AtomicLong dropped = new AtomicLong();

    EventDelivery(List<PoolListener> listeners) {
        this.listeners = List.copyOf(listeners);
        this.taskListeners = this.listeners.isEmpty() ? List.of() : wantingTasks(this.listeners);
        if (hasListeners()) {
            Deliverer.prepare(); // memory may be short at the first event
        }
    }

    private static List<PoolListener> wantingTasks(List<PoolListener> listeners) {
        return listeners.stream()
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
        return dropped.get();
    }

    void send(Consumer<PoolListener> event) {
        deliver(listeners, event);
    }

    /**
     * Sends the last event, which is never dropped. If the backlog is full, the event is put aside. Each delivery tries
     * to queue an event that was put aside, and a full backlog always has something to deliver.
     */
    void sendLast(Consumer<PoolListener> event) {
        if (hasListeners()) {
            Deliverer.LATE.add(new Delivery(listeners, event));
            try {
                Deliverer.POOL.execute(EventDelivery::queueLate);
            } catch (Error ignored) {
                return; // the event stays aside until a later event finds a thread
            }
        }
    }

    private static void queueLate() {
        Delivery late = Deliverer.LATE.poll();
        if (late != null && !Deliverer.POOL.getQueue().offer(late)) {
            Deliverer.LATE.add(late);
        }
    }

    void sendOfTask(Consumer<PoolListener> event) {
        deliver(taskListeners, event);
    }

    private void deliver(List<PoolListener> to, Consumer<PoolListener> event) {
        if (!to.isEmpty()) {
            try {
                Deliverer.POOL.execute(new Delivery(to, event));
            } catch (Error ignored) {
                dropped.incrementAndGet(); // the task of this event must not fail
            }
        }
    }

    /** Made with the first pool that has a listener. */
    private static final class Deliverer {
        static final ThreadPoolExecutor POOL = deliverer();

        /**
         * Terminations that may find the backlog full: at most one for each pool, and none may be lost. Written by
         * threads that end a pool and by the deliverer; a stale read leaves an event for the next delivery.
         */
        static final Queue<Delivery> LATE = new ConcurrentLinkedQueue<>();

        static void prepare() {}

        private static ThreadPoolExecutor deliverer() {
            ThreadPoolExecutor deliverer = new ThreadPoolExecutor(
                    1,
                    1,
                    5,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(BACKLOG),
                    body -> LibraryThread.daemon("lifeguard-events", body),
                    (event, full) -> {
                        if (event instanceof Delivery delivery) {
                            delivery.drop();
                        }
                    });
            deliverer.allowCoreThreadTimeOut(true);
            return deliverer;
        }
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
            dropped.incrementAndGet();
        }
    }
}
