package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.text.UserCode;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Asks a user's queue or executor what the monitor's thread is going to ask it, because {@code size()} may never
 * return. Queues of the JDK and of this library always answer, so there is no question for those. Immutable.
 */
public record FirstQuestion(Object target, PoolSource source) implements Runnable {

    /**
     * {@return the question; null if nothing of a user's is asked}
     *
     * @param isThorough whether executors of unknown types are asked, too: that takes a snapshot
     */
    public static @Nullable FirstQuestion of(PoolSource source, boolean isThorough) {
        Object executor = source.executor();
        Object target = executor instanceof ThreadPoolExecutor jdk ? jdk.getQueue() : isThorough ? executor : null;
        if (target == null || target instanceof InstrumentedPool || target instanceof ForkJoinPool) {
            return null;
        }
        return UserCode.isUsers(target) ? new FirstQuestion(target, source) : null;
    }

    public String title(String pool) {
        return "The " + (target instanceof BlockingQueue ? "queue" : "executor") + " of pool '" + pool + "', a "
                + target.getClass().getName() + ",";
    }

    @Override
    @SuppressWarnings("ReturnValueIgnored") // that they return is the answer
    public void run() {
        if (target instanceof BlockingQueue<?> queue) {
            queue.size();
            queue.peek();
            queue.remainingCapacity();
            return;
        }
        source.isGone();
        InstrumentedPool meter = source.meter();
        if (meter != null) {
            meter.snapshot();
        }
    }
}
