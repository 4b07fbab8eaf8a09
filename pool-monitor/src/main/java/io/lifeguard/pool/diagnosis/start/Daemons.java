package io.lifeguard.pool.diagnosis.start;

import java.security.AccessController;
import java.security.PrivilegedAction;

/** Makes the triage's thread. */
final class Daemons implements PrivilegedAction<Thread> {

    private final Runnable body;
    private final String name;

    private Daemons(Runnable body, String name) {
        this.body = body;
        this.name = name;
    }

    /**
     * Makes a daemon thread that refers to this library only. Before Java 24 a thread keeps the access control context
     * of its creator, and with it the class loader of the application that made the first pool.
     */
    @SuppressWarnings("removal") // without effect since Java 24
    static Thread thread(Runnable body, String name) {
        return AccessController.doPrivileged(new Daemons(body, name));
    }

    @Override
    public Thread run() {
        Thread thread = new Thread(topmostGroup(), body, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(Daemons.class.getClassLoader());
        return thread;
    }

    /** Not the group of the thread that made the first pool: that group may have to end before this thread does. */
    static ThreadGroup topmostGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }
}
