package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.evidence.stack.StackRounds;
import io.lifeguard.pool.diagnosis.log.LogLines;
import io.lifeguard.pool.diagnosis.shutdown.ShutdownWatch;
import io.lifeguard.pool.os.LibraryThread;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that makes the rounds. It starts when there is a pool to watch, ends when none is left, and starts
 * again. Thread-safe.
 */
final class MonitorThread {

    /*
     * At most one thread runs. ensureRunning() starts one only if there is none. isOver() clears the field in the same
     * step in which it finds nothing to do. So a pool added after that finds no thread and starts one. close() ends the
     * round in the same step in which it sets closed. Otherwise the thread might end without having resolved the
     * findings. After a close, the last thread rests the round. After an idle end it must not: the next thread may have
     * begun, and the round is confined to that one. Begin and late belong to one Turn, and so to one thread.
     */

    private static final boolean HAS_FILE = hasFile();

    // From false to true, by any thread. Kept, because Tomcat logs each question to a class loader that it has closed.
    private static volatile boolean unloaded;

    // That security managers are not supported: from false to true, by the first thread; CAS, so no read is stale.
    private static final AtomicBoolean IS_SAID = new AtomicBoolean();

    /** 100 ms, so that work that fails at once is not tried all the time. */
    private static final long PAUSE_AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * A shorter wait for a CPU is no lateness: kernels give each of several threads some milliseconds in turn, and a
     * window has twenty looks that may each wait for so long. Pauses that stop everything are seen from here on.
     */
    private static final long LATE = TimeUnit.MILLISECONDS.toNanos(100);

    /** 250 ms, as long as windows are in a pool's youth. */
    private static final long LONG_WAIT = TimeUnit.MILLISECONDS.toNanos(250);

    private final MonitorRound round;
    private final MonitorClock clock;

    private @Nullable Thread thread; // guarded by this; written by callers at the start and by the thread at its end
    private boolean closed; // guarded by this; from false to true, by any thread

    // Written by the thread that waits, and by callers that wake it; a stale read makes the first window of a pool
    // long.
    private volatile boolean waitsLong;

    MonitorThread(MonitorRound round, MonitorClock clock) {
        this.round = round;
        this.clock = clock;
    }

    /**
     * Starts the thread if there may be something to do. Called after each added pool. A new pool shortens the present
     * window, so that a pool that lives for two seconds is seen.
     */
    synchronized void ensureRunning() {
        if (thread != null && waitsLong) {
            waitsLong = false;
            wake();
        }
        if (thread == null && !closed && !round.hasNothingToDo()) {
            Turn turn = new Turn(); // its class is loaded here: the thread may find the class loader closed
            Thread mine = LibraryThread.daemon("lifeguard-monitor", turn);
            thread = mine;
            boolean started = false;
            try {
                mine.start();
                started = true;
            } finally {
                if (!started) {
                    thread = null; // no memory for a thread: the next pool tries again
                }
            }
        }
    }

    synchronized boolean isRunning() {
        return thread != null;
    }

    /** Ends the thread after its present round, and the watch of all pools at once. */
    synchronized void close() {
        closed = true;
        round.pools().end(); // in one step with closed: see above
        wake();
    }

    /** Wakes the thread. Called when the window's length has changed. */
    synchronized void wake() {
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    private void run(Turn turn) {
        try {
            warnOfSecurityManager();
            if (HAS_FILE) {
                releaseRecords(); // loads what it needs: a closed class loader may refuse classes of the JDK too
            }
            turn.safely(Step.BEGIN);
            turn.safely(Step.LOOK_IF_STARVED);
            while (!isOver()) {
                if (!turn.safely(Step.TURN)) {
                    LockSupport.parkNanos(this, PAUSE_AFTER_FAILURE);
                }
            }
            if (isClosed()) {
                round.rest(); // otherwise the next thread may have begun
            }
        } finally {
            ended();
        }
    }

    @SuppressWarnings("removal") // there is none since Java 24
    private static void warnOfSecurityManager() {
        if (System.getSecurityManager() != null && IS_SAID.compareAndSet(false, true)) {
            LogLines.MONITOR.write(log -> log.warn("A security manager is set. Pools work under it. The monitor is not"
                    + " tested with one, and is silent about what it may not read"));
        }
    }

    /** What the thread does safely: no lambdas, which a start would wait for, and for which memory may be short. */
    private enum Step {
        BEGIN,
        LOOK_IF_STARVED,
        TURN,
        GLANCE,
        ROUND
    }

    /** Makes one window after the other. Confined to the monitor's thread. */
    private final class Turn implements Runnable {
        private final RandomGenerator random = new SplittableRandom();
        private long begin = clock.nanoTime(); // of the window
        private long late; // nanoseconds for which the thread was stopped in this window
        private Duration kept = Duration.ZERO; // the lateness of the window that has ended
        private boolean isShuttingDown;

        @Override
        public void run() {
            MonitorThread.this.run(this);
        }

        /**
         * Begins the first window with a look. The first look loads so much code that otherwise the window of a thread
         * that is short of CPU would be over before anything was seen.
         */
        void lookFirstIfStarved() {
            if (round.beginsStarved()) {
                round.glance();
                begin = clock.nanoTime();
            }
        }

        void make() {
            Duration planned = round.length();
            List<Duration> moments = StackRounds.moments(planned, round.looks(), random);
            for (int i = 0; i < moments.size(); i++) {
                await(moments.get(i).toNanos());
                boolean isNextDue = i + 1 < moments.size()
                        && clock.nanoTime() - begin >= moments.get(i + 1).toNanos();
                if (!isNextDue) { // otherwise one look does for both: the thread got no CPU in between
                    working(Step.GLANCE);
                }
            }
            planned = await(Long.MAX_VALUE);
            if (isClosed() || isUnloaded()) {
                return;
            }
            kept = Duration.ofNanos(late);
            late = 0;
            begin += planned.toNanos();
            working(Step.ROUND);
            long end = clock.nanoTime();
            if (end - begin > planned.toNanos() / 2) {
                begin = end; // otherwise the next window would be too short to say anything
            }
        }

        /** Works, and counts the time that passed without CPU use as lateness. */
        private void working(Step work) {
            if (!isShuttingDown && ShutdownWatch.isShuttingDown()) {
                isShuttingDown = true;
                ShutdownWatch.begin(round.pools()::sources);
            }
            long start = clock.nanoTime();
            long cpuBefore = EvidenceBudget.cpuOfThisThread();
            safely(work);
            long took = clock.nanoTime() - start;
            late(took < LATE ? took : took - (EvidenceBudget.cpuOfThisThread() - cpuBefore));
        }

        private boolean safely(Step step) {
            try {
                take(step);
                return true;
            } catch (Throwable e) { // of the monitor's own code: pools and rules are guarded
                if (!isUnloaded()) { // otherwise a class was missing, and isOver() ends the thread
                    round.report(e);
                }
                return false;
            }
        }

        private void take(Step step) {
            switch (step) {
                case BEGIN -> round.begin();
                case LOOK_IF_STARVED -> lookFirstIfStarved();
                case TURN -> make();
                case GLANCE -> round.glance();
                case ROUND -> {
                    round.pools().watchCommonPool();
                    round.make(kept);
                }
            }
        }

        /**
         * Waits until so many nanoseconds after the begin of the window, and at most until its end.
         *
         * @return how long the window is meant to be, which may have changed meanwhile
         */
        private Duration await(long nanos) {
            long start = clock.nanoTime();
            Duration length = round.length();
            long due = begin + Math.min(nanos, length.toNanos());
            for (long left = due - start; left > 0 && !isClosed(); left = due - clock.nanoTime()) {
                if (left > length.toNanos()) { // the clock went back: wait no longer than for one window
                    begin = clock.nanoTime();
                    start = begin;
                    due = begin + Math.min(nanos, length.toNanos());
                    left = due - begin;
                }
                Thread.interrupted(); // an interrupted thread would not park
                waitsLong = left > LONG_WAIT;
                LockSupport.parkNanos(MonitorThread.this, left);
                length = round.length();
                due = begin + Math.min(nanos, length.toNanos());
            }
            waitsLong = false;
            late(clock.nanoTime() - Math.max(start, due));
            return length;
        }

        private void late(long nanos) {
            late += nanos < LATE ? 0 : nanos;
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized boolean isOver() {
        if (closed || round.hasNothingToDo() || isUnloaded()) {
            round.tellOfEnd(); // before another thread can begin
            releaseRecords();
            thread = null;
            return true;
        }
        return false;
    }

    /**
     * {@return whether the library belongs to an application that was stopped} This thread would keep its classes.
     * Event loops of its server would keep the thread running, and so would a pool whose end needs a class that is
     * missing.
     */
    private static boolean isUnloaded() {
        if (HAS_FILE && !unloaded) {
            unloaded = !hasFile();
        }
        return unloaded;
    }

    /** {@return whether the class loader has the file of this class} A closed one has no files, and Tomcat's throws. */
    private static boolean hasFile() {
        String file = MonitorThread.class.getName().replace('.', '/') + ".class";
        try {
            return MonitorThread.class.getClassLoader() instanceof URLClassLoader loader
                    && loader.findResource(file) != null;
        } catch (RuntimeException ignored) {
            return false;
        }
    }

    /**
     * Makes the JDK forget the record of this library whose equals or hashCode was linked last. Before Java 21 a static
     * field of {@link ObjectMethods} keeps the class of that record, and with it the class loader. String takes its
     * place. Newer JDKs keep the class by a soft reference, which goes when memory gets short.
     */
    private static void releaseRecords() {
        try {
            MethodHandle getter = MethodHandles.identity(String.class);
            MethodType equals = MethodType.methodType(boolean.class, String.class, Object.class);
            MethodType hashCode = MethodType.methodType(int.class, String.class);
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            ObjectMethods.bootstrap(lookup, "equals", equals, String.class, "text", getter);
            ObjectMethods.bootstrap(lookup, "hashCode", hashCode, String.class, "text", getter);
        } catch (Throwable ignored) { // too little memory: a class loader may stay reachable
        }
    }

    private synchronized void ended() {
        if (thread == Thread.currentThread()) {
            thread = null;
        }
    }
}
