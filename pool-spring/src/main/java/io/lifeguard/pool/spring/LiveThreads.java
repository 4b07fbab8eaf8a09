package io.lifeguard.pool.spring;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The platform threads of this process. Stateless. */
final class LiveThreads {

    private LiveThreads() {}

    /** Those whose names begin so. */
    static List<Thread> named(String prefix) {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        for (@Nullable ThreadGroup parent = group.getParent(); parent != null; parent = parent.getParent()) {
            group = parent;
        }
        Thread[] threads = new Thread[group.activeCount() * 2 + 16]; // room for those that start meanwhile
        int count = group.enumerate(threads);
        return Arrays.stream(threads, 0, count)
                .filter(thread -> thread.getName().startsWith(prefix))
                .toList();
    }
}
