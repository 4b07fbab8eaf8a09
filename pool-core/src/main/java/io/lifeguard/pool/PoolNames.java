package io.lifeguard.pool;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** Derives the names of pools without a given name, and the thread names of pools with one. Stateless. */
final class PoolNames {

    private static final StackWalker STACK = CallerWalker.WITH_CLASSES;

    /** Leaves room for the line. */
    private static final int LONGEST_CLASS_NAME = Preconditions.LONGEST_NAME - 20;

    private PoolNames() {}

    /**
     * A factory of threads called {@code orders-1}, {@code orders-2}, … for the pool {@code orders}. Like the threads
     * of {@link java.util.concurrent.Executors#defaultThreadFactory()}, they are no daemons and have normal priority.
     */
    @SuppressWarnings("ThreadPriorityCheck") // resets the priority, which a new thread inherits from its creator
    static ThreadFactory threadFactory(String poolName) {
        AtomicLong threads = new AtomicLong();
        return body -> {
            Thread thread = new Thread(null, body, poolName + "-" + threads.incrementAndGet(), 0);
            thread.setDaemon(false);
            thread.setPriority(Thread.NORM_PRIORITY);
            return thread;
        };
    }

    /**
     * Returns the class and line that create a pool, such as {@code OrderService:42}. This is the innermost stack frame
     * that belongs neither to this library nor to {@code java.util.concurrent}. Constructors of executors are skipped
     * too, because a subclass is not its own creator.
     */
    static String ofCreator() {
        return STACK.walk(frames -> frames.filter(frame -> !isPlumbing(frame))
                .findFirst()
                .map(frame -> simpleName(frame.getDeclaringClass()) + ":" + frame.getLineNumber())
                .orElse("pool"));
    }

    private static boolean isPlumbing(StackWalker.StackFrame frame) {
        Class<?> type = frame.getDeclaringClass();
        return isLibrary(type)
                || type.getPackageName().startsWith("java.util.concurrent")
                || (Executor.class.isAssignableFrom(type)
                        && frame.getMethodName().equals("<init>"));
    }

    /** Compares classes and not packages, so that a test in this package is a creator like any other class. */
    private static boolean isLibrary(Class<?> type) {
        Class<?> outermost = type;
        while (outermost.getEnclosingClass() != null) {
            outermost = outermost.getEnclosingClass();
        }
        return outermost == InstrumentedThreadPoolExecutor.class
                || outermost == InstrumentedScheduledThreadPoolExecutor.class
                || outermost == InstrumentedExecutors.class
                || outermost == InstrumentedForkJoinPool.class
                || outermost == ThreadPerTaskPool.class
                || outermost == Instruments.class
                || outermost == SharedInstruments.class
                || outermost == Pools.class
                || outermost == PoolNames.class;
    }

    private static String simpleName(Class<?> type) {
        String name = type.getName();
        int lambda = name.indexOf("$$");
        String cut = lambda < 0 ? name : name.substring(0, lambda);
        String simple = cut.substring(cut.lastIndexOf('.') + 1);
        return simple.substring(0, Math.min(simple.length(), LONGEST_CLASS_NAME));
    }
}
