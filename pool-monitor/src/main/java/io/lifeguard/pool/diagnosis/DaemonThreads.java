package io.lifeguard.pool.diagnosis;

import java.security.AccessController;
import java.security.PrivilegedAction;

/** Makes the threads of the monitor. Stateless. */
final class DaemonThreads {

    private DaemonThreads() {}

    /**
     * Makes a daemon thread that refers to this library only. Before Java 24 a thread keeps the access control context
     * of its creator, and with it the class loader of the application that made the first pool.
     */
    @SuppressWarnings("removal") // without effect since Java 24
    static Thread newThread(String name, Runnable body) {
        return AccessController.doPrivileged(
                new PrivilegedAction<Thread>() { // no lambda, for the reason of Guard
                    @Override
                    public Thread run() {
                        Thread thread = new Thread(topmostGroup(), body, name, 0, false);
                        thread.setDaemon(true);
                        thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
                        return thread;
                    }
                });
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
