package io.lifeguard.pool.diagnosis.evidence.carrier;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.evidence.lock.TaskThreads;
import io.lifeguard.pool.diagnosis.evidence.stack.ClassInitialisation;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Why;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Finds the virtual threads of instrumented executors that keep their carriers. Stateless. Before Java 24 the JVM's
 * print of its threads does not show what carriers carry, so the threads are asked.
 */
final class KeptCarriers {

    /** 0.05 ms each, and only while threads start late. */
    private static final int MOST_STACKS = 200;

    /** So the JDK parks a thread that cannot give its carrier back. */
    private static final String ON_CARRIER = "parkOnCarrierThread";

    private KeptCarriers() {}

    static List<Mounted> of(Collection<InstrumentedPool> pools, int carriers) {
        List<Mounted> kept = new ArrayList<>();
        int stacks = 0;
        for (InstrumentedPool pool : pools) {
            for (Thread thread : TaskThreads.of(pool)) {
                if (kept.size() >= carriers || stacks >= MOST_STACKS) {
                    return kept;
                }
                ThreadLook seen = ThreadLook.ofVirtual(thread, StackSampler.HOLDER_DEPTH); // null until it has run
                stacks += seen == null ? 0 : 1;
                Mounted mounted = seen == null ? null : mounted(seen, thread);
                if (mounted != null) {
                    kept.add(mounted);
                }
            }
        }
        return kept;
    }

    private static @Nullable Mounted mounted(ThreadLook seen, Thread thread) {
        StackTraceElement[] frames = thread.getStackTrace(); // with those of parking, which ThreadLook leaves out
        if (frames.length == 0 || hasNoCarrier(frames[0])) {
            return null;
        }
        List<StackTraceElement> stack = seen.stack();
        boolean isPinned = isOnCarrier(frames);
        Optional<String> initialised = ClassInitialisation.outermost(stack);
        Object blocker = LockSupport.getBlocker(thread);
        if (seen.state() == Thread.State.BLOCKED) {
            return mounted(Why.MONITOR, stack, "");
        }
        boolean isInJava = seen.state() == Thread.State.RUNNABLE && !seen.isInNative(); // or waits for another class
        if ((isPinned || isInJava) && initialised.isPresent()) {
            return mounted(Why.CLASS_INITIALISATION, stack, initialised.get());
        }
        if (isPinned) {
            boolean isNative = stack.stream().anyMatch(Waits::isForeignCode);
            String lock = blocker == null ? "" : ThreadLook.title(ThreadLook.nameOf(blocker));
            return mounted(isNative ? Why.NATIVE : Why.MONITOR, stack, lock);
        }
        boolean isInNative = !stack.isEmpty() && Waits.mayWaitInNative(stack.get(0));
        return seen.state() == Thread.State.RUNNABLE
                ? mounted(isInNative ? Why.NATIVE : Why.COMPUTES, stack, "")
                : null;
    }

    private static Mounted mounted(Why why, List<StackTraceElement> stack, String object) {
        return new Mounted(
                "",
                why,
                why == Why.CLASS_INITIALISATION ? ClassInitialisation.place(stack) : UserFrames.place(stack),
                object,
                stack.stream().map(StackTraceElement::toString).toList());
    }

    /**
     * Whether a thread has given its carrier back, and waits or queues for another one: its state is then that of one
     * that computes.
     */
    private static boolean hasNoCarrier(StackTraceElement top) {
        return top.getClassName().equals("java.lang.VirtualThread")
                && !top.getMethodName().equals(ON_CARRIER);
    }

    private static boolean isOnCarrier(StackTraceElement[] frames) {
        for (StackTraceElement frame : frames) {
            if (frame.getMethodName().equals(ON_CARRIER) || isWaitOnMonitor(frame)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWaitOnMonitor(StackTraceElement frame) {
        return frame.getClassName().equals("java.lang.Object")
                && frame.getMethodName().startsWith("wait");
    }
}
