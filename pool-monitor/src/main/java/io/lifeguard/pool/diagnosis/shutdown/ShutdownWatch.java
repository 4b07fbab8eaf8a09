package io.lifeguard.pool.diagnosis.shutdown;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.UserFrames;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says, while the JVM shuts down, for which pools it waits: one line of the log for each pool that was shut down and
 * still has tasks two seconds later. A pool that nobody has shut down holds up nothing, because the JVM waits for its
 * shutdown hooks and not for threads. Confined to its thread.
 */
public final class ShutdownWatch implements Runnable {

    /* A shutdown hook would keep the class loader of an application that was stopped. So whoever looks, asks. */

    /** What ends sooner holds up nobody: the shortest usual grace is ten seconds (Docker). */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    // Of the lookout and of monitors. Added to by any thread; a list that is missed is seen in the next turn.
    private static final List<Supplier<List<PoolSource>>> LISTS = new CopyOnWriteArrayList<>();

    private final IdentityHashMap<Object, Held> held = new IdentityHashMap<>(); // by executor

    private ShutdownWatch() {}

    /** {@return whether the JVM shuts down} Costs less than a microsecond until it does. */
    public static boolean isShuttingDown() {
        try {
            Runtime.getRuntime().removeShutdownHook(Thread.currentThread()); // which is none
            return false;
        } catch (IllegalStateException e) {
            return true;
        } catch (RuntimeException e) { // it may not ask
            return false;
        }
    }

    /**
     * Looks at these pools in a daemon thread, until the JVM has ended. A pool that is in several lists is said once.
     */
    public static void begin(Supplier<List<PoolSource>> pools) {
        synchronized (LISTS) {
            LISTS.add(pools);
            if (LISTS.size() > 1) {
                return;
            }
        }
        Thread thread = new Thread(new ShutdownWatch(), "lifeguard-shutdown");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        while (true) {
            for (Supplier<List<PoolSource>> pools : LISTS) {
                for (PoolSource source : pools.get()) {
                    try {
                        look(source);
                    } catch (RuntimeException | LinkageError ignored) { // a user's pool; or its class loader is closed
                    }
                }
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private void look(PoolSource source) {
        Object executor = source.executor();
        InstrumentedPool pool = source.meter();
        if (executor == null || pool == null || PoolState.of(executor) != PoolState.SHUTTING_DOWN) {
            return;
        }
        Held mine = held.computeIfAbsent(executor, unused -> new Held(System.nanoTime()));
        Duration since = Duration.ofNanos(System.nanoTime() - mine.since);
        if (!mine.isSaid && since.toNanos() >= PATIENCE_NANOS) {
            Optional<String> sentence = sentence(pool, since);
            mine.isSaid = sentence.isPresent();
            sentence.ifPresent(ShutdownWatch::say);
        }
    }

    /** {@return what the JVM waits for; empty if the pool has no task} */
    private static Optional<String> sentence(InstrumentedPool pool, Duration since) {
        PoolSnapshot snapshot = pool.snapshot();
        int queued = snapshot.countsQueue() ? snapshot.queued() : 0;
        List<WorkerState> busy = new ArrayList<>(pool.workers());
        busy.removeIf(worker -> !worker.busy());
        int running = Math.max(busy.size(), pool.threadCount());
        if (running == 0 && queued == 0) {
            return Optional.empty();
        }
        String text = "the JVM shuts down and waits for pool " + LogText.name(pool.name()) + ": "
                + Units.time(since) + " after the pool was shut down, " + Counted.of(running, "task")
                + (running == 1 ? " still runs" : " still run");
        Optional<WorkerState> longest = busy.stream().max(Comparator.comparing(WorkerState::runningFor));
        Thread thread = longest.map(WorkerState::thread)
                .or(() -> pool.threads(1).stream().findFirst())
                .orElse(null);
        if (thread != null) {
            Duration time = longest.map(WorkerState::runningFor).orElseGet(pool::longestRun);
            String place = UserFrames.place(List.of(thread.getStackTrace()));
            text += (running == 1 ? ", in " : ", the longest in ")
                    + (thread.getName().isEmpty() ? "a virtual thread" : LogText.name(thread.getName()))
                    + (time.isZero() ? "" : " for " + Units.time(time))
                    + (place.isEmpty() ? "" : ", now at " + LogText.clean(place));
        }
        return Optional.of(
                queued == 0 ? text : text + "; " + Counted.of(queued, "task") + " more in the queue, lost if killed");
    }

    /** Of {@code java.util.logging} the handlers are gone by now: it resets itself when the JVM shuts down. */
    private static void say(String text) {
        Logger log = LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");
        if (LoggerFactory.getILoggerFactory().getClass().getSimpleName().startsWith("JDK14")) {
            System.err.println("WARNING: " + text);
        } else {
            log.warn(text);
        }
    }

    /** A pool that was shut down. */
    private static final class Held {
        final long since;
        boolean isSaid;

        Held(long since) {
            this.since = since;
        }
    }
}
