package io.lifeguard.pool.diagnosis.outside;

import io.lifeguard.pool.PoolSnapshot.Unseen;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches the tasks of an external scheduled pool in its queue: how late the next one is, and which periodic ones have
 * died. Guarded by the pool it belongs to.
 *
 * <p>A periodic task is in the queue whenever it does not run. Its future is done only when it was cancelled, or when a
 * run threw. In the latter case the future has the exception, and the JDK tells nobody.
 *
 * <p>Living tasks are held strongly, because nobody else may hold a task that has died. A future holds its pool, which
 * its threads keep alive anyway until it is shut down.
 */
final class ScheduledTasks {

    /** Each look copies the queue. */
    private static final int MOST_QUEUED = 1_000;

    private static final int MOST_DEATHS = 16;

    private final Set<Future<?>> alive = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Death> deaths = new ArrayList<>();
    private boolean isTooLong; // the queue, at the latest look

    /** The kind of a task that has died, and the class of its exception. */
    private record Death(String kind, String exception) {}

    void look(Queue<Runnable> queue) {
        isTooLong = queue.size() > MOST_QUEUED;
        if (isTooLong) {
            return;
        }
        for (Iterator<Future<?>> futures = alive.iterator(); futures.hasNext(); ) {
            Future<?> future = futures.next();
            if (future.isDone()) {
                futures.remove();
                Death death = deathOf(future);
                if (death != null && deaths.size() < MOST_DEATHS) {
                    deaths.add(death);
                }
            }
        }
        for (Runnable task : queue) {
            if (task instanceof RunnableScheduledFuture<?> future
                    && future.isPeriodic()
                    && !future.isDone()
                    && alive.add(future)
                    && !deaths.isEmpty()) {
                deaths.remove(0); // scheduled anew, as far as can be told
            }
        }
    }

    static Duration lateness(Queue<Runnable> queue) {
        return queue.peek() instanceof RunnableScheduledFuture<?> next && !next.isCancelled()
                ? Duration.ofNanos(Math.max(0, -next.getDelay(TimeUnit.NANOSECONDS)))
                : Duration.ZERO;
    }

    /** Why a task that dies now is not seen; empty if it is seen. */
    Optional<String> doubt() {
        return isTooLong
                ? Optional.of("its queue of more than " + MOST_QUEUED
                        + " tasks is not searched for periodic tasks that have died")
                : Optional.empty();
    }

    List<Unseen> unseen() {
        Map<Death, Long> counts = new LinkedHashMap<>();
        deaths.forEach(death -> counts.merge(death, 1L, Long::sum));
        return counts.entrySet().stream()
                .map(entry -> new Unseen(
                        entry.getKey().kind(), entry.getKey().exception(), 0, 0, Duration.ZERO, entry.getValue()))
                .toList();
    }

    private static @Nullable Death deathOf(Future<?> done) {
        boolean wasInterrupted = Thread.interrupted(); // get() of a done future throws otherwise
        try {
            done.get();
            return null; // it has decided to end, which a subclass may do
        } catch (CancellationException ignored) { // on purpose
            return null;
        } catch (ExecutionException e) {
            Throwable thrown = e.getCause() == null ? e : e.getCause();
            return new Death(
                    firstMethod(thrown.getStackTrace()), thrown.getClass().getName());
        } catch (InterruptedException e) {
            wasInterrupted = true;
            return null;
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The task's method that the scheduler called: the lowest frame that is not of the JDK. */
    private static String firstMethod(StackTraceElement[] stack) {
        for (int i = stack.length - 1; i >= 0; i--) {
            if (!UserFrames.isJdk(stack[i])) {
                return stack[i].getClassName() + '.' + stack[i].getMethodName();
            }
        }
        return "a periodic task";
    }
}
