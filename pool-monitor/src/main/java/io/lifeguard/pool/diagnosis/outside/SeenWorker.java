package io.lifeguard.pool.diagnosis.outside;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What one look shows of a thread that may be a worker of a {@code ThreadPoolExecutor}. Immutable; must not be kept,
 * because it holds the thread and its queue.
 *
 * <p>A worker without a task waits inside a method of its pool's queue. It parks on an object that belongs to that
 * queue alone: a condition of a blocking queue, or the hand-off of a {@code SynchronousQueue}. So two idle workers that
 * park on the same object take from the same queue.
 *
 * @param queueClass the class whose method it waits in for a task; empty if it does not wait for one
 * @param parkedOn the object of its queue that it is parked on; null if it does not wait for a task
 */
record SeenWorker(
        Thread thread,
        boolean isStarting,
        boolean isWorker,
        String queueClass,
        @Nullable Object parkedOn) {

    private static final String POOL = "java.util.concurrent.ThreadPoolExecutor";
    private static final String WORKER = POOL + "$Worker";

    static SeenWorker of(Thread thread) {
        Object before = LockSupport.getBlocker(thread);
        StackTraceElement[] stack = thread.getStackTrace();
        boolean isStarting = true;
        boolean isWorker = false;
        String queueClass = "";
        for (int i = 0; i < stack.length; i++) {
            String type = stack[i].getClassName();
            isStarting &= type.equals("java.lang.Thread");
            isWorker |= type.equals(WORKER);
            if (i > 0 && type.equals(POOL) && stack[i].getMethodName().equals("getTask")) {
                queueClass = stack[i - 1].getClassName();
            }
        }
        Object after = LockSupport.getBlocker(thread);
        boolean isParked = !queueClass.isEmpty() && before != null && before == after;
        return new SeenWorker(thread, isStarting, isWorker, queueClass, isParked ? after : null);
    }

    /** {@return whether it waits in a method that a queue of this class does not have} */
    boolean isOfAnotherQueue(Queue<?> queue) {
        if (parkedOn == null) {
            return false;
        }
        for (Class<?> type = queue.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(queueClass)) {
                return false;
            }
        }
        return Arrays.stream(queue.getClass().getInterfaces())
                .noneMatch(type -> type.getName().equals(queueClass));
    }
}
