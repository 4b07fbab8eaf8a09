package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.text.CleanFailure;
import io.lifeguard.pool.text.LogText;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls rules and listeners so that what they throw, errors included, harms nobody, and is logged once for each class. Thread-safe.
 */
final class Guard {

    private static final Logger LOG = LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");
    private static final int MANY = 1_000;

    /** Bounded by {@link #MANY}, and by name, so that no class is kept. */
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /** What the call returns; {@code otherwise} when it throws, or returns null against its contract. */
    @SuppressWarnings("ConstantValue") // users' rules are not checked for null
    <T> T call(Object target, T otherwise, Supplier<T> call) {
        try {
            T result = call.get();
            return result == null ? otherwise : result;
        } catch (Throwable failure) {
            failed(target.getClass(), failure);
            return otherwise;
        }
    }

    void run(Object target, Runnable call) {
        try {
            call.run();
        } catch (Throwable failure) {
            failed(target.getClass(), failure);
        }
    }

    /** Logs a failure, unless one of that class was logged before. */
    void failed(Class<?> who, Throwable failure) {
        try {
            if (failed.size() < MANY && failed.add(who.getName())) {
                LOG.warn(
                        "{} failed and is ignored this time; further failures of it are not logged",
                        LogText.clean(who.getName()),
                        CleanFailure.of(failure));
            }
        } catch (Throwable tooLittleMemoryToSaySo) {
            // the next failure may be luckier
        }
    }
}
