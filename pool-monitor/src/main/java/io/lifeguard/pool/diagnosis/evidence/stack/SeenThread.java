package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.os.NativeThread;
import java.lang.management.LockInfo;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread at one moment, platform or virtual. Immutable.
 *
 * @param id its identifier
 * @param name its name
 * @param state its state
 * @param stack its stack, top first
 * @param waitsFor the object it waits for; null when there is none or it is unknown
 * @param ownerId the identifier of the thread that holds that object; -1 when there is none or it is unknown
 * @param ownerName the name of that thread; null when it is unknown
 * @param inNative whether it runs a native method
 */
public record SeenThread(
        long id,
        String name,
        Thread.State state,
        List<StackTraceElement> stack,
        @Nullable LockInfo waitsFor,
        long ownerId,
        @Nullable String ownerName,
        boolean inNative) {

    /** What the JVM says of a lock that no thread holds. */
    public static final long NO_OWNER = -1;

    /** With these a virtual thread parks. Without them its stack looks like that of a platform thread. */
    private static final Set<String> PARKING =
            Set.of("java.lang.VirtualThread", "jdk.internal.misc.VirtualThreads", "jdk.internal.vm.Continuation");

    static SeenThread of(ThreadInfo info) {
        return new SeenThread(
                info.getThreadId(),
                info.getThreadName(),
                info.getThreadState(),
                List.of(info.getStackTrace()),
                info.getLockInfo(),
                info.getLockOwnerId(),
                info.getLockOwnerName(),
                info.isInNative());
    }

    /**
     * Looks at a virtual thread, of which the JVM's management bean says nothing. That takes about 50 µs for a parked
     * one. The holder of a lock is unknown, and of a monitor not even the object.
     *
     * @param depth how many frames are wanted at most
     * @return null when the thread is a platform thread or has ended
     */
    public static @Nullable SeenThread ofVirtual(Thread thread, int depth) {
        if (!NativeThread.isVirtual(thread)) {
            return null;
        }
        Thread.State state = thread.getState();
        Object blocker = Stratum.isWaiting(state) ? LockSupport.getBlocker(thread) : null;
        List<StackTraceElement> stack = withoutParking(thread.getStackTrace());
        if (stack.isEmpty()) {
            return null;
        }
        return new SeenThread(
                id(thread),
                thread.getName(),
                state,
                stack.subList(0, Math.min(depth, stack.size())),
                blocker == null ? null : new LockInfo(blocker.getClass().getName(), System.identityHashCode(blocker)),
                NO_OWNER,
                null,
                state == Thread.State.RUNNABLE && stack.get(0).isNativeMethod());
    }

    private static List<StackTraceElement> withoutParking(StackTraceElement[] stack) {
        return Arrays.stream(stack).dropWhile(SeenThread::parks).toList();
    }

    private static boolean parks(StackTraceElement frame) {
        return PARKING.contains(frame.getClassName())
                || (frame.getClassName().startsWith("java.lang.System$")
                        && frame.getMethodName().equals("parkVirtualThread"));
    }

    /** {@code threadId()} exists since JDK 19 only. */
    @SuppressWarnings("deprecation")
    public static long id(Thread thread) {
        return thread.getId();
    }
}
