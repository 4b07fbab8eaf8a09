package io.lifeguard.pool.agent.inside;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.report.PoolPage;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The agent inside its class loader: a daemon thread that searches for executors and has the monitor watch them. The
 * monitor starts with the first executor. Thread-safe.
 */
public final class Lifeguard implements Runnable {

    /** Half a second: threads that a pool starts meanwhile are found through the pool itself. */
    private static final long PAUSE_NANOS = 500_000_000;

    /** 5 s: a window may be under way, and the log's thread ends a second after its last line. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private static @Nullable Lifeguard running; // guarded by whoever calls start and end; null before

    private final Options options;
    private final ExecutorSearch search = new ExecutorSearch();
    private final Thread thread = new Thread(null, this, "lifeguard-agent", 0, false);

    // guarded by this
    private boolean isOver;
    private @Nullable PoolMonitor monitor; // null until an executor was found
    private PoolPage.@Nullable Server page; // null without a port

    private Lifeguard(Options options) {
        this.options = options;
    }

    /**
     * Starts to search.
     *
     * @param arguments of the agent, not null; empty for the defaults
     * @param instrumentation of this JVM, not null
     * @throws IllegalArgumentException if an argument is unknown or has no such value
     */
    public static void start(String arguments, Instrumentation instrumentation) {
        Options options = Options.parse(arguments);
        open(instrumentation);
        Lifeguard lifeguard = new Lifeguard(options);
        lifeguard.thread.setDaemon(true);
        lifeguard.thread.setContextClassLoader(Lifeguard.class.getClassLoader());
        lifeguard.thread.start();
        running = lifeguard;
    }

    /**
     * Ends the search and the watch, and waits for their threads for 5 s at most.
     *
     * @param arguments not used
     * @param instrumentation not used
     */
    public static void end(String arguments, Instrumentation instrumentation) {
        if (running != null) {
            running.end();
        }
    }

    /** Opens what leads from a thread to its executor: the task of a thread, and the executor of a worker. */
    private static void open(Instrumentation instrumentation) {
        Set<Module> mine = Set.of(Lifeguard.class.getModule());
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of(),
                Map.of("java.lang", mine, "java.util", mine, "java.util.concurrent", mine),
                Set.of(),
                Map.of());
    }

    /** Searches until the end. */
    @Override
    public void run() {
        while (look()) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    /** {@return whether to go on} Whatever an executor of the application does, the search goes on. */
    private synchronized boolean look() {
        if (isOver) {
            return false;
        }
        try {
            for (FoundExecutor found : search.look()) {
                found.watch(monitor());
            }
        } catch (OutOfMemoryError ignored) { // the next look may have memory
            return true;
        } catch (RuntimeException | LinkageError e) {
            AgentLog.say(Level.WARN, "a look for executors failed: " + e);
        }
        return true;
    }

    private PoolMonitor monitor() {
        PoolMonitor present = monitor;
        if (present == null) {
            present = PoolMonitor.global();
            options.apply(present);
            monitor = present;
            openPage();
        }
        return present;
    }

    private void openPage() {
        if (options.pagePort().isPresent()) {
            int port = options.pagePort().getAsInt();
            try {
                PoolPage.Server server = PoolPage.serve(port);
                page = server;
                AgentLog.say(Level.INFO, "the live page is at " + server.uri());
            } catch (IOException e) {
                AgentLog.say(
                        Level.WARN,
                        "there is no live page, because port " + port + " cannot be used: " + e.getMessage());
            }
        }
    }

    private void end() {
        synchronized (this) {
            isOver = true;
            if (page != null) {
                page.close();
            }
            if (monitor != null) {
                monitor.close();
            }
        }
        LockSupport.unpark(thread);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        try {
            for (Thread each : ExecutorSearch.allThreads()) {
                if (each != null && each.getContextClassLoader() == Lifeguard.class.getClassLoader()) {
                    each.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
                }
            }
        } catch (InterruptedException e) { // what is left ends by itself
            Thread.currentThread().interrupt();
        }
    }
}
