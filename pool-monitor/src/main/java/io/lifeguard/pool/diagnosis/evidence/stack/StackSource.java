package io.lifeguard.pool.diagnosis.evidence.stack;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/** Takes stacks of threads. Only the monitor's thread calls it. */
@FunctionalInterface
public interface StackSource {

    /** A source that knows no thread. */
    StackSource NONE = new StackSource() {
        @Override
        public @Nullable ThreadInfo[] take(long[] ids, int depth) {
            return new ThreadInfo[ids.length];
        }
    };

    /** {@return the source that asks this JVM, which stops all threads meanwhile} */
    static StackSource ofThisJvm() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return new StackSource() {
            @Override
            public @Nullable ThreadInfo[] take(long[] ids, int depth) {
                try {
                    return threads.getThreadInfo(ids, depth);
                } catch (SecurityException e) { // the monitor has said that it may not
                    return new ThreadInfo[ids.length];
                }
            }
        };
    }

    /**
     * Looks at threads at one moment.
     *
     * @param depth how many frames of each stack are wanted at most
     * @return in the same order; null for a thread that has ended or is virtual
     */
    @Nullable
    ThreadInfo[] take(long[] ids, int depth);
}
