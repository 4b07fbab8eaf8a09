package io.lifeguard.pool;

import io.lifeguard.pool.text.UserCode;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls users' observers and listeners. Their exceptions reach no pool, and are logged once per class. Thread-safe. */
final class Callbacks {

    private static final UserCode USER_CODE = new Report();

    private Callbacks() {}

    private static final class Report extends UserCode {
        @Override
        protected void report(String who, Throwable failure) {
            Log.LOG.warn("{} failed and is ignored; further failures of it are not logged", who, failure);
        }
    }

    /** Logs what the target has thrown, where the caller has caught it. */
    static void failed(Object target, Throwable failure) {
        USER_CODE.failed(target, failure);
    }

    /**
     * Says at {@code DEBUG} that pools are measured, and that nothing looks at the measurements. Not on a user's
     * thread: it would wait for the logging library.
     */
    static void noMonitor() {
        Log.LOG.debug("no monitor was found: pools are measured, but not watched; "
                + "io.lifeguard:pool-monitor watches them");
    }

    static void warn(String text) {
        Log.LOG.warn(text);
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

    /** Apart, so that the logging library is loaded with the first message. */
    private static final class Log {
        static final Logger LOG = LoggerFactory.getLogger("io.lifeguard.pool");
    }
}
