package io.lifeguard.pool.diagnosis.start;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.os.CompilerWait;
import java.net.URLClassLoader;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that starts the global monitor once there is something to look at. Until then pools that were made
 * and never used cost next to nothing: the monitor's classes are not loaded. Thread-safe.
 *
 * <p>These are something to look at: a task that a pool has accepted; a pool that is no {@link ThreadPoolExecutor}; a
 * further pool after the first ten seconds, because pools may be leaking; and a thread that may be an event loop, or
 * keeps a CPU busy.
 *
 * <p>Before it has seen something it uses no lambda and no stream: the thread that makes the first pool of the JVM
 * would wait for their classes.
 */
final class Lookout implements Runnable {

    /** 100 ms: a pool's first window takes 250 ms. A task that follows its pool at once is not slowed down. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Programs make their pools in their first ten seconds. */
    private static final long START_UP_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Threads are looked at once a second, because there may be thousands. */
    private static final int LOOKS_PER_LOOK_AT_THREADS = 10;

    /** 5 s: where a subclass hides its workers, one that has just been made counts as active until it runs. */
    private static final int ACTIVE_LOOKS = 50;

    /**
     * A fifth of a pause. Where CPUs are free, compilers wait less; beside four computing processes on two CPUs they
     * wait for most of the time while they have work.
     */
    private static final long SHORT_OF_CPU_NANOS = PAUSE_NANOS / 5;

    /** Workers by CPU that have tasks. Beside more, a pause lasts twice as long, and the compilers get little of it. */
    private static final int CROWD = 8;

    /** 300 ms: a finding comes as much later, and a program that ends after two seconds is seen. */
    private static final int MOST_PAUSES_FOR_COMPILERS = 3;

    private static @Nullable Lookout present; // guarded by the class; ends by itself when no pool is left
    private static boolean isOver; // guarded by the class; from false to true when the monitor was started

    private static final boolean HAS_FILE = hasFile();

    private final long begun = System.nanoTime();

    private boolean isPoolNew; // guarded by the class: a pool was made since the start-up

    // Confined to the thread.
    private int looks;
    private int activeLooks; // in a row
    private @Nullable Thread runnable; // seen to run at the latest look

    private Lookout() {}

    /** A pool was made. */
    static synchronized void created() {
        if (isOver) {
            return;
        }
        Lookout lookout = present;
        if (lookout == null) {
            lookout = new Lookout();
            newThread(lookout).start();
            present = lookout; // not if there is no memory for a thread: the next pool tries again
        } else {
            lookout.isPoolNew |= System.nanoTime() - lookout.begun > START_UP_NANOS;
        }
    }

    @Override
    public void run() {
        try {
            look();
        } catch (LinkageError e) { // classes are linked late, and the loader may be closed at any time
            if (!isUnloaded()) {
                throw e;
            }
        }
    }

    private void look() {
        boolean seen = false;
        while (!seen && !isLast()) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
            try {
                seen = seesSomething();
            } catch (Throwable ignored) { // a user's pool, or a lack of memory: the monitor can handle both
                seen = true;
            }
        }
        if (seen) {
            end();
            startMonitor();
        }
    }

    /**
     * Waits while the JVM's compilers have too little CPU, but not long. The start of the monitor loads 500 classes and
     * gives the compilers as much work as the pool itself, whose code would be compiled after it.
     *
     * @param waitedNanos how long the compilers have waited for a CPU until now
     * @param pause waits for {@link #PAUSE_NANOS}
     */
    static void letCompilersWork(LongSupplier waitedNanos, Runnable pause) {
        long before = 0;
        for (int i = 0; i < MOST_PAUSES_FOR_COMPILERS; i++) {
            long now = waitedNanos.getAsLong(); // at first since the JVM began
            if (now - before < SHORT_OF_CPU_NANOS) {
                return;
            }
            before = now;
            pause.run();
        }
    }

    private void startMonitor() {
        if (isUnloaded()) {
            return;
        }
        if (!isCrowded()) {
            letCompilersWork(new CompilerWait()::nanos, () -> LockSupport.parkNanos(this, PAUSE_NANOS));
        }
        if (!isUnloaded()) {
            PoolMonitor.onGlobal(monitor -> {}); // the monitor finds the pools by itself
        }
    }

    private static boolean isCrowded() {
        int active = 0;
        for (InstrumentedPool pool : Pools.live()) {
            active += pool instanceof ThreadPoolExecutor executor ? executor.getActiveCount() : 0;
        }
        return active > CROWD * Runtime.getRuntime().availableProcessors();
    }

    private static synchronized void end() {
        isOver = true;
        present = null;
    }

    /** A pool is registered before it is announced. So a pool that is made after this call starts another thread. */
    private static boolean isLast() {
        synchronized (Lookout.class) {
            if (isUnloaded() || Pools.live().isEmpty()) {
                present = null;
                return true;
            }
            return false;
        }
    }

    private boolean seesSomething() {
        synchronized (Lookout.class) {
            if (isPoolNew) {
                return true;
            }
        }
        boolean isAnyActive = false;
        for (InstrumentedPool pool : Pools.live()) {
            if (!(pool instanceof ThreadPoolExecutor executor)
                    || executor.getCompletedTaskCount() > 0
                    || !executor.getQueue().isEmpty()) {
                return true;
            }
            if (executor.getActiveCount() > 0) {
                if (isAnyBusy(pool)) {
                    return true;
                }
                isAnyActive = true;
            }
        }
        activeLooks = isAnyActive ? activeLooks + 1 : 0;
        if (activeLooks >= ACTIVE_LOOKS) {
            return true;
        }
        return looks++ % LOOKS_PER_LOOK_AT_THREADS == 0 && seesThread();
    }

    /** The executor's own count includes workers whose threads do not run yet. */
    private static boolean isAnyBusy(InstrumentedPool pool) {
        for (WorkerState worker : pool.workers()) {
            if (worker.busy()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Looks for a thread that is not a plain one, as Netty's, Reactor's and the common pool's are, or that is runnable
     * at two looks, as a thread is that waits for the network. The JVM's own threads do not count.
     */
    private boolean seesThread() {
        ThreadGroup top = topmostGroup();
        Thread[] all = new Thread[top.activeCount() + 16];
        int count = top.enumerate(all);
        Thread before = runnable;
        runnable = null;
        for (int i = 0; i < count; i++) {
            Thread thread = all[i];
            ThreadGroup group = thread.getThreadGroup();
            if (group == null || group == top || thread.getClass().getName().startsWith("jdk.internal.")) {
                continue;
            }
            boolean isRunnable = thread.getState() == Thread.State.RUNNABLE
                    && !thread.getName().equals("DestroyJavaVM");
            if (thread.getClass() != Thread.class || (isRunnable && thread == before)) {
                return true;
            }
            if (isRunnable && runnable == null) {
                runnable = thread;
            }
        }
        return false;
    }

    /** {@return whether the library belongs to an application that was stopped} This thread would keep its classes. */
    private static boolean isUnloaded() {
        return HAS_FILE && !hasFile();
    }

    /** {@return whether the class loader has the file of this class} A closed one has no files, and Tomcat's throws. */
    private static boolean hasFile() {
        try {
            return Lookout.class.getClassLoader() instanceof URLClassLoader loader
                    && loader.findResource(Lookout.class.getName().replace('.', '/') + ".class") != null;
        } catch (RuntimeException ignored) {
            return false;
        }
    }

    /** Not the group of the thread that made the first pool: that group may have to end before this thread does. */
    private static ThreadGroup topmostGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /**
     * Makes the thread with the rights of this library only. Before Java 24 a thread keeps the access control context
     * of its creator, and with it the class loader of the application that made the first pool.
     */
    @SuppressWarnings("removal") // without effect since Java 24
    private static Thread newThread(Runnable body) {
        return AccessController.doPrivileged(new Making(body));
    }

    private static final class Making implements PrivilegedAction<Thread> {
        private final Runnable body;

        Making(Runnable body) {
            this.body = body;
        }

        @Override
        public Thread run() {
            try {
                return daemon(topmostGroup());
            } catch (SecurityException e) { // the group of the thread that made the first pool must do
                return daemon(Thread.currentThread().getThreadGroup());
            }
        }

        private Thread daemon(ThreadGroup group) {
            Thread thread = new Thread(group, body, "lifeguard-lookout", 0, false);
            thread.setDaemon(true);
            try {
                thread.setContextClassLoader(Lookout.class.getClassLoader());
            } catch (SecurityException ignored) { // the creator's one stays, and is not used
                return thread;
            }
            return thread;
        }
    }
}
