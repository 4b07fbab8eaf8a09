package io.lifeguard.pool.diagnosis;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that makes the rounds. It starts when there is something to do, ends when there is nothing left, and starts again.
 * Thread-safe.
 */
final class MonitorThread {

    private final Patrol patrol;
    private final MonitorSettings settings;
    private final MonitorClock clock;

    private @Nullable Thread thread; // guarded by this
    private boolean closed; // guarded by this

    MonitorThread(Patrol patrol, MonitorSettings settings, MonitorClock clock) {
        this.patrol = patrol;
        this.settings = settings;
        this.clock = clock;
    }

    /** To be called whenever there may be something to do. */
    synchronized void ensureRunning() {
        if (thread == null && !closed && !patrol.hasNothingToDo()) {
            Thread mine = new Thread(topmostGroup(), this::run, "lifeguard-monitor", 0, false);
            mine.setDaemon(true);
            mine.setContextClassLoader(MonitorThread.class.getClassLoader());
            thread = mine;
            boolean started = false;
            try {
                mine.start();
                started = true;
            } finally {
                if (!started) {
                    thread = null; // too little memory for a thread; the next pool tries again
                }
            }
        }
    }

    /** Ends the thread after the round it is at. */
    synchronized void close() {
        closed = true;
        wake();
    }

    /** To be called when the window's length has changed. */
    synchronized void wake() {
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        try {
            long due = clock.nanoTime();
            do {
                roundSafely();
                due = awaitNext(due);
            } while (!isOver());
        } finally {
            ended();
        }
    }

    private void roundSafely() {
        try {
            patrol.round();
        } catch (Throwable failure) {
            // each pool and each rule is guarded, and logs: what comes here is too little memory, even to say so
        }
    }

    /** Waits for the end of the window that began at {@code begin}, and returns when it was due. */
    @SuppressWarnings("ThreadPriorityCheck")
    private long awaitNext(long begin) {
        long due = begin + settings.window().toNanos();
        for (long left = due - clock.nanoTime(); left > 0 && !isClosed(); left = due - clock.nanoTime()) {
            Thread.interrupted(); // nobody has a reason to interrupt this thread, and parking would not wait
            LockSupport.parkNanos(this, Math.min(left, TimeUnit.SECONDS.toNanos(60)));
            due = begin + settings.window().toNanos();
        }
        long now = clock.nanoTime();
        return now - due > settings.window().toNanos() ? now : due; // a missed window is not made up for
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized boolean isOver() {
        if (closed || patrol.hasNothingToDo()) {
            thread = null;
            return true;
        }
        return false;
    }

    private synchronized void ended() {
        if (thread == Thread.currentThread()) {
            thread = null;
        }
    }

    /** Not the group of whoever made the first pool, which may have to go before this thread does. */
    private static ThreadGroup topmostGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }
}
