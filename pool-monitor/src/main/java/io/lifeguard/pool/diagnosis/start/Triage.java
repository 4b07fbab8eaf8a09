package io.lifeguard.pool.diagnosis.start;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.log.FullSentence;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import io.lifeguard.pool.diagnosis.shutdown.ShutdownWatch;
import io.lifeguard.pool.diagnosis.start.PoolPulse.Suspicion;
import io.lifeguard.pool.os.JavaManagement;
import io.lifeguard.pool.os.LibraryThread;
import io.lifeguard.pool.os.LiveThreads;
import io.lifeguard.pool.os.Room;
import io.lifeguard.pool.text.UserCode;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The small daemon thread that looks at all pools from the first one on, and wakes the monitor once it suspects
 * something. Until then the monitor's classes are not loaded: a JVM whose pools are well pays for a few classes and
 * some looks. Thread-safe.
 *
 * <p>These wake the monitor:
 *
 * <table>
 * <caption>What wakes the monitor, and when</caption>
 * <tr><th>what is seen</th><th>when</th></tr>
 * <tr><td>workers or tasks wait, tasks went astray, a task is late or long: {@link PoolPulse}</td><td>at once</td></tr>
 * <tr><td>one plain reason why tasks wait, while some end: {@link PlainLooks}</td><td>30 s after the first look if this
 * thread has said the reason, or once it is over; 5 s if it has said only the place of calls, or nothing</td></tr>
 * <tr><td>tasks wait while all workers run: {@link PoolPulse}</td><td>after 5 s, because CPUs are full; after a second
 * if the process hardly uses them, and the workers are not in calls at one place: {@link OwnCpu}</td></tr>
 * <tr><td>a pool of another type, or with a queue of a user's class, has had a task; a further pool after the first
 * ten seconds, because pools may be leaking</td><td>at once</td></tr>
 * <tr><td>an event loop that does not poll, a worker of a fork-join pool or of a library's scheduler for computations
 * that waits, a blocked thread: {@link SeenThreads}</td>
 * <td>at once</td></tr>
 * <tr><td>somebody listens: a JMX connector, a flight recording, a rule of the user, a directory for black boxes, a
 * server of MBeans after 30 s</td><td>once a pool has had a task</td></tr>
 * <tr><td>somebody calls {@link PoolMonitor}</td><td>the monitor starts without this thread</td></tr>
 * </table>
 */
final class Triage implements Runnable {

    /* No lambda, no stream and no log here, for the reason that PoolPulse gives. */

    /** 100 ms: a task that follows its pool at once is not slowed down. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** 250 ms while all pools are asleep. */
    private static final long LONG_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** A second: a finding takes longer, but a burst is over. */
    private static final int LOOKS_TO_BE_SURE = 7;

    /** Three seconds: a pool of 500 workers has grown by then. */
    private static final int LATER_LOOKS = 30;

    /** Programs make their pools in their first ten seconds. */
    private static final long START_UP_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A pool that fills the CPUs loses nothing when it is judged later, and needs each compiler now. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** A line is promised within eight seconds; two are left to look and to write, where the CPUs are full. */
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(6);

    private static final int FULL_LOOKS = 100; // ten seconds: any pool that was full when the monitor started

    /** Threads are looked at once a second, because there may be thousands. */
    private static final long BETWEEN_THREADS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Whether there is a server of MBeans is asked twice a minute, because the question loads some classes. */
    private static final long BETWEEN_SERVERS_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** What failed for want of memory or of file descriptors may succeed soon, and the JVM is unwatched meanwhile. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final String RULES = "META-INF/services/" + Rule.class.getName();

    private static @Nullable Triage present; // guarded by the class; ends by itself when no pool is left
    private static boolean isOver; // guarded by the class; from false to true when the monitor has started

    // No static initialiser: one that fails once, for want of memory, would fail forever.
    private final boolean hasFile = hasFile();
    private final Room room = new Room();
    private final long begun = System.nanoTime();

    private boolean isPoolNew; // guarded by the class: a pool was made since the start-up

    // Confined to the thread.
    private final List<PoolPulse> pulses = new ArrayList<>();
    private final SeenThreads threads = new SeenThreads();
    private final OwnCpu ownCpu = new OwnCpu();
    private long threadsDue = begun;
    private long serversDue = begun + BETWEEN_SERVERS_NANOS;
    private boolean wasAnyFull; // at the latest look
    private @Nullable Boolean isListenedTo; // null until it was asked
    private boolean areAllAsleep;
    private @Nullable PoolPulse unsaid; // of the pool that woke the monitor, if there was nothing to say of it yet
    private boolean isShuttingDown;
    private boolean isRoomToSay; // whether there was room to load SaidFinding; from false to true

    private Triage() {}

    /** A pool was made. */
    static synchronized void created() {
        if (isOver) {
            return;
        }
        Triage triage = present;
        if (triage == null) {
            triage = new Triage();
            LibraryThread.daemon("lifeguard-lookout", triage).start();
            present = triage; // not if there is no memory for a thread: the next pool tries again
        } else {
            triage.isPoolNew |= System.nanoTime() - triage.begun > START_UP_NANOS;
        }
    }

    @Override
    public void run() {
        boolean isEnded = false;
        while (!isEnded) {
            try {
                isEnded = lookAndWake();
            } catch (Throwable ignored) { // the monitor could not start, and has said so; or the loader is closed
                isEnded = isUnloaded();
            }
            if (!isEnded) {
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
    }

    /** {@return true when the monitor runs, or there is nothing left to look at} */
    private boolean lookAndWake() {
        boolean isSuspected = false;
        while (!isSuspected) {
            if (isLast()) {
                return true;
            }
            LockSupport.parkNanos(this, areAllAsleep ? LONG_PAUSE_NANOS : PAUSE_NANOS);
            try {
                isSuspected = isSuspected();
            } catch (Throwable ignored) { // a user's pool, or a lack of memory: the monitor can handle both
                isSuspected = true;
            }
        }
        if (!isUnloaded()) {
            if (!room.isEnough()) {
                return false;
            }
            Starter starter = new Starter(saysByItself());
            Thread starting = LibraryThread.daemon("lifeguard-monitor-start", starter);
            starting.start();
            try {
                sayMeanwhile(starter);
            } catch (Throwable ignored) { // a user's pool; the monitor starts
            }
            while (starting.isAlive()) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
            if (starter.hasFailed) {
                return isUnloaded();
            }
            end();
            String late = room.lateStart();
            if (late != null) {
                LibraryThread.daemon("lifeguard-log", new FirstSentence(late)).start();
            }
        }
        return true;
    }

    private static synchronized void end() {
        isOver = true;
        present = null;
    }

    /** A pool is registered before it is announced. So a pool that is made after this call starts another thread. */
    private boolean isLast() {
        synchronized (Triage.class) {
            if (isUnloaded() || Pools.live().isEmpty()) {
                present = null;
                return true;
            }
            return false;
        }
    }

    private boolean isSuspected() {
        if (!isShuttingDown && ShutdownWatch.isShuttingDown()) {
            isShuttingDown = true;
            ShutdownWatch.begin(new Live());
        }
        synchronized (Triage.class) {
            if (isPoolNew) {
                return true;
            }
        }
        long now = System.nanoTime();
        boolean isCpuLow = wasAnyFull && ownCpu.isLow(now);
        boolean isAnyFull = false;
        boolean isAnyNewlyFull = false; // then the CPUs may be, and this thread would wait a second for a few stacks
        boolean isAnyDue = false; // without a plain reason
        boolean isAnyLock = false;
        boolean hasAnyWorked = false;
        areAllAsleep = true;
        for (InstrumentedPool pool : Pools.live()) {
            if (!(pool instanceof ThreadPoolExecutor executor)) {
                if (isUsed(pool)) {
                    return true;
                }
                continue;
            }
            if (UserCode.isUsers(executor.getQueue())) { // it may never answer: the monitor can handle that
                if (!pool.workers().isEmpty()) {
                    return true;
                }
                continue;
            }
            PoolPulse pulse = pulseOf(pool);
            Suspicion suspicion = look(pulse, pool);
            boolean isFull = suspicion == Suspicion.FULL;
            boolean isPlain = (pulse.isSaid() || suspicion == Suspicion.WAITS || (isFull && isCpuLow))
                    && saysByItself()
                    && pulse.isPlain(pool, Pools.nameOf(pool));
            if (isPlain) {
                say(pulse, pool);
            } else if (suspicion == Suspicion.WAITS || pulse.isSaid()) {
                unsaid = pulse.isSaid() || sayFirst(pulse, pool) ? null : pulse;
                return true;
            }
            isAnyLock |= isPlain && pulse.isLock();
            pulse.forget();
            isAnyFull |= isFull;
            long fullNanos = pulse.fullNanos();
            isAnyNewlyFull |= fullNanos > 0 && fullNanos < FULL_NANOS;
            isAnyDue |= isFull && !isPlain && (isCpuLow || pulse.isFullFor(PATIENCE_NANOS, PAUSE_NANOS));
            hasAnyWorked |= pulse.hasWorked();
            areAllAsleep &= pulse.isAsleep();
        }
        if (isAnyFull && !wasAnyFull) {
            ownCpu.begin(now);
        }
        wasAnyFull = isAnyFull;
        if (isAnyDue) {
            return true;
        }
        return (hasAnyWorked && isListenedTo(now))
                || (now - threadsDue >= (isAnyNewlyFull ? 2 * FULL_NANOS : 0)
                        && seesThread(now, hasAnyWorked, isAnyLock));
    }

    /** {@return whether this thread says by itself what holds up a pool} A monitor of the user's would, too. */
    private boolean saysByItself() {
        isRoomToSay = isRoomToSay || room.isEnough();
        return isRoomToSay && !SaidFinding.isTakenOver();
    }

    private void say(PoolPulse pulse, InstrumentedPool pool) {
        if (pulse.isToBeSaid() && room.isEnough()) {
            SaidFinding finding = pulse.newlySaid(pool, Pools.nameOf(pool));
            if (finding != null) {
                LibraryThread.daemon("lifeguard-log", FirstSentence.of(finding)).start();
            }
        }
    }

    /** Says what is certain already, if that still holds after a second. {@return whether it does} */
    private boolean sayFirst(PoolPulse pulse, InstrumentedPool pool) {
        FirstSentence sentence = pulse.firstSentence(Pools.nameOf(pool));
        for (int i = 0; i < LOOKS_TO_BE_SURE && sentence != null; i++) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
            look(pulse, pool);
            sentence = pulse.firstSentence(Pools.nameOf(pool));
        }
        pulse.forget();
        if (sentence != null && room.isEnough()) {
            LibraryThread.daemon("lifeguard-log", sentence).start();
        }
        return sentence != null;
    }

    /**
     * Says of pools what can be seen of them, while the monitor starts or judges them, which beside many threads takes
     * many seconds: of one that was still growing, and of those that stay full without a finding.
     */
    private void sayMeanwhile(Starter starter) {
        boolean isAnyLeft = true;
        for (int i = 0; i < FULL_LOOKS && isAnyLeft && !starter.hasFailed; i++) {
            isAnyLeft = false;
            for (InstrumentedPool pool : Pools.live()) {
                if (pool instanceof ThreadPoolExecutor executor && !UserCode.isUsers(executor.getQueue())) {
                    PoolPulse pulse = pulseOf(pool);
                    look(pulse, pool);
                    if (pulse == unsaid && (i >= LATER_LOOKS || sayFirst(pulse, pool))) {
                        unsaid = null;
                    }
                    isAnyLeft |= pulse == unsaid;
                    isAnyLeft |= sayFull(pulse, pool, executor.getQueue().size(), starter);
                }
            }
            if (isAnyLeft) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        }
    }

    /** {@return whether there may be something to say of the full pool later} */
    private static boolean sayFull(PoolPulse pulse, InstrumentedPool pool, int queued, Starter starter) {
        long nanos = pulse.fullNanos();
        boolean isDue = nanos >= FULL_NANOS && pulse.isFullNow();
        boolean isUnsaid = isDue && !pulse.isSaid() && pulse.isFirstTime(); // no reason was said
        if (isUnsaid && starter.leavesToSay((ThreadPoolExecutor) pool)) {
            FullSentence sentence = FullSentence.of(pool, 1, queued);
            if (sentence != null) {
                LibraryThread.daemon("lifeguard-log", sentence).start();
            }
        }
        return nanos > 0 && !isDue;
    }

    /** {@return whether a pool of another type has had a task} What is cheap to read of it does not tell enough. */
    private static boolean isUsed(InstrumentedPool pool) {
        return pool.threadsStarted() > 0 || !(pool instanceof ForkJoinPool forkJoin) || forkJoin.getPoolSize() > 0;
    }

    @SuppressWarnings("unchecked") // all pools that are executors
    private static <P extends ThreadPoolExecutor & InstrumentedPool> Suspicion look(
            PoolPulse pulse, InstrumentedPool pool) {
        return pulse.look((P) pool);
    }

    private PoolPulse pulseOf(InstrumentedPool pool) {
        for (int i = pulses.size() - 1; i >= 0; i--) {
            PoolPulse pulse = pulses.get(i);
            if (pulse.isOf(pool)) {
                return pulse;
            }
            if (pulse.isGone()) {
                pulses.remove(i);
            }
        }
        PoolPulse pulse = new PoolPulse(pool);
        pulses.add(pulse);
        return pulse;
    }

    private boolean seesThread(long now, boolean hasAnyWorked, boolean isLockKnown) {
        threadsDue = now + BETWEEN_THREADS_NANOS;
        threads.look(LiveThreads.topmostGroup());
        return threads.areSuspect(isLockKnown) || (hasAnyWorked && threads.isAnyListening());
    }

    // ---- whether somebody listens ----

    private boolean isListenedTo(long now) {
        Boolean known = isListenedTo;
        if (known == null) {
            known = isSet(PoolMonitor.BLACK_BOX_PROPERTY)
                    || isSet("com.sun.management.jmxremote")
                    || isSet("com.sun.management.jmxremote.port")
                    || hasUsersRules();
            isListenedTo = known;
        }
        if (!known && now - serversDue >= 0) {
            serversDue = now + BETWEEN_SERVERS_NANOS;
            return JavaManagement.hasServer();
        }
        return known;
    }

    private static boolean isSet(String property) {
        return System.getProperty(property) != null;
    }

    /** {@return whether any rule is provided beside those of this library} */
    private static boolean hasUsersRules() {
        Module own = Triage.class.getModule();
        try {
            if (!own.isNamed()) {
                Enumeration<URL> files = Triage.class.getClassLoader().getResources(RULES);
                return files.hasMoreElements() && files.nextElement() != null && files.hasMoreElements();
            }
            for (Module module : own.getLayer().modules()) {
                ModuleDescriptor descriptor = module.getDescriptor();
                for (ModuleDescriptor.Provides provided : descriptor.provides()) {
                    if (module != own && provided.service().equals(Rule.class.getName())) {
                        return true;
                    }
                }
            }
        } catch (IOException | RuntimeException ignored) { // it is unknown
            return true;
        }
        return false;
    }

    // ---- the end of the application ----

    /** {@return whether the library belongs to an application that was stopped} This thread would keep its classes. */
    private boolean isUnloaded() {
        try {
            return hasFile && !hasFile();
        } catch (OutOfMemoryError ignored) { // it is unknown, and asked again
            return false;
        }
    }

    /** {@return whether the class loader has the file of this class} A closed one has no files, and Tomcat's throws. */
    private static boolean hasFile() {
        try {
            return Triage.class.getClassLoader() instanceof URLClassLoader loader
                    && loader.findResource(Triage.class.getName().replace('.', '/') + ".class") != null;
        } catch (RuntimeException ignored) {
            return false;
        }
    }

    /** All pools. */
    private static final class Live implements Supplier<List<PoolSource>> {
        @Override
        public List<PoolSource> get() {
            List<PoolSource> sources = new ArrayList<>();
            for (InstrumentedPool pool : Pools.live()) {
                sources.add(PoolSource.of(pool));
            }
            return sources;
        }
    }

    /**
     * Starts the monitor, on a thread of its own: beside many threads its classes take seconds to load. Thread-safe.
     */
    private static final class Starter implements Runnable, Consumer<PoolMonitor> {
        private final boolean saysByItself; // the triage, as long as there is no monitor
        private volatile @Nullable PoolMonitor monitor; // written once, by the thread that starts it
        private volatile boolean hasFailed; // written by the thread that starts the monitor, from false to true

        Starter(boolean saysByItself) {
            this.saysByItself = saysByItself;
        }

        @Override
        public void run() {
            try {
                PoolMonitor.onGlobal(this); // the monitor finds the pools by itself
            } catch (Throwable ignored) { // it has been said
                hasFailed = true;
            }
        }

        @Override
        public void accept(PoolMonitor started) {
            monitor = started;
        }

        /** {@return whether the full pool is left to the triage: no monitor runs yet, or it has found nothing} */
        boolean leavesToSay(ThreadPoolExecutor pool) {
            PoolMonitor made = monitor;
            return made == null
                    ? saysByItself // otherwise a start may be put off
                    : !made.isClosed()
                            && made.isOn(SaidFinding.LEAST)
                            && made.findings(pool).isEmpty();
        }
    }
}
