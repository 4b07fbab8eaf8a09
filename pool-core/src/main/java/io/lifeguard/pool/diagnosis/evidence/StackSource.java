package io.lifeguard.pool.diagnosis.evidence;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import org.jspecify.annotations.Nullable;

/** Takes stacks of threads. Only the monitor's thread calls it. */
@FunctionalInterface
public interface StackSource {

    /** A source that knows no thread. */
    StackSource NONE = (ids, depth) -> new ThreadInfo[ids.length];

    /** {@return the source that asks this JVM, which stops all threads meanwhile} */
    static StackSource ofThisJvm() {
        return ManagementFactory.getThreadMXBean()::getThreadInfo;
    }

    /**
     * Looks at threads at one moment.
     *
     * @param ids the threads' ids
     * @param depth how many frames of each stack are wanted at most
     * @return in the same order; null for a thread that has ended or is virtual
     */
    @Nullable
    ThreadInfo[] take(long[] ids, int depth);
}
