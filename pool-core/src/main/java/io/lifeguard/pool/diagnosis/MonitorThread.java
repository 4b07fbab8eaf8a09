package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.evidence.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.MonitorClock;
import io.lifeguard.pool.diagnosis.evidence.StackRounds;
import io.lifeguard.pool.os.JvmThreads;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that makes the rounds. It starts when there is something to do, ends when there is nothing left,
 * and starts again. Thread-safe.
 */
final class MonitorThread {

    /** What fails at once, and again, must not be tried all the time. */
    private static final long PAUSE_AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(100);

    private final MonitorRound round;
    private final MonitorSettings settings;
    private final MonitorClock clock;

    private @Nullable Thread thread; // guarded by this
    private boolean closed; // guarded by this

    MonitorThread(MonitorRound round, MonitorSettings settings, MonitorClock clock) {
        this.round = round;
        this.settings = settings;
        this.clock = clock;
    }

    /** To be called whenever there may be something to do. */
    synchronized void ensureRunning() {
        if (thread == null && !closed && !round.hasNothingToDo()) {
            // Not the group of the thread that made the first pool: it may have to go before this thread does.
            Thread mine = new Thread(JvmThreads.topmostGroup(), this::run, "lifeguard-monitor", 0, false);
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

    synchronized boolean isRunning() {
        return thread != null;
    }

    /** Ends the thread after the round it is at, and the watch of all pools at once. */
    synchronized void close() {
        closed = true;
        round.end(); // in one step with the former, or the thread might end without having said that all is over
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
            Runnable begin = round::begin; // made before memory may be short
            Runnable turn = new Turn()::make;
            safely(begin);
            while (!isOver()) {
                if (!safely(turn)) {
                    LockSupport.parkNanos(this, PAUSE_AFTER_FAILURE);
                }
            }
            if (isClosed()) {
                round.rest(); // else the next thread may have begun, to which all of it belongs
            }
        } finally {
            ended();
        }
    }

    /** One window after the other. Confined to the monitor's thread. */
    private final class Turn {
        private final RandomGenerator random = new SplittableRandom();
        private long begin = clock.nanoTime(); // of the window
        private long late; // how long the thread was kept from going on, in this window

        void make() {
            List<Duration> glances = round.wantsGlances()
                    ? StackRounds.moments(settings.window(), StackRounds.USUAL, random)
                    : List.of();
            for (Duration glance : glances) {
                await(() -> begin + glance.toNanos());
                working(round::glance);
            }
            await(() -> begin + settings.window().toNanos());
            if (isClosed()) {
                return;
            }
            long due = begin + settings.window().toNanos();
            long now = clock.nanoTime();
            begin = now - due > settings.window().toNanos() ? now : due; // a missed window is not made up for
            Duration kept = Duration.ofNanos(late);
            late = 0;
            working(() -> round.make(kept));
        }

        /** Works; what passed without being worked was taken by somebody. */
        private void working(Runnable work) {
            long start = clock.nanoTime();
            long cpuBefore = EvidenceBudget.cpuOfThisThread();
            safely(work);
            long cpu = EvidenceBudget.cpuOfThisThread() - cpuBefore;
            late += Math.max(0, clock.nanoTime() - start - cpu);
        }

        /** Waits; what it waits for may change meanwhile. */
        private void await(LongSupplier due) {
            long start = clock.nanoTime();
            for (long left = due.getAsLong() - start;
                    left > 0 && !isClosed();
                    left = due.getAsLong() - clock.nanoTime()) {
                Thread.interrupted(); // nobody has a reason to interrupt this thread, and parking would not wait
                LockSupport.parkNanos(MonitorThread.this, left);
            }
            late += Math.max(0, clock.nanoTime() - Math.max(start, due.getAsLong()));
        }
    }

    /** Whether it went well. */
    private static boolean safely(Runnable work) {
        try {
            work.run();
            return true;
        } catch (Throwable failure) {
            // each pool and each rule is guarded, and logs: what comes here is too little memory, even to say so
            return false;
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized boolean isOver() {
        if (closed || round.hasNothingToDo()) {
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
}
