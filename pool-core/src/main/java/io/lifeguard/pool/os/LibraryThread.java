package io.lifeguard.pool.os;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Makes a daemon thread of this library. It inherits neither thread locals nor a class loader, nor, before Java 24, the
 * access control context of its creator, which refers to the creator's class loader. It is in the topmost group: that
 * of the thread that made the first pool may have to end before this thread does.
 */
/* No lambda, because the first pool of the JVM would wait for its class. */
public final class LibraryThread implements PrivilegedAction<Thread> {

    private final String name;
    private final Runnable body;

    private LibraryThread(String name, Runnable body) {
        this.name = name;
        this.body = body;
    }

    @SuppressWarnings("removal") // without effect since Java 24
    public static Thread daemon(String name, Runnable body) {
        return AccessController.doPrivileged(new LibraryThread(name, body));
    }

    @Override
    public Thread run() {
        Thread thread = new Thread(LiveThreads.topmostGroup(), body, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(LibraryThread.class.getClassLoader());
        return thread;
    }
}
