package io.lifeguard.examples.orders.sickness;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Every task waits for another task in the queue of the same pool, which is a deadlock. The cure cancels those tasks.
 */
@Component
@Profile("clinic")
final class StarvedByOwnTasks extends Sickness {

    private static final int PARENTS = 8;
    private static final double PART_MILLIS = 2;

    private final ExecutorService pool;
    private final Warehouse warehouse;
    private final Queue<Future<?>> parts = new ConcurrentLinkedQueue<>();

    StarvedByOwnTasks(@Qualifier("imports") ExecutorService pool, Warehouse warehouse) {
        super("starved-by-own-tasks", "imports", "4 workers wait for parts that are queued behind them");
        this.pool = pool;
        this.warehouse = warehouse;
    }

    @Override
    void outbreak(Traffic traffic) {
        for (int i = 0; i < PARENTS; i++) {
            pool.execute(() -> importAll(traffic));
        }
        traffic.arrivals(20, pool, () -> importAll(traffic));
    }

    private void importAll(Traffic traffic) {
        if (traffic.isOver()) {
            return;
        }
        warehouse.call(PART_MILLIS);
        Future<?> part = pool.submit(() -> warehouse.call(PART_MILLIS));
        parts.add(part);
        try {
            if (traffic.isOver()) {
                part.cancel(false); // cure() may have run before the part was added
            }
            part.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a part failed", e);
        } catch (CancellationException ignored) {
            return;
        }
    }

    @Override
    void cure() {
        for (Future<?> part = parts.poll(); part != null; part = parts.poll()) {
            part.cancel(false);
        }
    }
}
