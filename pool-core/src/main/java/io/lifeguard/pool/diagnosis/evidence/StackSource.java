package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.window.StackSample;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * A source of the stacks of a pool's workers. Only the monitor's thread calls it, several times in a window at
 * {@linkplain StackRounds unequal times}. {@link StackJoin} joins the answers.
 */
@FunctionalInterface
public interface StackSource {

    /** A source without stacks. */
    StackSource NONE = (workers, pool) -> Optional.empty();

    /** Sets how many times as much as usual it may cost, because windows are shorter. */
    default void pace(double factor) {}

    /**
     * Looks at the workers, once.
     *
     * @param workers the workers as they are now
     * @param pool their pool, to see what waits in its queue; null for other executors
     * @return what they do, as one round; empty when it cannot be seen, or not within the budget
     */
    Optional<StackSample> sample(List<WorkerState> workers, @Nullable ThreadPoolExecutor pool);
}
