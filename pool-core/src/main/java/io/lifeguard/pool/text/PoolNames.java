package io.lifeguard.pool.text;

import io.lifeguard.pool.os.CallerWalker;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;

/** Derives the names of pools without a given name, and the thread names of pools with one. Stateless. */
public final class PoolNames {

    /** Leaves room for the line. */
    private static final int LONGEST_CLASS_NAME = Preconditions.LONGEST_NAME - 20;

    private static final String UNKNOWN = "pool";

    private static final String PACKAGE = "io.lifeguard.pool.";

    private static final Set<String> LIBRARY = Set.of(
            "InstrumentedThreadPoolExecutor",
            "InstrumentedScheduledThreadPoolExecutor",
            "InstrumentedExecutors",
            "InstrumentedVirtualThreadExecutor",
            "InstrumentedForkJoinPool",
            "ThreadPerTaskPool",
            "Instruments",
            "SharedInstruments",
            "Pools",
            "text.PoolNames");

    private PoolNames() {}

    /**
     * A factory of threads called {@code orders-1}, {@code orders-2}, … for the pool {@code orders}. Like the threads
     * of {@link java.util.concurrent.Executors#defaultThreadFactory()}, they are no daemons and have normal priority.
     */
    public static ThreadFactory threadFactory(String poolName) {
        return new NumberedThreads(poolName, new AtomicLong());
    }

    /** No lambda, because the first pool of the JVM would wait for its class. The number is written by any thread. */
    private record NumberedThreads(String poolName, AtomicLong threads) implements ThreadFactory {
        @Override
        @SuppressWarnings("ThreadPriorityCheck") // resets the priority, which a new thread inherits from its creator
        public Thread newThread(Runnable body) {
            Thread thread = new Thread(null, body, poolName + "-" + threads.incrementAndGet(), 0);
            thread.setDaemon(false);
            thread.setPriority(Thread.NORM_PRIORITY);
            return thread;
        }
    }

    /**
     * Returns the class and line that create a pool, such as {@code OrderService:42}. This is the innermost stack frame
     * that belongs neither to this library nor to {@code java.util.concurrent}. Constructors of executors are skipped
     * too, because a subclass is not its own creator.
     */
    public static String ofCreator() {
        StackWalker walker = CallerWalker.WITH_CLASSES;
        return walker == null ? UNKNOWN : walker.walk(new Creator());
    }

    /** No lambda and no pipeline, because the first pool of the JVM would wait for their classes. */
    private static final class Creator implements Function<Stream<StackWalker.StackFrame>, String> {
        @Override
        public String apply(Stream<StackWalker.StackFrame> frames) {
            for (Iterator<StackWalker.StackFrame> each = frames.iterator(); each.hasNext(); ) {
                StackWalker.StackFrame frame = each.next();
                if (!isPlumbing(frame)) {
                    return simpleName(frame.getDeclaringClass()) + ":" + frame.getLineNumber();
                }
            }
            return UNKNOWN;
        }
    }

    private static boolean isPlumbing(StackWalker.StackFrame frame) {
        Class<?> type = frame.getDeclaringClass();
        return isLibrary(type)
                || type.getPackageName().startsWith("java.util.concurrent")
                || (Executor.class.isAssignableFrom(type)
                        && frame.getMethodName().equals("<init>"));
    }

    /**
     * Compares names of classes and not packages, so that a test of the library is a creator like any other class.
     * Class literals would load all of these classes.
     */
    private static boolean isLibrary(Class<?> type) {
        if (type.getClassLoader() != PoolNames.class.getClassLoader()
                || !type.getName().startsWith(PACKAGE)) {
            return false;
        }
        int nested = type.getName().indexOf('$');
        int end = nested < 0 ? type.getName().length() : nested;
        return LIBRARY.contains(type.getName().substring(PACKAGE.length(), end));
    }

    private static String simpleName(Class<?> type) {
        String name = type.getName();
        int lambda = name.indexOf("$$");
        String cut = lambda < 0 ? name : name.substring(0, lambda);
        String simple = cut.substring(cut.lastIndexOf('.') + 1);
        return simple.substring(0, Math.min(simple.length(), LONGEST_CLASS_NAME));
    }
}
