package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.system.OsState;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.List;

/**
 * Tells from a stack what its thread does. Stateless. It knows the classes of JDK 8 to 25 by name, so it reads stacks
 * of other processes as well.
 */
public final class Stacks {

    private Stacks() {}

    /** The name of an object, without the package of its class and without the class around that. */
    public static String shortName(String object) {
        return object.substring(Math.max(object.lastIndexOf('.'), object.lastIndexOf('$')) + 1);
    }

    /**
     * {@return what a thread does; a thread inside a native method of the network or of files waits for it, as far as
     * this can be told}
     *
     * @param waitsFor the class of the object it waits for, empty when there is none or it is unknown
     */
    public static Doing doing(Thread.State state, List<StackTraceElement> stack, String waitsFor) {
        return doing(state, stack, waitsFor, OsState.UNKNOWN);
    }

    static Doing doing(Thread.State state, List<StackTraceElement> stack, String waitsFor, OsState system) {
        if (Waits.forTask(stack)) {
            return Doing.IDLE;
        }
        return switch (state) {
            case NEW, TERMINATED -> Doing.IDLE;
            case BLOCKED -> Doing.WAITING_FOR_LOCK;
            case RUNNABLE -> runnable(stack, system);
            case WAITING, TIMED_WAITING -> waiting(state, stack, waitsFor);
        };
    }

    /**
     * The system knows whether a thread in a native method runs or waits. Where the system does not say, the method
     * tells. A thread outside of native methods that waits does so for the JVM (a safepoint, a compiler, a page of
     * memory), and is ready to run.
     */
    private static Doing runnable(List<StackTraceElement> stack, OsState system) {
        if (stack.isEmpty() || !stack.get(0).isNativeMethod() || system == OsState.RUNNING) {
            return Doing.COMPUTING;
        }
        StackTraceElement top = stack.get(0);
        if (Waits.forNothingInNative(top)) {
            return Doing.WAITING_IN_LINE;
        }
        if (Waits.forIoInNative(top)) {
            return Doing.WAITING_OUTSIDE;
        }
        if (system == OsState.UNKNOWN) {
            return Doing.COMPUTING;
        }
        return UserFrames.isJdk(top) ? Doing.UNKNOWN : Doing.WAITING_OUTSIDE; // a driver's own method
    }

    private static Doing waiting(Thread.State state, List<StackTraceElement> stack, String waitsFor) {
        if (Waits.forLock(waitsFor) || (waitsFor.isEmpty() && Waits.takesLock(stack))) {
            return Waits.forConnection(stack) ? Doing.WAITING_OUTSIDE : Doing.WAITING_FOR_LOCK;
        }
        if (Waits.forRoomInRing(stack)) {
            return Doing.WAITING_IN_LINE;
        }
        if (state == Thread.State.TIMED_WAITING && waitsFor.isEmpty() && Waits.forTimeOnly(stack)) {
            return Doing.SLEEPING;
        }
        boolean isForResult = Waits.forResult(waitsFor);
        boolean isForTask = false;
        for (StackTraceElement frame : stack) {
            if (Waits.forIo(frame)) { // also the first frame that is not the JDK's: that of a client
                return Doing.WAITING_OUTSIDE;
            }
            if (!UserFrames.isJdk(frame) && !Waits.inLibrary(frame)) {
                break;
            }
            if (Waits.forTime(frame)) {
                return Doing.SLEEPING;
            }
            isForResult |= Waits.forResult(frame);
            isForTask |= Waits.forResultOfTask(frame);
        }
        boolean isLent = LimitedResource.of(stack).isPresent() || (!isForTask && LimitedResource.isAcquired(stack));
        return isForResult && !isLent ? Doing.WAITING_FOR_RESULT : Doing.WAITING_IN_LINE;
    }
}
