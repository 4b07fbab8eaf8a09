package io.lifeguard.pool.os;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists the platform threads of this JVM. Stateless. */
public final class JvmThreads {

    private JvmThreads() {}

    /** {@return all platform threads that are alive, in a new list} */
    public static List<Thread> all() {
        ThreadGroup group = topmostGroup();
        Thread[] threads = new Thread[group.activeCount() * 2 + 16]; // room for threads that start meanwhile
        return Arrays.asList(threads).subList(0, group.enumerate(threads));
    }

    /** {@return the group that contains all others} */
    public static ThreadGroup topmostGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        for (@Nullable ThreadGroup parent = group.getParent(); parent != null; parent = parent.getParent()) {
            group = parent;
        }
        return group;
    }
}
