package io.lifeguard.pool.diagnosis.external;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists the threads of this process, and what their names have in common. Stateless. */
final class ThreadNames {

    private ThreadNames() {}

    static boolean isNumbered(Thread thread) {
        return !withoutNumber(thread).equals(thread.getName());
    }

    static String withoutNumber(Thread thread) {
        String name = thread.getName();
        int end = name.length();
        while (end > 0 && Character.isDigit(name.charAt(end - 1))) {
            end--;
        }
        return name.substring(0, end);
    }

    static List<Thread> allThreads() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        for (@Nullable ThreadGroup parent = group.getParent(); parent != null; parent = parent.getParent()) {
            group = parent;
        }
        Thread[] threads = new Thread[group.activeCount() * 2 + 16]; // room for threads that start meanwhile
        return Arrays.asList(threads).subList(0, group.enumerate(threads));
    }
}
