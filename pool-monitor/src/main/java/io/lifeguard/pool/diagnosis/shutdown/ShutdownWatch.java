package io.lifeguard.pool.diagnosis.shutdown;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says, while the JVM shuts down, for which pools it waits: one line of the log for each pool that was shut down and
 * still has tasks two seconds later. A pool that nobody has shut down holds up nothing, because the JVM waits for its
 * shutdown hooks and not for threads. Spring, Quarkus and Micronaut are the exceptions: they wait for tasks or requests
 * first, and shut their pools down afterwards. Confined to its thread.
 */
public final class ShutdownWatch implements Runnable {

    /* A shutdown hook would keep the class loader of an application that was stopped. So whoever looks, asks. */

    /** What ends sooner holds up nobody: the shortest usual grace is ten seconds (Docker). */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    // Of the lookout and of monitors. Added to by any thread; a list that is missed is seen in the next turn.
    private static final List<Supplier<List<PoolSource>>> LISTS = new CopyOnWriteArrayList<>();

    /** The threads in which Spring Boot, Spring without Boot, and Quarkus shut down: Quarkus in its hook or main. */
    private static final Set<String> ENDING =
            Set.of("SpringApplicationShutdownHook", "SpringContextShutdownHook", "Shutdown thread", "main");

    /** Micronaut shuts down in a hook without a name, so it has the JDK's. */
    private static final String UNNAMED = "Thread-";

    /** A stack stops its thread for some 20 µs, and a user may have thousands of threads without a name. */
    private static final int MOST_UNNAMED = 64;

    /** The classes that wait in these threads for running tasks and requests. */
    private static final Set<String> WAITING = Set.of(
            "org.springframework.context.support.DefaultLifecycleProcessor$LifecycleGroup",
            "io.quarkus.runtime.shutdown.ShutdownRecorder",
            "io.micronaut.runtime.graceful.GracefulShutdownListener");

    /** The beginnings of the class names of pools whose tasks they wait for. */
    private static final List<String> WAITED_FOR = List.of(
            "org.springframework.scheduling.",
            "io.lifeguard.pool.spring.executor.Hooked",
            "org.apache.tomcat.util.threads.",
            "org.eclipse.jetty.util.thread.",
            "org.jboss.threads.");

    /** The beginning of the names of Micronaut's classes that call a request's code, in whichever pool it runs. */
    private static final List<String> REQUESTS = List.of("io.micronaut.http.server.");

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
            boolean doesFrameworkWait = doesFrameworkWait();
            for (Supplier<List<PoolSource>> pools : LISTS) {
                for (PoolSource source : pools.get()) {
                    try {
                        look(source, doesFrameworkWait);
                    } catch (RuntimeException | LinkageError ignored) { // a user's pool; or its class loader is closed
                    }
                }
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private static boolean doesFrameworkWait() {
        ThreadGroup top = Thread.currentThread().getThreadGroup();
        while (top.getParent() != null) {
            top = top.getParent();
        }
        Thread[] all = new Thread[top.activeCount() + 64]; // room for threads that start meanwhile
        int unnamed = 0;
        for (int i = top.enumerate(all) - 1; i >= 0; i--) { // hooks have started last
            String name = all[i].getName();
            boolean isUnnamed = name.startsWith(UNNAMED) && unnamed++ < MOST_UNNAMED;
            if ((isUnnamed || ENDING.contains(name)) && isIn(all[i], WAITING)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isIn(Thread thread, Collection<String> classes) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (UserFrames.beginsWithAny(frame.getClassName(), classes)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWaitedFor(Object executor, InstrumentedPool pool) {
        if (UserFrames.beginsWithAny(executor.getClass().getName(), WAITED_FOR)) {
            return true;
        }
        for (WorkerState worker : pool.workers()) {
            if (worker.busy() && isIn(worker.thread(), REQUESTS)) {
                return true;
            }
        }
        return false;
    }

    private void look(PoolSource source, boolean doesFrameworkWait) {
        Object executor = source.executor();
        InstrumentedPool pool = source.meter();
        PoolState state = PoolState.of(executor);
        boolean isOpen = state == PoolState.RUNNING;
        if (executor == null
                || pool == null
                || state == PoolState.TERMINATED
                || (isOpen && !(doesFrameworkWait && isWaitedFor(executor, pool)))) {
            return;
        }
        Held mine = held.computeIfAbsent(executor, unused -> new Held());
        PoolSnapshot snapshot = pool.snapshot();
        mine.see(isOpen, snapshot);
        if (!mine.isSaid && mine.isDue()) {
            Optional<String> sentence = sentence(pool, snapshot, mine);
            mine.isSaid = sentence.isPresent();
            sentence.ifPresent(ShutdownWatch::say);
        }
    }

    /** {@return what the JVM waits for; empty if the pool has no task} */
    private static Optional<String> sentence(InstrumentedPool pool, PoolSnapshot snapshot, Held mine) {
        int queued = snapshot.countsQueue() ? snapshot.queued() : 0;
        List<WorkerState> busy = new ArrayList<>(pool.workers());
        busy.removeIf(worker -> !worker.busy());
        int running = Math.max(Math.max(busy.size(), snapshot.load().active()), pool.threadCount());
        if (running == 0 && queued == 0) {
            return Optional.empty();
        }
        String text = "the JVM shuts down and waits for pool " + LogText.name(pool.name()) + ": "
                + (mine.isOpen ? "" : Units.time(mine.time()) + " after the pool was shut down, ");
        if (running == 0) {
            return Optional.of(text + "no task runs; " + Counted.of(queued, "task") + " in the queue, lost if killed");
        }
        text += Counted.of(running, "task") + (running == 1 ? " still runs" : " still run");
        Optional<WorkerState> longest = busy.stream().max(Comparator.comparing(WorkerState::runningFor));
        Thread thread = longest.filter(worker -> !worker.runningFor().isZero())
                .map(WorkerState::thread)
                .or(() -> pool.threads(1).stream().findFirst())
                .or(() -> ofTask(pool))
                .or(() -> longest.map(WorkerState::thread))
                .orElse(null);
        if (thread != null) {
            Duration time = longest.map(WorkerState::runningFor).orElseGet(pool::longestRun);
            String place = UserFrames.place(List.of(thread.getStackTrace()));
            if (time.isZero() && snapshot.countsTasks() && mine.unchanged().toMillis() >= 1_000) {
                text += (running == 1 ? ", for at least " : ", the longest for at least ")
                        + Units.time(mine.unchanged());
            }
            text += (running == 1 ? ", in " : time.isZero() ? ", one in " : ", the longest in ")
                    + (thread.getName().isEmpty() ? "a virtual thread" : LogText.name(thread.getName()))
                    + (time.isZero() ? "" : " for " + Units.time(time))
                    + (place.isEmpty() ? "" : ", now at " + LogText.clean(place));
        }
        return Optional.of(
                queued == 0 ? text : text + "; " + Counted.of(queued, "task") + " more in the queue, lost if killed");
    }

    /**
     * Of an external pool it is known how many tasks run, but not which of the workers have one: those that wait may,
     * and those that do not may be the server's own, as Jetty's selectors.
     */
    private static Optional<Thread> ofTask(InstrumentedPool pool) {
        return pool.workers().stream()
                .map(WorkerState::thread)
                .filter(thread -> UserFrames.hasUsersFrame(List.of(thread.getStackTrace())))
                .findFirst();
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

    /** A pool for which the JVM waits. */
    private static final class Held {
        private long since = System.nanoTime();
        private long unchangedSince = since; // since when tasks have run and none has ended
        boolean isOpen;
        private long completed = -1;
        boolean isSaid;

        void see(boolean openNow, PoolSnapshot now) {
            if (openNow != isOpen) {
                since = System.nanoTime();
            }
            if (now.completed() != completed || now.load().active() == 0) {
                unchangedSince = System.nanoTime();
            }
            isOpen = openNow;
            completed = now.completed();
        }

        Duration time() {
            return Duration.ofNanos(System.nanoTime() - since);
        }

        Duration unchanged() {
            return Duration.ofNanos(System.nanoTime() - unchangedSince);
        }

        /** A pool that is open and goes on completing tasks is not what is waited for. */
        boolean isDue() {
            return (isOpen ? unchanged() : time()).toNanos() >= PATIENCE_NANOS;
        }
    }
}
