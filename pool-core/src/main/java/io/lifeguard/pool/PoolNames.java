package io.lifeguard.pool;

import java.util.concurrent.Executor;

/** Finds names for pools that were given none. Stateless. */
final class PoolNames {

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private PoolNames() {}

    /**
     * The class and line that created a pool, as {@code OrderService:42}: the innermost frame that is neither ours, nor the
     * JDK's {@code java.util.concurrent}, nor the constructor of an executor (so a subclass is not its own creator).
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

    /** By name and not by package, so that the tests in our packages are creators like any other class. */
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
        return cut.substring(cut.lastIndexOf('.') + 1);
    }
}
