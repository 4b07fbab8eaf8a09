package io.lifeguard.pool;

import io.lifeguard.pool.text.CleanFailure;
import io.lifeguard.pool.text.LogText;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls users' observers and listeners so that what they throw harms nobody, and is logged once per class. Thread-safe. */
final class Callbacks {

    private static final Logger LOG = LoggerFactory.getLogger("io.lifeguard.pool");

    /** Bounded by {@link #MANY}, and by name, so that no class is kept. */
    private static final Set<String> FAILED = ConcurrentHashMap.newKeySet();

    private static final int MANY = 1_000;

    private Callbacks() {}

    /** Runs the call; whatever it throws is logged, once for each class of target. */
    static void call(Object target, Runnable call) {
        try {
            call.run();
        } catch (Throwable failure) {
            failed(target.getClass().getName(), failure);
        }
    }

    /** What the target answers; false if it throws instead, which is logged like any failure of it. */
    static boolean ask(Object target, BooleanSupplier question) {
        try {
            return question.getAsBoolean();
        } catch (Throwable failure) {
            failed(target.getClass().getName(), failure);
            return false;
        }
    }

    /** The providers that can be loaded, in order. */
    static <T> List<T> loadAll(ServiceLoader<T> loader) {
        List<T> loaded = new ArrayList<>();
        Iterator<ServiceLoader.Provider<T>> providers = loader.stream().iterator();
        boolean more = true;
        for (int failures = 0; more && failures < MANY; ) {
            try {
                more = providers.hasNext();
                if (more) {
                    loaded.add(providers.next().get());
                }
            } catch (Throwable failure) {
                failures++; // a class loader that cannot read fails for ever
                failed("A provider (" + textOf(failure) + ")", failure);
            }
        }
        return List.copyOf(loaded);
    }

    /** A daemon thread that calls users' code, and keeps none of its creator's. */
    static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(Callbacks.class.getClassLoader());
        return thread;
    }

    private static String textOf(Throwable failure) {
        try {
            return String.valueOf(failure.getMessage());
        } catch (Throwable another) {
            return failure.getClass().getName();
        }
    }

    private static void failed(String who, Throwable failure) {
        try {
            if (FAILED.size() < MANY && FAILED.add(who)) {
                LOG.warn(
                        "{} failed and is ignored; further failures of it are not logged",
                        LogText.clean(who),
                        CleanFailure.of(failure));
            }
        } catch (Throwable log) {
            // a log that throws, or a failure that cannot say what it is, must not reach whoever makes a pool
        }
    }
}
