package io.lifeguard.pool.os;

import org.jspecify.annotations.Nullable;

/**
 * Recognises threads that must not block, without a dependency on the libraries that own them. Thread-safe.
 *
 * <p>Reactor's non-blocking threads implement {@code reactor.core.scheduler.NonBlocking}. The event loops of Netty (and
 * so of Vert.x) have no special thread type, because users choose the thread factory. But all code on such a thread
 * runs below the {@code run()} of an {@code io.netty.channel.EventLoop}, so the stack shows it.
 *
 * <p>Walking the stack costs microseconds. Only a thread that is about to block does it, at most ten times a second,
 * because the result that a thread may block is kept for 100 ms.
 */
public final class NonBlockingThreads {

    private static final @Nullable StackWalker STACK = CallerWalker.WITH_CLASSES;

    /** The end of a type name, because Netty is often shaded into another package. */
    private static final String NETTY = "io.netty.channel.EventLoop";

    private static final String REACTOR = "reactor.core.scheduler.NonBlocking";

    /** RxJava marks the threads of its schedulers for computations. */
    private static final String RX = ".internal.schedulers.NonBlockingThread";

    private static final long KEPT_NANOS = 100_000_000;

    /**
     * When this thread's stack was last without an event loop. A plain array, so that no thread pins a class of this
     * library.
     */
    private static final ThreadLocal<long @Nullable []> LAST_CLEAR = new ThreadLocal<>();

    private NonBlockingThreads() {}

    public static boolean isNonBlocking(Thread thread) {
        return hasSupertype(thread.getClass(), REACTOR) || (thread == Thread.currentThread() && isOnEventLoop());
    }

    /** {@return whether a library marks the thread as one on which nothing may block} RxJava's may wait for room. */
    public static boolean isMarked(Thread thread) {
        return hasSupertype(thread.getClass(), REACTOR) || hasSupertype(thread.getClass(), RX);
    }

    private static boolean isOnEventLoop() {
        long now = System.nanoTime();
        long[] lastClear = LAST_CLEAR.get();
        if (lastClear != null && now - lastClear[0] < KEPT_NANOS) {
            return false;
        }
        boolean onEventLoop = eventLoopIsOnTheStack();
        if (onEventLoop) {
            LAST_CLEAR.remove();
        } else if (lastClear == null) {
            LAST_CLEAR.set(new long[] {now});
        } else {
            lastClear[0] = now;
        }
        return onEventLoop;
    }

    private static boolean eventLoopIsOnTheStack() {
        return STACK != null
                && STACK.walk(
                        frames -> frames.filter(frame -> frame.getMethodName().equals("run"))
                                .map(StackWalker.StackFrame::getDeclaringClass)
                                .anyMatch(type -> hasSupertype(type, NETTY)));
    }

    private static boolean hasSupertype(@Nullable Class<?> type, String name) {
        if (type == null || type == Object.class || type == Thread.class) {
            return false;
        } else if (type.getName().endsWith(name)) {
            return true;
        }
        for (Class<?> parent : type.getInterfaces()) {
            if (hasSupertype(parent, name)) {
                return true;
            }
        }
        return hasSupertype(type.getSuperclass(), name);
    }
}
