package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.os.NativeThread;
import java.lang.management.LockInfo;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread at one moment, platform or virtual, of this JVM or of a dump. Immutable.
 *
 * @param object class and identity of what it waits for, as {@code com.example.Orders@1a2b3c}; empty when there is
 *     nothing or it is unknown
 * @param holderId the number of the thread that holds that object; {@link #NO_HOLDER} when there is none or it is
 *     unknown
 * @param holderName the name of that thread; null when it is unknown
 * @param holds the objects that it is known to hold, named in the same way
 * @param isInNative whether it runs a native method
 */
public record ThreadLook(
        long id,
        String name,
        boolean isVirtual,
        Thread.State state,
        List<StackTraceElement> stack,
        String object,
        long holderId,
        @Nullable String holderName,
        Set<String> holds,
        boolean isInNative) {

    /** What the JVM says of a lock that no thread holds. */
    public static final long NO_HOLDER = -1;

    /** With these a virtual thread parks. Without them its stack looks like that of a platform thread. */
    private static final Set<String> PARKING =
            Set.of("java.lang.VirtualThread", "jdk.internal.misc.VirtualThreads", "jdk.internal.vm.Continuation");

    public static ThreadLook of(ThreadInfo info) {
        LockInfo lock = info.getLockInfo();
        Set<String> holds = new HashSet<>();
        for (MonitorInfo monitor : info.getLockedMonitors()) {
            holds.add(monitor.toString());
        }
        return new ThreadLook(
                info.getThreadId(),
                info.getThreadName(),
                false,
                info.getThreadState(),
                List.of(info.getStackTrace()),
                lock == null ? "" : lock.toString(),
                info.getLockOwnerId(),
                info.getLockOwnerName(),
                holds,
                info.isInNative());
    }

    /**
     * Looks at a virtual thread, of which the JVM's management bean says nothing. That takes about 50 µs for a parked
     * one. The holder of a lock is unknown, and of a monitor not even the object.
     *
     * @param depth how many frames are wanted at most
     * @return null when the thread is a platform thread or has ended
     */
    public static @Nullable ThreadLook ofVirtual(Thread thread, int depth) {
        if (!NativeThread.isVirtual(thread)) {
            return null;
        }
        Thread.State state = thread.getState();
        Object blocker = Stratum.isWaiting(state) ? LockSupport.getBlocker(thread) : null;
        List<StackTraceElement> stack = withoutParking(thread.getStackTrace());
        if (stack.isEmpty()) {
            return null;
        }
        return new ThreadLook(
                id(thread),
                thread.getName(),
                true,
                state,
                stack.subList(0, Math.min(depth, stack.size())),
                blocker == null ? "" : nameOf(blocker),
                NO_HOLDER,
                null,
                Set.of(),
                state == Thread.State.RUNNABLE && stack.get(0).isNativeMethod());
    }

    private static List<StackTraceElement> withoutParking(StackTraceElement[] stack) {
        return Arrays.stream(stack).dropWhile(ThreadLook::parks).toList();
    }

    private static boolean parks(StackTraceElement frame) {
        return PARKING.contains(frame.getClassName())
                || (frame.getClassName().startsWith("java.lang.System$")
                        && frame.getMethodName().equals("parkVirtualThread"));
    }

    /** The same waiting for an object of a known name, which a known thread holds. */
    public ThreadLook waitingFor(String known, long holder) {
        return new ThreadLook(id, name, isVirtual, state, stack, known, holder, holderName, holds, isInNative);
    }

    /** {@return the class of what it waits for; empty when there is nothing or it is unknown} */
    public String type() {
        return typeOf(object);
    }

    /** {@return the identity hash code of what it waits for in this JVM} */
    int identity() {
        return Integer.parseUnsignedInt(object.substring(object.indexOf('@') + 1), 16);
    }

    public String place() {
        return UserFrames.place(stack);
    }

    /** {@return whether it wants the object for itself, which one thread at a time can hold} */
    public boolean wantsLock() {
        return state == Thread.State.BLOCKED || holderId != NO_HOLDER || Waits.forLock(type());
    }

    public static String typeOf(String object) {
        int at = object.indexOf('@');
        return at < 0 ? object : object.substring(0, at);
    }

    /** {@return class and identity of an object, as the JDK's {@code LockInfo} shows them} Calls nothing of it. */
    public static String nameOf(Object object) {
        return object.getClass().getName() + '@' + Integer.toHexString(System.identityHashCode(object));
    }

    /** {@return the name of an object, without the JDK's nested class; that of a class as {@code class a.B}} */
    public static String title(String object) {
        return object.replaceAll("\\$(Nonfair|Fair)?Sync@", "@")
                .replaceFirst("^java\\.lang\\.Class for ([^@]+)@.*", "class $1");
    }

    /** {@code threadId()} exists since JDK 19 only. */
    @SuppressWarnings("deprecation")
    public static long id(Thread thread) {
        return thread.getId();
    }
}
