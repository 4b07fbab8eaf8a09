package io.lifeguard.pool.diagnosis.outside;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.PoolSnapshot.Saturation;
import io.lifeguard.pool.PoolSnapshot.Unseen;
import io.lifeguard.pool.RejectionReason;
import io.lifeguard.pool.WorkerState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An external {@link ThreadPoolExecutor}. Its getters take the lock that starting and ending workers take, and that no
 * task takes.
 */
public final class ExternalThreadPool extends ExternalPool<ThreadPoolExecutor> {

    private final WorkerFinder workers;
    private final CallerRunsLooks callerRuns;
    private final ScheduledTasks scheduled = new ScheduledTasks();

    /** Names of its threads begin with the prefix, which is empty if it is unknown. */
    public ExternalThreadPool(ThreadPoolExecutor pool, String name, String threadPrefix) {
        this(pool, name, threadPrefix, System::nanoTime);
    }

    /** Must be given a finder that does not hold the pool. */
    public ExternalThreadPool(ThreadPoolExecutor pool, String name, WorkerFinder workers) {
        this(pool, name, workers, System::nanoTime);
    }

    ExternalThreadPool(ThreadPoolExecutor pool, String name, String threadPrefix, LongSupplier clock) {
        this(pool, name, new ExternalWorkers(name, threadPrefix), clock);
    }

    private ExternalThreadPool(ThreadPoolExecutor pool, String name, WorkerFinder workers, LongSupplier clock) {
        super(pool, name);
        this.workers = workers;
        this.callerRuns = new CallerRunsLooks(clock);
    }

    @Override
    PoolSnapshot read(ThreadPoolExecutor executor) {
        long completed = executor.getCompletedTaskCount(); // first: a task must not count as active and completed
        PoolSnapshot counted = snapshot(
                executor.getPoolSize(),
                executor.getActiveCount(),
                executor.getQueue().size(),
                completed,
                new Limits(
                        executor.getCorePoolSize(),
                        executor.getMaximumPoolSize(),
                        executor.getQueue().remainingCapacity()));
        PoolSnapshot.Builder snapshot = executor instanceof ScheduledThreadPoolExecutor
                ? late(counted, ScheduledTasks.lateness(executor.getQueue()))
                        .unseenFailures(deaths(executor.getQueue()))
                : counted.toBuilder();
        return snapshot.saturation(saturation()).build();
    }

    private synchronized List<Unseen> deaths(Queue<Runnable> queue) {
        scheduled.look(queue);
        return scheduled.unseen();
    }

    private synchronized Saturation saturation() {
        List<Caller> callers = List.copyOf(callerRuns.callers());
        return callers.isEmpty()
                ? Saturation.NONE
                : new Saturation(0, 0, Duration.ZERO, Map.of(), callers, List.of(), List.of());
    }

    @Override
    List<WorkerState> workers(ThreadPoolExecutor executor) {
        int size = executor.getPoolSize();
        int active = executor.getActiveCount();
        List<Thread> found = workers.find(executor);
        callerRuns.look(executor, found);
        return states(found, active >= size, active == 0);
    }

    /** {@return which tasks its policy throws away when it is full; null where it does not, or is a user's own} */
    public @Nullable RejectionReason discards() {
        RejectedExecutionHandler policy =
                executor() instanceof ThreadPoolExecutor pool ? pool.getRejectedExecutionHandler() : null;
        Class<?> type = policy == null ? null : policy.getClass(); // a subclass may tell somebody
        return type == ThreadPoolExecutor.DiscardPolicy.class
                ? RejectionReason.DISCARDED
                : type == ThreadPoolExecutor.DiscardOldestPolicy.class ? RejectionReason.DISCARDED_OLDEST : null;
    }

    @Override
    public synchronized Optional<String> blindness() {
        return Stream.of(workers.doubt(), scheduled.doubt())
                .flatMap(Optional::stream)
                .reduce((one, other) -> one + ", and " + other);
    }
}
