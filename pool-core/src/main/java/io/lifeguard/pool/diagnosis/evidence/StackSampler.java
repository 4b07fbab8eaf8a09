package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.window.StackSample;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Samples workers' stacks by {@link ThreadMXBean}, within a budget. Not thread-safe. Keeps no thread.
 *
 * <p>A stack costs 15 to 60 µs, and all threads are stopped for most of that time. So a round looks at no more workers
 * than the budget has earned since the last one. It looks at other workers each time, and never at
 * {@linkplain WorkerState#idle idle} ones. The waiters of a lock are counted without stacks, which costs 0.5 µs per
 * thread and stops nothing. That is done for all threads of the process, so that the waiters of other pools count.
 */
final class StackSampler implements StackSource {

    /** 100 frames: an application's frame may lie that deep below a driver's in a program built of frameworks. */
    static final int DEPTH = 100;

    /** 64 stacks, because all threads are stopped meanwhile: about 3 ms. */
    static final int MOST_STACKS = 64;

    /** Where a process has more threads, waiters are counted among the pool's own workers only. */
    private static final int MOST_THREADS = 5_000;

    /** First guess; each round corrects it. */
    private static final double GUESS_NANOS = 50_000;

    /** The highest cost of the walk over one stack, while all threads are stopped. */
    private static final double DEAREST_STACK = 60_000;

    private static final int FEWEST_STACKS = 4;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final double nanosPerSecond;
    private final LongSupplier clock;
    private final LongSupplier cpuClock; // of the calling thread; the same as the clock where there is none

    private double pace = 1;
    private double
            free; // nanoseconds that are not counted: the first looks are interpreted, and cost ten times as much
    private double stackNanos = GUESS_NANOS;
    private double earned; // nanoseconds that may be spent
    private long lastRound;
    private int next; // where the next round's part of the workers begins

    /**
     * Creates a sampler.
     *
     * @param perSecond how much time it may spend in each second, all pools together
     */
    StackSampler(Duration perSecond) {
        this(perSecond, System::nanoTime, EvidenceBudget::cpuOfThisThread, Duration.ZERO);
    }

    StackSampler(Duration perSecond, LongSupplier clock, LongSupplier cpuClock, Duration warmUp) {
        this.free = warmUp.toNanos();
        this.nanosPerSecond = perSecond.toNanos();
        this.clock = clock;
        this.cpuClock = cpuClock;
        this.earned = nanosPerSecond;
        this.lastRound = clock.getAsLong();
    }

    @Override
    public void pace(double factor) {
        pace = factor;
    }

    @Override
    public Optional<StackSample> sample(List<WorkerState> workers, @Nullable ThreadPoolExecutor pool) {
        long begin = clock.getAsLong();
        long cpuBegin = cpuClock.getAsLong();
        earned = Math.min(nanosPerSecond, earned + (begin - lastRound) / 1e9 * nanosPerSecond * pace);
        lastRound = begin;
        List<WorkerState> looked =
                part(workers.stream().filter(worker -> !worker.idle()).toList());
        if (looked == null) {
            return Optional.empty();
        }
        StackRound round = new StackRound(threads, workers, pool);
        round.look(looked);
        round.lookAtLocks(threads.getThreadCount() <= MOST_THREADS);
        StackSample sample = round.sample();
        spend(clock.getAsLong() - begin, cpuClock.getAsLong() - cpuBegin, looked.size());
        return Optional.of(sample);
    }

    /** As many workers as the budget allows; null when it allows too few. */
    private @Nullable List<WorkerState> part(List<WorkerState> workers) {
        int affordable = (int) Math.min(MOST_STACKS, (earned + free) / stackNanos);
        if (workers.size() <= affordable) {
            return workers;
        }
        if (affordable < FEWEST_STACKS) {
            return null;
        }
        List<WorkerState> part = new ArrayList<>(affordable);
        for (int i = 0; i < affordable; i++) {
            part.add(workers.get(Math.floorMod(next + i, workers.size())));
        }
        next += affordable;
        return part;
    }

    /**
     * Counts what a round has cost. Time that was neither work of this thread nor of the JVM's stack walker was a wait
     * for a CPU, and stopped nobody.
     */
    private void spend(long wall, long own, int stacks) {
        double nanos = own + Math.max(0, Math.min((double) wall - own, stacks * DEAREST_STACK));
        double uncounted = Math.min(free, nanos);
        free -= uncounted;
        earned -= nanos - uncounted;
        if (stacks > 0) {
            // A round that was suspended says little of the next one's cost.
            double cost = Math.min(nanos / stacks, 4 * stackNanos);
            stackNanos = Math.max(1_000, 0.75 * stackNanos + 0.25 * cost);
        }
    }
}
