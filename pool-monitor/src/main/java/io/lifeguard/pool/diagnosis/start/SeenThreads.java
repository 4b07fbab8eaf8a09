package io.lifeguard.pool.diagnosis.start;

import io.lifeguard.pool.os.NonBlockingThreads;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Tells from the names and states of all threads whether the monitor has something to look at beside pools: an event
 * loop that does not poll, a fork-join worker that waits, a thread that waits though its library marks it as one that
 * must not, a thread that is blocked. Confined to the triage's thread.
 */
final class SeenThreads {

    /** Looks in a row, a second apart. A lock that is held for so long may never be released. */
    private static final int BLOCKED_LOOKS = 3;

    /** Looks in a row. An event loop runs tasks for a moment, and a fork-join worker steals for one. */
    private static final int BUSY_LOOKS = 2;

    /** A stack stops its thread for some 20 µs. */
    private static final int MOST_STACKS = 4;

    private static final int MOST_LOOPS = 64;

    private final List<Loop> loops = new ArrayList<>();
    private @Nullable Thread blocked; // seen to wait for a monitor at the latest looks
    private int blockedLooks; // of the same thread, in a row
    private int waitingLooks; // of any fork-join worker, in a row
    private int turn; // of the threads whose stacks are taken
    private boolean isAnyListening;
    private boolean isAnyLoopBusy;

    /**
     * Looks at all threads below a group, at most once a second.
     *
     * @param top the topmost group, whose own threads are the JVM's
     */
    void look(ThreadGroup top) {
        Thread[] all = new Thread[top.activeCount() + 16];
        int count = top.enumerate(all);
        Thread blockedBefore = blocked;
        boolean isAnyWaiting = false;
        int stacks = 0;
        blocked = null;
        isAnyLoopBusy = false;
        for (int i = 0; i < count; i++) {
            Thread thread = all[(turn + i) % count];
            ThreadGroup group = thread.getThreadGroup();
            isAnyListening |= isListening(thread.getName());
            if (group == null || group == top || thread.getClass().getName().startsWith("jdk.internal.")) {
                continue;
            }
            Thread.State state = thread.getState();
            if (thread instanceof ForkJoinWorkerThread) {
                isAnyWaiting |=
                        state != Thread.State.RUNNABLE && !(LockSupport.getBlocker(thread) instanceof ForkJoinPool);
            } else if (state == Thread.State.BLOCKED) {
                blocked = blocked == null || thread == blockedBefore ? thread : blocked;
            }
            Loop loop = loopOf(thread);
            if (loop != null) {
                loop.look(thread, state);
                isAnyLoopBusy |= loop.busyLooks >= BUSY_LOOKS;
            } else if (state == Thread.State.RUNNABLE && stacks < MOST_STACKS && loops.size() < MOST_LOOPS) {
                stacks++;
                if (isPolling(nativeType(thread))) {
                    loop = new Loop(thread, false);
                    loops.add(loop);
                }
            }
            boolean isOfLibrary = loop == null && thread.getClass() != Thread.class && loops.size() < MOST_LOOPS;
            if (isOfLibrary && NonBlockingThreads.isMarked(thread)) {
                loops.add(new Loop(thread, true));
            }
        }
        turn += stacks;
        blockedLooks = blocked == null ? 0 : blocked == blockedBefore ? blockedLooks + 1 : 1;
        waitingLooks = isAnyWaiting ? waitingLooks + 1 : 0;
    }

    private @Nullable Loop loopOf(Thread thread) {
        for (int i = loops.size() - 1; i >= 0; i--) {
            if (loops.get(i).thread.refersTo(thread)) {
                return loops.get(i);
            }
        }
        return null;
    }

    /**
     * {@return whether a thread asks a selector for events, as an event loop does that has nothing to do}
     *
     * @param type the class of the native method that it is in
     */
    private static boolean isPolling(String type) {
        return type.contains("Poll")
                || type.contains("poll")
                || type.contains("KQueue")
                || type.contains("kqueue")
                || type.contains("uring");
    }

    /** {@return the class of the native method that the thread is in; empty if it is in none} */
    private static String nativeType(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length == 0 || !stack[0].isNativeMethod() ? "" : stack[0].getClassName();
    }

    /** The threads of a JMX connector, and of a flight recording. */
    private static boolean isListening(String name) {
        return name.startsWith("RMI TCP Accept") || name.startsWith("JMX server") || name.startsWith("JFR ");
    }

    /**
     * {@return whether the monitor has something to look at beside pools}
     *
     * @param isLockKnown whether workers of a pool queue at a lock, so that blocked threads are no news
     */
    boolean areSuspect(boolean isLockKnown) {
        return isAnyLoopBusy || waitingLooks >= BUSY_LOOKS || (blockedLooks >= BLOCKED_LOOKS && !isLockKnown);
    }

    /** {@return whether there are threads that read what the monitor publishes} */
    boolean isAnyListening() {
        return isAnyListening;
    }

    /** A thread that was seen to poll, or a worker that may compute, but must not wait. */
    private static final class Loop {
        final WeakReference<Thread> thread;
        boolean isWorker; // until it is seen to poll: Reactor marks the event loops of its servers, too
        int busyLooks; // in a row at which it did not poll, or waited

        Loop(Thread thread, boolean isWorker) {
            this.thread = new WeakReference<>(thread);
            this.isWorker = isWorker;
        }

        void look(Thread loop, Thread.State state) {
            boolean isRunning = state == Thread.State.RUNNABLE;
            String type = isRunning ? nativeType(loop) : "";
            boolean isPolling = isPolling(type);
            isWorker &= !isPolling;
            boolean isComputing = isRunning && type.isEmpty();
            boolean isWell = isWorker ? isComputing || LockSupport.getBlocker(loop) instanceof Condition : isPolling;
            busyLooks = isWell ? 0 : busyLooks + 1;
        }
    }
}
