package io.lifeguard.pool;

import io.lifeguard.pool.text.UserCode;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls users' observers and listeners. Their exceptions reach no pool, and are logged once per class. Thread-safe. */
final class Callbacks {

    private static final UserCode USER_CODE = new UserCode(new Report());

    private Callbacks() {}

    /** No lambda, because the first pool of the JVM would wait for its class. */
    private static final class Report implements BiConsumer<String, Throwable> {
        @Override
        public void accept(String who, Throwable failure) {
            Log.LOG.warn("{} failed and is ignored; further failures of it are not logged", who, failure);
        }
    }

    /** Logs what the target has thrown, where the caller has caught it. */
    static void failed(Object target, Throwable failure) {
        USER_CODE.failed(target, failure);
    }

    /**
     * Says at {@code DEBUG} that pools are measured, and that nothing looks at the measurements. On a thread of its
     * own: the one that makes the first pool of the JVM would wait for the logging library.
     */
    static void noMonitor() {
        try {
            Thread thread = new Thread(null, new NoMonitor(), "lifeguard-no-monitor", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(Callbacks.class.getClassLoader());
            thread.start();
        } catch (Error | RuntimeException ignored) {
            return; // neither memory nor a permission for a thread: the pool is more important
        }
    }

    /** No lambda, for the same reason. */
    private static final class NoMonitor implements Runnable {
        @Override
        public void run() {
            Log.LOG.debug("no monitor was found: pools are measured, but not watched; "
                    + "io.lifeguard:pool-monitor watches them");
        }
    }

    static void call(Object target, Runnable call) {
        USER_CODE.run(target, call);
    }

    /** Returns the target's answer; false if it throws. */
    static boolean ask(Object target, Supplier<Boolean> question) {
        return USER_CODE.call(target, false, question);
    }

    /** Returns the providers that can be loaded, in order. */
    static <T> List<T> loadAll(ServiceLoader<T> loader) {
        return USER_CODE.loadAll(loader);
    }

    /**
     * Makes a daemon thread that calls users' code. It inherits neither thread locals nor a class loader, nor, before
     * Java 24, the access control context of its creator, which refers to the creator's class loader.
     */
    @SuppressWarnings("removal") // without effect since Java 24
    static Thread daemon(String name, Runnable body) {
        Thread thread =
                AccessController.doPrivileged((PrivilegedAction<Thread>) () -> new Thread(null, body, name, 0, false));
        thread.setDaemon(true);
        thread.setContextClassLoader(Callbacks.class.getClassLoader());
        return thread;
    }

    /** Apart, so that the logging library is loaded with the first message. */
    private static final class Log {
        static final Logger LOG = LoggerFactory.getLogger("io.lifeguard.pool");
    }
}
