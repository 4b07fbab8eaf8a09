package io.lifeguard.pool.diagnosis.seen;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * A live pool of the same process. Immutable.
 *
 * @param name the pool's name
 * @param scheduler whether it runs tasks at given times
 * @param use reads what the pool has done so far
 */
public record Peer(String name, boolean scheduler, Supplier<Use> use) {

    /**
     * All live pools of the same process, instrumented or watched, as they are now; the pool of the window included.
     */
    @FunctionalInterface
    public interface All extends Supplier<List<Peer>> {}

    /**
     * {@return the pools of the process of a window; empty where they are unknown} The list is made anew at each call,
     * so ask for it only when the window alone does not decide.
     *
     * @param window not null
     */
    public static List<Peer> in(PoolWindow window) {
        All all = window.seen(All.class).orElse(null);
        return all == null ? List.of() : all.get();
    }

    /**
     * What a pool has done so far.
     *
     * @param workers its threads
     * @param busy those that run a task
     * @param queued tasks that wait; {@link PoolSnapshot#UNKNOWN} where tasks are not counted
     * @param tasks tasks that were submitted; {@link PoolSnapshot#UNKNOWN} where tasks are not counted
     * @param worked for how many seconds its workers have worked, in all; where tasks are not counted, their CPU time
     * @param idled for how many seconds its workers were idle, in all
     */
    public record Use(int workers, int busy, int queued, long tasks, double worked, double idled) {

        /**
         * {@return what a pool has done}
         *
         * @param pool not null
         */
        public static Use of(PoolSnapshot pool) {
            return new Use(
                    pool.size(),
                    pool.active(),
                    pool.queued(),
                    pool.submitted(),
                    pool.serviceTime().total().toNanos() / 1e9,
                    pool.times().idle().toNanos() / 1e9);
        }

        /** {@return whether the number of tasks is known} */
        public boolean countsTasks() {
            return tasks != PoolSnapshot.UNKNOWN;
        }
    }

    /**
     * {@return a pool of this JVM}
     *
     * @param pool not null
     */
    public static Peer of(InstrumentedPool pool) {
        return new Peer(pool.name(), isScheduler(pool), new Asking(pool));
    }

    private record Asking(InstrumentedPool pool) implements Supplier<Use> {
        @Override
        public Use get() {
            return Use.of(pool.snapshot());
        }
    }

    /**
     * {@return whether a pool runs tasks at given times}
     *
     * @param pool not null
     */
    public static boolean isScheduler(InstrumentedPool pool) {
        return pool instanceof ScheduledExecutorService;
    }
}
