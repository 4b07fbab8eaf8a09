package io.lifeguard.pool;

import io.lifeguard.pool.text.UserCode;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls users' observers and listeners. What they throw reaches no pool, and is logged once per class. Thread-safe. */
final class Callbacks {

    private static final Logger LOG = LoggerFactory.getLogger("io.lifeguard.pool");

    private static final UserCode USER_CODE = new UserCode((who, failure) ->
            LOG.warn("{} failed and is ignored; further failures of it are not logged", who, failure));

    private Callbacks() {}

    static void call(Object target, Runnable call) {
        USER_CODE.run(target, call);
    }

    /** What the target answers; false if it throws instead. */
    static boolean ask(Object target, Supplier<Boolean> question) {
        return USER_CODE.call(target, false, question);
    }

    /** The providers that can be loaded, in order. */
    static <T> List<T> loadAll(ServiceLoader<T> loader) {
        return USER_CODE.loadAll(loader);
    }

    /** A daemon thread that calls users' code, and keeps none of its creator's. */
    static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(Callbacks.class.getClassLoader());
        return thread;
    }
}
