package io.lifeguard.pool.diagnosis.outside;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An external pool, read from outside: through its own getters, and through its threads. Thread-safe; holds the
 * executor weakly.
 *
 * @param <E> the type of the executor
 */
public abstract class ExternalPool<E extends Executor> implements InstrumentedPool, PoolSource {

    private final WeakReference<E> pool;
    private final String name;
    private final WorkerNumbers numbers = new WorkerNumbers(new ThreadReader());

    // written by any reader; a stale read gives an older snapshot of a pool that was collected
    private volatile @Nullable PoolSnapshot latest;

    ExternalPool(E pool, String name) {
        this.pool = new WeakReference<>(pool);
        this.name = name;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final @Nullable InstrumentedPool meter() {
        return pool.get() == null ? null : this;
    }

    @Override
    public final @Nullable Object executor() {
        return pool.get();
    }

    @Override
    public final boolean isGone() {
        E mine = pool.get();
        return mine == null || isTerminated(mine);
    }

    @Override
    public final PoolSnapshot snapshot() {
        PoolSnapshot now = ask(this::read, latest);
        if (now == null) {
            throw new IllegalStateException("pool " + name + " was collected before it was looked at");
        }
        latest = now;
        return now;
    }

    @Override
    public final synchronized List<WorkerState> workers() {
        List<WorkerState> none = List.of();
        List<WorkerState> workers = ask(this::workers, none);
        return workers == null ? none : workers;
    }

    /**
     * {@return why it is unknown which threads are its workers, so that nothing is known about what they do, or why its
     * tasks are not looked at; empty if all is known, or if its threads were not searched for yet}
     */
    public Optional<String> blindness() {
        return Optional.empty();
    }

    private <T> @Nullable T ask(Function<E, T> question, @Nullable T otherwise) {
        E mine = pool.get();
        return mine == null ? otherwise : question.apply(mine);
    }

    boolean isTerminated(E executor) {
        return executor instanceof ExecutorService service && service.isTerminated();
    }

    /** Reads what the executor says of itself. */
    abstract PoolSnapshot read(E executor);

    /** Finds those of its workers that can be told from other threads. Called by one thread at a time. */
    abstract List<WorkerState> workers(E executor);

    final PoolSnapshot snapshot(int size, int active, int queued, long completed, Limits limits) {
        return unmeasured(name, size, active, queued, completed, limits);
    }

    /** {@return the same snapshot, of a pool whose next task should have begun so long ago} */
    static PoolSnapshot.Builder late(PoolSnapshot counted, Duration lateness) {
        PoolSnapshot.Load load = counted.load();
        return counted.toBuilder().load(new PoolSnapshot.Load(load.size(), load.active(), load.queued(), lateness));
    }

    /**
     * {@return a snapshot of a pool that does not measure its tasks: times are unknown, other counts are zero}
     *
     * @param name its name, not blank
     * @param size how many threads it has
     * @param active how many of them run a task
     * @param queued how many tasks wait
     * @param completed how many tasks have been completed since it was made; {@link PoolSnapshot#UNKNOWN} if unknown
     * @param limits its sizes and the room in its queue, not null
     */
    public static PoolSnapshot unmeasured(
            String name, int size, int active, int queued, long completed, Limits limits) {
        long submitted = completed == PoolSnapshot.UNKNOWN ? PoolSnapshot.UNKNOWN : completed + active + queued;
        return PoolSnapshot.builder(name)
                .load(new PoolSnapshot.Load(size, active, queued, Duration.ZERO))
                .limits(limits)
                .counts(new PoolSnapshot.Counts(submitted, completed, 0, 0, 0, 0))
                .build();
    }

    /**
     * {@return workers, as far as their threads tell} A worker of the JDK's that has nothing to do waits, so one that
     * does not wait is busy. One that waits may wait within a task.
     */
    final List<WorkerState> states(List<Thread> threads, boolean allAreBusy, boolean allAreIdle) {
        numbers.search(threads);
        return threads.stream()
                .map(thread -> state(thread, allAreBusy, allAreIdle))
                .toList();
    }

    private WorkerState state(Thread thread, boolean allAreBusy, boolean allAreIdle) {
        Thread.State state = thread.getState();
        boolean waits = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        boolean busy = allAreBusy || !waits;
        return new WorkerState(
                thread, numbers.of(thread), busy, !busy && allAreIdle, Optional.empty(), Duration.ZERO, 0);
    }
}
