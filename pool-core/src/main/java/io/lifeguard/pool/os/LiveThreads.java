package io.lifeguard.pool.os;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lists the platform threads of this process. Stateless. */
public final class LiveThreads {

    private LiveThreads() {}

    /** {@return all threads that are alive and in a group; some that start or end meanwhile} */
    public static List<Thread> all() {
        ThreadGroup group = topmostGroup();
        Thread[] threads = new Thread[group.activeCount() * 2 + 16]; // room for threads that start meanwhile
        return Arrays.asList(threads).subList(0, group.enumerate(threads));
    }

    /** {@return those of them that are alive} */
    public static List<Thread> among(List<WeakReference<Thread>> known) {
        return known.stream()
                .map(WeakReference::get)
                .filter(Objects::nonNull)
                .filter(Thread::isAlive)
                .toList();
    }

    /** {@return the group in which all others are} */
    public static ThreadGroup topmostGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        for (@Nullable ThreadGroup parent = group.getParent(); parent != null; parent = parent.getParent()) {
            group = parent;
        }
        return group;
    }
}
