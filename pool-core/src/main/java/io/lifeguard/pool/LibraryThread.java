package io.lifeguard.pool;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Makes a daemon thread of this library. It inherits neither thread locals nor a class loader, nor, before Java 24, the
 * access control context of its creator, which refers to the creator's class loader.
 */
/* No lambda, because the first pool of the JVM would wait for its class. */
final class LibraryThread implements PrivilegedAction<Thread> {

    private final String name;
    private final Runnable body;

    private LibraryThread(String name, Runnable body) {
        this.name = name;
        this.body = body;
    }

    @SuppressWarnings("removal") // without effect since Java 24
    static Thread daemon(String name, Runnable body) {
        return AccessController.doPrivileged(new LibraryThread(name, body));
    }

    @Override
    public Thread run() {
        Thread thread = new Thread(null, body, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(LibraryThread.class.getClassLoader());
        return thread;
    }
}
