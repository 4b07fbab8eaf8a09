package io.lifeguard.pool.diagnosis;

import java.security.AccessController;
import java.security.PrivilegedAction;

/** Makes the threads of the monitor. Stateless. */
final class DaemonThreads {

    private DaemonThreads() {}

    /**
     * Makes a daemon thread with the rights of this library only. Before Java 24 a thread keeps the access control
     * context of its creator, and with it the class loader of the application that made the first pool.
     */
    @SuppressWarnings("removal") // without effect since Java 24
    static Thread newThread(String name, Runnable body) {
        return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> {
            try {
                return daemon(topmostGroup(), name, body);
            } catch (SecurityException e) { // the group of the thread that made the first pool must do
                return daemon(Thread.currentThread().getThreadGroup(), name, body);
            }
        });
    }

    private static Thread daemon(ThreadGroup group, String name, Runnable body) {
        Thread thread = new Thread(group, body, name, 0, false);
        thread.setDaemon(true);
        try {
            thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
        } catch (SecurityException ignored) { // the creator's one stays, and is not used
            return thread;
        }
        return thread;
    }

    /** Not the group of the thread that made the first pool: that group may have to end before this thread does. */
    private static ThreadGroup topmostGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }
}
