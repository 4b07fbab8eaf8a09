package io.lifeguard.pool.text;

import io.lifeguard.pool.os.Room;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Calls user code so that no exception or error of it reaches the caller. Reports the first failure of each class.
 * Thread-safe.
 */
public abstract class UserCode {

    private static final int MOST_FAILURES = 1_000;

    // Names, because a reference to the class would keep it alive. Written by any caller, atomically; no stale reads.
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /**
     * Takes the name of a failed class and the failure, both safe for a log. Called once for each name, and for at most
     * 1,000 names.
     */
    protected abstract void report(String who, Throwable failure);

    /**
     * Whether a class of a user is behind a queue or an executor: neither one of the JDK nor a queue of this library.
     */
    public static boolean isUsers(Object object) {
        Class<?> type = object.getClass();
        return type.getClassLoader() != null && !type.getName().startsWith("io.lifeguard.pool.queue.");
    }

    /**
     * Returns the result of the call.
     *
     * @param target the user's object, whose class is reported
     * @param otherwise the result if the call throws, or returns null against its contract
     */
    @SuppressWarnings("ConstantValue") // user code is not checked for null
    public final <T> T call(Object target, T otherwise, Supplier<T> call) {
        try {
            T result = call.get();
            return result == null ? otherwise : result;
        } catch (Throwable e) {
            failed(target, e);
            return otherwise;
        }
    }

    /** Runs the call. The class of {@code target}, the user's object, is reported. */
    public final void run(Object target, Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            failed(target, e);
        }
    }

    /** Reports a failure that the caller has caught. {@code target} is the object whose class is reported. */
    public final void failed(Object target, Throwable failure) {
        failedOnce(target.getClass().getName(), failure);
    }

    /**
     * Returns the providers that can be loaded, in order. Reports the others. In a {@linkplain Room shortage} throws
     * what one of them has thrown, because a later call may find it.
     */
    public final <T> List<T> loadAll(ServiceLoader<T> loader) {
        List<T> loaded = new ArrayList<>();
        Iterator<T> providers = loader.iterator();
        boolean more = true;
        for (int failures = 0; more && failures < MOST_FAILURES; ) {
            try {
                more = providers.hasNext();
                if (more) {
                    loaded.add(providers.next());
                }
            } catch (Throwable e) {
                if (!Room.isThere()) {
                    throw e;
                }
                failures++; // a class loader that cannot read fails forever
                failedOnce("A provider (" + textOf(e) + ")", e);
            }
        }
        return List.copyOf(loaded);
    }

    private static String textOf(Throwable failure) {
        try {
            return String.valueOf(failure.getMessage());
        } catch (Throwable ignored) { // user code may throw anything
            return failure.getClass().getName();
        }
    }

    private void failedOnce(String who, Throwable failure) {
        try {
            if (failed.size() < MOST_FAILURES && failed.add(who)) {
                report(LogText.clean(who), CleanFailure.of(failure));
            }
        } catch (Throwable ignored) { // an exception of the log or of the failure's own methods stays here
        }
    }
}
